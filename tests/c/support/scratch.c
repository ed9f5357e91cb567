#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/scratch.h"

void scratch_make(scratch *s)
{
	snprintf(s->path, sizeof s->path, "/tmp/mw_test_XXXXXX");
	if (mkdtemp(s->path) == NULL)
		fail_msg("cannot make a folder under /tmp");
}

void scratch_remove(scratch *s)
{
	char command[256];

	snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", s->path, s->path);
	assert_int_equal(system(command), 0);
}

const char *scratch_path(scratch *s, const char *name)
{
	snprintf(s->joined, sizeof s->joined, "%s/%s", s->path, name);
	return s->joined;
}

int scratch_count(scratch *s, const char *folder)
{
	int n = 0;
	DIR *dir = opendir(scratch_path(s, folder));

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n - 2;
}

bool scratch_try(scratch *s, const char *program, const char *arguments)
{
	char command[2048];

	snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
	if (system(command) != 0)
		return false;
	snprintf(command, sizeof command, "cd '%s' && %s %s >log 2>&1 </dev/null", s->path, program,
		arguments);
	if (system(command) != 0) {
		char text[1024] = "";
		FILE *log = fopen(scratch_path(s, "log"), "r");

		if (log != NULL) {
			text[fread(text, 1, sizeof text - 1, log)] = '\0';
			fclose(log);
		}
		fail_msg("%s %s failed: %s", program, arguments, text);
	}
	return true;
}
