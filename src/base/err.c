#include "base/err.h"

#include "base/ctx.h"
#include "base/str.h"

#include <string.h>

MW_PRINTF(5, 0)
static mw_code record(
	mw_ctx *cx, mw_code code, int64_t line, int64_t offset, const char *fmt, va_list ap)
{
	if (cx->err.code != MW_OK)
		return code;
	cx->err.code = code;
	cx->err.line = line;
	cx->err.offset = offset;
	cx->err.subject[0] = '\0';
	mw_vformat(cx->err.msg, sizeof cx->err.msg, fmt, ap);
	return code;
}

mw_code mw_fail(mw_ctx *cx, mw_code code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	record(cx, code, MW_ERR_NOWHERE, MW_ERR_NOWHERE, fmt, ap);
	va_end(ap);
	return code;
}

mw_code mw_fail_at(mw_ctx *cx, mw_code code, int64_t line, int64_t offset, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	record(cx, code, line, offset, fmt, ap);
	va_end(ap);
	return code;
}

mw_code mw_note(mw_ctx *cx, const char *fmt, ...)
{
	char place[MW_ERR_SUBJECT], joined[2 * MW_ERR_SUBJECT + 2];
	va_list ap;

	if (cx->err.code == MW_OK)
		return MW_OK;
	va_start(ap, fmt);
	mw_vformat(place, sizeof place, fmt, ap);
	va_end(ap);
	if (cx->err.subject[0])
		mw_format(joined, sizeof joined, "%s: %s", place, cx->err.subject);
	else
		mw_format(joined, sizeof joined, "%s", place);
	mw_format(cx->err.subject, sizeof cx->err.subject, "%s", joined);
	return cx->err.code;
}

void mw_err_clear(mw_ctx *cx)
{
	memset(&cx->err, 0, sizeof cx->err);
	cx->err.line = MW_ERR_NOWHERE;
	cx->err.offset = MW_ERR_NOWHERE;
}

void mw_err_format(const mw_err *err, char *out, size_t size)
{
	char place[32] = "";

	if (err->line != MW_ERR_NOWHERE)
		mw_format(place, sizeof place, ":%lld", (long long)err->line);
	else if (err->offset != MW_ERR_NOWHERE)
		mw_format(place, sizeof place, "@0x%llx", (unsigned long long)err->offset);
	if (err->subject[0] || place[0])
		mw_format(out, size, "%s%s: %s", err->subject, place, err->msg);
	else
		mw_format(out, size, "%s", err->msg);
}

const char *mw_code_name(mw_code code)
{
	static const char *const names[] = {"ok", "nomem", "io", "format", "range", "unsupported",
		"limit", "invalid", "cancelled"};

	return (size_t)code < MW_COUNTOF(names) ? names[code] : "unknown";
}
