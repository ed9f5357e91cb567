/* Numbers of the 7z container (7zFormat.txt of the LZMA SDK), shared by its reader and writer. */
#ifndef MW_ARCHIVE_SEVENZIP_H
#define MW_ARCHIVE_SEVENZIP_H

#include "base/mw.h"

enum {
	Z7_END = 0x00,
	Z7_HEADER = 0x01,
	Z7_ARCHIVE_PROPERTIES = 0x02,
	Z7_ADDITIONAL_STREAMS = 0x03,
	Z7_MAIN_STREAMS = 0x04,
	Z7_FILES = 0x05,
	Z7_PACK_INFO = 0x06,
	Z7_UNPACK_INFO = 0x07,
	Z7_SUBSTREAMS = 0x08,
	Z7_SIZE = 0x09,
	Z7_CRC = 0x0a,
	Z7_FOLDER = 0x0b,
	Z7_UNPACK_SIZE = 0x0c,
	Z7_NUM_UNPACK_STREAM = 0x0d,
	Z7_EMPTY_STREAM = 0x0e,
	Z7_EMPTY_FILE = 0x0f,
	Z7_ANTI = 0x10,
	Z7_NAMES = 0x11,
	Z7_MTIME = 0x14,
	Z7_ATTRIBUTES = 0x15,
	Z7_ENCODED_HEADER = 0x17,
	Z7_DUMMY = 0x19,
	/* methods */
	Z7_COPY = 0x00,
	Z7_LZMA2 = 0x21,
	Z7_LZMA = 0x030101,
	/* signature, version, crc, and the place, size and crc of the header */
	Z7_START_BYTES = 32
};

#endif
