/* Numbers of the zip container (PKWARE APPNOTE 4.3), shared by its reader and writer. */
#ifndef MW_ARCHIVE_ZIP_H
#define MW_ARCHIVE_ZIP_H

enum {
	ZIP_LOCAL = 0x04034b50,   /* 4.3.7, 30 bytes + name + extra */
	ZIP_CENTRAL = 0x02014b50, /* 4.3.12, 46 bytes + name + extra + comment */
	ZIP_END = 0x06054b50,     /* 4.3.16, 22 bytes + comment */
	ZIP_LOCAL_BYTES = 30,
	ZIP_CENTRAL_BYTES = 46,
	ZIP_END_BYTES = 22,
	ZIP_ENCRYPTED = 1 << 0,
	ZIP_UTF8 = 1 << 11,
	ZIP_STORE = 0,
	ZIP_DEFLATE = 8
};

#endif
