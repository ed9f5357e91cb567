#include "base/ctx.h"

#include "base/mem.h"

#include <string.h>

mw_limits mw_limits_default(void)
{
	return (mw_limits){
		.file_bytes = (uint64_t)2 << 30,
		.unpacked_bytes = (uint64_t)512 << 20,
		.unpack_ratio = 250,
		.elements = (uint64_t)1 << 28,
		.depth = 128,
		.string_bytes = (uint64_t)64 << 20,
		.image_side = 32768,
	};
}

void mw_ctx_init(mw_ctx *cx)
{
	memset(cx, 0, sizeof *cx);
	mw_err_clear(cx);
	cx->alloc = mw_mem_libc;
	cx->limits = mw_limits_default();
	cx->isa = mw_isa_detect();
}

void mw_ctx_child(mw_ctx *child, const mw_ctx *parent)
{
	*child = *parent;
	child->pool = NULL;
	mw_err_clear(child);
}

mw_code mw_ctx_adopt(mw_ctx *cx, const mw_ctx *child)
{
	if (cx->err.code == MW_OK && child->err.code != MW_OK)
		cx->err = child->err;
	return cx->err.code;
}
