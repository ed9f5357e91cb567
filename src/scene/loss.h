/* What a writer could not express, counted by kind, so that nothing is lost unsaid. */
#ifndef MW_SCENE_LOSS_H
#define MW_SCENE_LOSS_H

#include "base/mem.h"
#include "base/str.h"

typedef struct {
	const char *one, *many; /* "light", "lights" [static] */
	uint32_t count;
} mw_loss;

/* In the order in which the kinds were first met; zeroed is empty, free .v with mw_free. */
typedef MW_ARRAY(mw_loss) mw_losses;

/* Count n more of a kind; nothing for 0. l may be NULL: not asked. [one, many: static] */
MW_NODISCARD mw_code mw_loss_add(
	mw_ctx *cx, mw_losses *l, const char *one, const char *many, uint32_t n);

/* Append "1 light, 2 smoothing groups"; nothing when nothing was lost. */
void mw_loss_text(mw_str *out, const mw_losses *l);

#endif
