/* Brushes of whatever planes the bytes say: booleans and the tree must neither crash nor lose a
 * point. Probe points are classified against the operands, every result and the tree. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "geom/bsp.h"
#include "geom/csg.h"

typedef struct {
	const uint8_t *p;
	size_t n;
} bytes;

static uint8_t next(bytes *b)
{
	if (!b->n)
		return 0;
	b->n--;
	return *b->p++;
}

/* Small integers mostly; now and then any double at all. */
static double number(bytes *b)
{
	uint8_t k = next(b);
	if (k < 200)
		return k - 100.0;
	if (k < 240)
		return ldexp((double)next(b) - 128, (int)(k - 220));
	if (k < 250)
		return ((double)next(b) - 128) / 10;
	union {
		uint8_t b[8];
		double d;
	} u;
	for (int i = 0; i < 8; i++)
		u.b[i] = next(b);
	return isfinite(u.d) ? u.d : 1;
}

static mw_code read_brushes(mw_ctx *cx, mw_planes *t, bytes *in, mw_brushes *b)
{
	int brushes = next(in) % 4;
	for (int i = 0; i < brushes; i++) {
		mw_side side[12];
		uint32_t n = 0, want = next(in) % 12;
		double c[3] = {number(in), number(in), number(in)};
		bool boxed = want & 1; /* half of them closed for sure */
		for (uint32_t k = 0; k < (boxed ? 6 : want); k++) {
			mw_vec3 v = mw_v3(0, 0, 0);
			double d;
			if (boxed) {
				v.v[k / 2] = k & 1 ? -1 : 1;
				d = v.v[k / 2] * c[k / 2] + fabs(number(in));
			} else {
				v = mw_v3(number(in), number(in), number(in));
				d = number(in);
			}
			if (!isfinite(d))
				d = 0;
			mw_code rc = mw_planes_add(cx, t, &side[n].plane, v, d);
			if (rc)
				return rc;
			side[n].tag = n;
			if (side[n].plane != MW_PLANE_NONE)
				n++;
		}
		mw_code rc = mw_brushes_add(cx, b, side, n, 1, 0);
		if (rc)
			return rc;
	}
	return MW_OK;
}

static bool inside(const mw_planes *t, const mw_brushes *b, const mw_closure *how, const mw_vec3 *p)
{
	for (uint32_t i = 0; i < b->brush.n; i++)
		if ((!how || how[i] == MW_CLOSED) && mw_brush_contains(t, b, i, p))
			return true;
	return false;
}

/* On a plane of the table a point belongs to none of the pieces: such probes say nothing. */
static bool on_a_plane(const mw_planes *t, const mw_vec3 *p)
{
	for (uint32_t i = 0; i < t->unit.n; i++)
		if (mw_planes_side_point(t, p, i * 2) == 0)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes in = {data, size};
	mw_ctx cx;
	mw_ctx_init(&cx);
	mw_planes t = {0};
	mw_brushes a = {0}, b = {0}, sub = {0}, meet = {0}, both = {0}, merged = {0};
	mw_arena arena = {0};
	mw_arena_init(&arena, &cx);
	FUZZ_CHECK(mw_planes_init(&cx, &t) == MW_OK);
	FUZZ_CHECK(read_brushes(&cx, &t, &in, &a) == MW_OK);
	FUZZ_CHECK(read_brushes(&cx, &t, &in, &b) == MW_OK);
	mw_solid sa[4], sb[4];
	mw_closure ha[4], hb[4];
	FUZZ_CHECK(mw_solids_make(&arena, &t, &a, sa, ha) == MW_OK);
	FUZZ_CHECK(mw_solids_make(&arena, &t, &b, sb, hb) == MW_OK);
	FUZZ_CHECK(mw_csg_subtract(&cx, &t, &a, &b, &sub) == MW_OK);
	FUZZ_CHECK(mw_csg_intersect(&cx, &t, &a, &b, &meet) == MW_OK);
	FUZZ_CHECK(mw_csg_union(&cx, &t, &a, &b, &both) == MW_OK);
	FUZZ_CHECK(mw_csg_merge(&cx, &t, &sub, &merged) == MW_OK);
	FUZZ_CHECK(merged.brush.n <= sub.brush.n);
	mw_bsp bsp = {0};
	mw_bsp_options o = {.leaf_size = 1, .drop_covered = size & 1};
	FUZZ_CHECK(mw_bsp_build(&cx, &t, &a, sa, &o, &bsp) == MW_OK);
	mw_faces faces = {0};
	FUZZ_CHECK(mw_csg_faces(&cx, &arena, &t, &a, sa, NULL, &faces) == MW_OK);

	for (int i = 0; i < 40; i++) {
		/* near corners, where things go wrong, and anywhere */
		mw_vec3 p = mw_v3(number(&in), number(&in), number(&in));
		const mw_solid *s = i & 1 ? &sa[(i / 2) % 4] : &sb[(i / 2) % 4];
		size_t n = i & 1 ? a.brush.n : b.brush.n;
		if ((size_t)((i / 2) % 4) < n && s->n) {
			const mw_poly *f = &s->face[(uint32_t)i % s->n];
			mw_vec3 c = f->v[(uint32_t)i % f->n].at;
			p = mw_along3(c, mw_v3(i % 3 - 1.01, i % 5 - 2.03, i % 7 - 3.07), 1e-5);
		}
		if (!mw_finite3(p))
			continue;
		bool in_a = inside(&t, &a, ha, &p), in_b = inside(&t, &b, hb, &p);
		FUZZ_CHECK((mw_bsp_contents(&t, &a, &bsp, &p, NULL) != 0) == in_a);
		if (on_a_plane(&t, &p))
			continue;
		FUZZ_CHECK(inside(&t, &both, NULL, &p) == (in_a || in_b));
		FUZZ_CHECK(inside(&t, &meet, NULL, &p) == (in_a && in_b));
		FUZZ_CHECK(inside(&t, &sub, NULL, &p) == (in_a && !in_b));
		FUZZ_CHECK(inside(&t, &merged, NULL, &p) == (in_a && !in_b));
	}
	mw_bsp_free(&cx, &bsp);
	mw_free(&cx, faces.v);
	mw_brushes_free(&cx, &a);
	mw_brushes_free(&cx, &b);
	mw_brushes_free(&cx, &sub);
	mw_brushes_free(&cx, &meet);
	mw_brushes_free(&cx, &both);
	mw_brushes_free(&cx, &merged);
	mw_arena_free(&arena);
	mw_planes_free(&cx, &t);
	return 0;
}
