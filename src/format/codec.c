#include "format/codec.h"

#include "base/str.h"

#include <string.h>

const mw_codec *mw_codec_named(const char *name)
{
	for (size_t i = 0; i < mw_codec_count(); i++)
		if (strcmp(mw_codec_at(i)->name, name) == 0)
			return mw_codec_at(i);
	return NULL;
}

const mw_codec *mw_codec_of(const uint8_t *bytes, size_t n, const char *path)
{
	for (size_t i = 0; i < mw_codec_count(); i++)
		if (mw_codec_at(i)->probe && mw_codec_at(i)->probe(bytes, n))
			return mw_codec_at(i);
	for (size_t i = 0; i < mw_codec_count(); i++)
		for (const char *const *e = mw_codec_at(i)->extensions; *e; e++)
			if (mw_sv_ends_nocase(mw_sv_of(path), *e))
				return mw_codec_at(i);
	return NULL;
}
