#include "bind/types.h"

static void free_field(mw_ctx *cx, void *payload)
{
	mw_field_free(cx, payload);
}

const mw_lx_type mw_lx_field_type = {"mapwright.field", free_field};
