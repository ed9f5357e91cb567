#include "archive/parts.h"
mw_code mw__7z_open(mw_ctx *cx, mw_archive *a)
{
	(void)a;
	return mw_fail(cx, MW_EUNSUPPORTED, "not yet");
}
