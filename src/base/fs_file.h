/* Shared by the files of src/base and by nobody else. */
#ifndef MW_BASE_FS_FILE_H
#define MW_BASE_FS_FILE_H

#include "base/fs.h"

struct mw_fs_file {
	int fd;
	int slot; /* -1: the table was full, or a file of a folder */
	uint64_t at;
	char *temp; /* NULL: written in place, inside a temporary folder */
	char *path;
};

/* mw_fs_discard_all_unfinished's part for folders. */
void mw__fs_discard_folders(void);

#endif
