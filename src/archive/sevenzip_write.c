#include "archive/parts.h"
mw_code mw__7z_write(mw_ctx *cx, const char *path, mw_archive_level level,
	const mw_archive_item *items, size_t n)
{
	(void)path;
	(void)level;
	(void)items;
	(void)n;
	return mw_fail(cx, MW_EUNSUPPORTED, "not yet");
}
mw_code mw__7z_open(mw_ctx *cx, mw_archive *a)
{
	(void)a;
	return mw_fail(cx, MW_EUNSUPPORTED, "not yet");
}
