#include "scene/loss.h"

#include <string.h>

mw_code mw_loss_add(mw_ctx *cx, mw_losses *l, const char *one, const char *many, uint32_t n)
{
	if (!l || n == 0)
		return MW_OK;
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->v[i].one, one) == 0) {
			l->v[i].count += n;
			return MW_OK;
		}
	}
	mw_loss row = {one, many, n};
	return MW_PUSH(cx, l, row) ? MW_OK : MW_ENOMEM;
}

void mw_loss_text(mw_str *out, const mw_losses *l)
{
	for (size_t i = 0; i < l->n; i++)
		mw_str_putf(out, "%s%u %s", i ? ", " : "", (unsigned)l->v[i].count,
			l->v[i].count == 1 ? l->v[i].one : l->v[i].many);
}
