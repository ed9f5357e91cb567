/* Run a fuzz target over its corpus without a fuzzer: replay FOLDER. Speaks TAP; a crash names the
 * file that was being read, because its "#" line comes first. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input sits in a block of its exact size, so that the address sanitizer sees over-reads. */
static int replay(const char *folder, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "rb") : NULL;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		return -1;
	long size = ftell(file);
	rewind(file);
	uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
	if (size < 0 || data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size)
		return -1;
	fclose(file);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entries = NULL;
	int failed = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	int n = scandir(argv[1], &entries, visible, alphasort);
	if (n < 0)
		n = 0; /* no corpus yet: the empty input alone */
	uint8_t *empty = malloc(1);
	printf("1..%d\n", n + 1);
	printf("# empty input\n");
	fflush(stdout);
	LLVMFuzzerTestOneInput(empty, 0);
	printf("ok 1 - empty input\n");
	free(empty);
	for (int i = 0; i < n; i++) {
		printf("# %s\n", entries[i]->d_name);
		fflush(stdout);
		int bad = replay(argv[1], entries[i]->d_name) != 0;
		printf("%sok %d - %s\n", bad ? "not " : "", i + 2, entries[i]->d_name);
		failed |= bad;
		free(entries[i]);
	}
	free(entries);
	return failed;
}
