#include "support/level_scene.h"
#include "support/oom.h"
#include "support/prefix.h"
#include "support/test.h"

#include "format/hmap/hmap.h"

#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_wr w;
	mw_hmap h;
	mw_hmap_findings found;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	mw_wr_init(&f.w, &f.cx);
	mw_hmap_init(&f.h, &f.cx);
	*state = &f;
	return 0;
}

static int down(void **state)
{
	fix *f = *state;
	mw_wr_free(&f->w);
	mw_hmap_free(&f->cx, &f->h);
	mw_free(&f->cx, f->found.v);
	return 0;
}

/* The cellar as a file: source chunks, or with CMPL. */
static mw_code cellar_file(mw_ctx *cx, mw_wr *out, bool compiled, bool bake)
{
	mw_scene s;
	mw_hmap h;
	mw_level_options o = mw_level_options_default();
	o.bake = bake;
	mw_hmap_init(&h, cx);
	mw_code rc = mw_scene_init(cx, &s, NULL);
	rc = rc ? rc : level_cellar(cx, &s);
	rc = rc ? rc : mw_hmap_from_scene(cx, &h, &s, NULL);
	if (compiled)
		rc = rc ? rc : mw_hmap_compile(cx, &h, &o, NULL);
	rc = rc ? rc : mw_hmap_write(cx, out, &h);
	mw_hmap_free(cx, &h);
	mw_scene_free(cx, &s);
	return rc;
}

/* ---- bytes by hand --------------------------------------------------------------------------- */

static void head(mw_wr *w, uint32_t flags)
{
	mw_wr_bytes(w, "HMAP", 4);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, flags);
}

static void meta(mw_wr *w)
{
	size_t mark = mw_wr_chunk(w, MW_HMAP_META);
	mw_wr_str32(w, "hand", 4);
	for (int i = 0; i < 3; i++)
		mw_wr_f32(w, 0.25f);
	mw_wr_f32(w, 0.5f);
	mw_wr_f32(w, 32.0f);
	mw_wr_u32(w, 10);
	mw_wr_chunk_end(w, mark);
}

static void brush(mw_wr *w, uint32_t id, uint32_t owner, float nx, int32_t material)
{
	mw_wr_u32(w, id);
	mw_wr_u32(w, owner);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, 0x20000);
	mw_wr_u32(w, 6);
	for (int i = 0; i < 6; i++) {
		for (int k = 0; k < 3; k++)
			mw_wr_f32(w, i / 2 != k ? 0.0f : i & 1 ? -nx : nx);
		mw_wr_f32(w, 1.0f);
		mw_wr_i32(w, material);
		mw_wr_f32(w, 0.125f);
		mw_wr_f32(w, 0.0f);
		mw_wr_f32(w, 2.0f);
		mw_wr_f32(w, -1.0f);
		mw_wr_f32(w, 90.0f);
		mw_wr_u32(w, 7);
	}
}

static void brsh(mw_wr *w, float nx)
{
	size_t mark = mw_wr_chunk(w, MW_HMAP_BRSH);
	mw_wr_u32(w, 1);
	brush(w, 4, 0, nx, -1);
	mw_wr_chunk_end(w, mark);
}

static void xtra(mw_wr *w, const char *tag, const char *bytes)
{
	size_t mark = mw_wr_chunk(
		w, MW_HMAP_TAG((uint8_t)tag[0], (uint8_t)tag[1], (uint8_t)tag[2], (uint8_t)tag[3]));
	mw_wr_bytes(w, bytes, strlen(bytes));
	mw_wr_chunk_end(w, mark);
}

static void known_bytes_decode(void **state)
{
	fix *f = *state;
	head(&f->w, 1);
	meta(&f->w);
	xtra(&f->w, "XTRA", "abcde");
	brsh(&f->w, 1.0f);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &f->h, &f->found, f->w.p, f->w.n));
	assert_int_equal(f->found.n, 0);
	assert_string_equal(f->h.name, "hand");
	assert_true(f->h.grid == 0.5f && f->h.units_per_metre == 32.0f && f->h.next_id == 10);
	assert_int_equal(f->h.chunk.n, 3);
	assert_false(f->h.chunk.v[1].known);
	assert_memory_equal(f->h.chunk.v[1].bytes, "abcde", 5);
	assert_int_equal(f->h.brush.n, 1);
	const mw_hmap_brush *b = &f->h.brush.v[0];
	assert_true(b->id == 4 && b->owner == 0 && b->contents == 1 && b->flags == 0x20000);
	const mw_hmap_face *face = &f->h.face.v[b->first + 1];
	assert_true(face->plane[0] == -1.0f && face->plane[3] == 1.0f && face->material == -1);
	assert_true(face->uv.offset[0] == 0.125f && face->uv.scale[1] == -1.0f);
	assert_true(face->uv.rotation == 90.0f && face->flags == 7);
	mw_scene s;
	assert_ok(&f->cx, mw_scene_init(&f->cx, &s, NULL));
	assert_ok(&f->cx, mw_hmap_to_scene(&f->cx, &s, &f->h));
	double volume;
	assert_ok(&f->cx, mw_csg_volume(&f->cx, s.planes, &s.brushes, &volume));
	assert_true(volume == 8);
	assert_int_equal(s.next_id, 10);
	mw_scene_free(&f->cx, &s);
}

static void same_again(fix *f, const uint8_t *bytes, size_t n)
{
	mw_wr again;
	mw_hmap h;
	mw_hmap_findings found = {0};
	mw_wr_init(&again, &f->cx);
	mw_hmap_init(&h, &f->cx);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &h, &found, bytes, n));
	assert_ok(&f->cx, mw_hmap_write(&f->cx, &again, &h));
	assert_int_equal(again.n, n);
	assert_memory_equal(again.p, bytes, n);
	mw_free(&f->cx, found.v);
	mw_hmap_free(&f->cx, &h);
	mw_wr_free(&again);
}

/* All chunks of a whole file, each in or out, with an unknown one at any place. */
static void every_subset_of_chunks_comes_back_byte_for_byte(void **state)
{
	fix *f = *state;
	mw_wr sub;
	size_t at[8], size[8], n = 0;
	assert_ok(&f->cx, cellar_file(&f->cx, &f->w, true, true));
	for (size_t p = 12; p < f->w.n; n++) {
		at[n] = p;
		size[n] = 8 +
			(f->w.p[p + 4] | (size_t)f->w.p[p + 5] << 8 | (size_t)f->w.p[p + 6] << 16 |
				(size_t)f->w.p[p + 7] << 24);
		p += size[n];
	}
	assert_int_equal(n, 6);
	uint32_t files = 0;
	for (uint32_t set = 0; set < 64; set++)
		for (uint32_t unknown = 0; unknown <= 7; unknown++) {
			mw_wr_init(&sub, &f->cx);
			head(&sub, set);
			for (uint32_t k = 0; k < 7; k++) {
				if (unknown == k)
					xtra(&sub, "XTRA", "what is this");
				if (k < 6 && set >> k & 1)
					mw_wr_bytes(&sub, f->w.p + at[k], size[k]);
			}
			same_again(f, sub.p, sub.n);
			mw_wr_free(&sub);
			files++;
		}
	print_message("# %u files: 64 sets of META MATS BRSH MESH ENTS CMPL, without and with an "
		      "unknown chunk at each of 7 places: the same bytes again\n",
		files);
}

static void what_follows_a_chunks_content_is_kept_and_told(void **state)
{
	fix *f = *state;
	head(&f->w, 1);
	size_t mark = mw_wr_chunk(&f->w, MW_HMAP_MATS);
	mw_wr_u32(&f->w, 0);
	mw_wr_bytes(&f->w, "rest", 4);
	mw_wr_chunk_end(&f->w, mark);
	meta(&f->w);
	meta(&f->w);
	same_again(f, f->w.p, f->w.n);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &f->h, &f->found, f->w.p, f->w.n));
	assert_int_equal(f->found.n, 2);
	assert_string_equal(f->found.v[0].rule, "hmap-chunk-rest");
	assert_string_equal(f->found.v[1].rule, "hmap-chunk-repeated");
	assert_ok(&f->cx, mw_hmap_codec.verify(&f->cx, f->w.p, f->w.n));
}

static mw_code read_strict(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_hmap h;
	MW_UNUSED(ud);
	mw_hmap_init(&h, cx);
	mw_code rc = mw_hmap_read(cx, &h, NULL, bytes, n);
	mw_hmap_free(cx, &h);
	return rc;
}

static void damaged_files_are_refused_cleanly(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, cellar_file(&f->cx, &f->w, true, false));
	/* a cut between two chunks is a shorter good file */
	prefix_sweep(read_strict, NULL, f->w.p, f->w.n, PREFIX_MAY_READ);
	mw_wr small;
	mw_wr_init(&small, &f->cx);
	head(&small, 1);
	meta(&small);
	brsh(&small, 1.0f);
	mutate_sweep(read_strict, NULL, small.p, small.n);
	mw_wr_free(&small);
}

/* Strict: refused with this text. Collecting: reported, the chunk kept, the rest read. */
static void refused(fix *f, const char *part)
{
	mw_hmap h;
	mw_hmap_findings found = {0};
	mw_hmap_init(&h, &f->cx);
	assert_fails(&f->cx, mw_hmap_read(&f->cx, &h, NULL, f->w.p, f->w.n), MW_EFORMAT, part);
	mw_hmap_free(&f->cx, &h);
	mw_hmap_init(&h, &f->cx);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &h, &found, f->w.p, f->w.n));
	assert_true(found.n >= 1 && found.v[0].level == MW_HMAP_ERROR);
	assert_non_null(strstr(found.v[0].msg, part));
	mw_free(&f->cx, found.v);
	mw_hmap_free(&f->cx, &h);
	same_again(f, f->w.p, f->w.n);
	mw_wr_free(&f->w);
	mw_wr_init(&f->w, &f->cx);
}

static void mesh(mw_wr *w, const uint32_t *index, uint32_t n, uint32_t uvs)
{
	size_t mark = mw_wr_chunk(w, MW_HMAP_MESH);
	mw_wr_u32(w, 1);
	for (int i = 0; i < 3; i++)
		mw_wr_u32(w, i == 0);
	mw_wr_str32(w, "m", 1);
	mw_wr_u32(w, 3);
	for (int i = 0; i < 9; i++)
		mw_wr_f32(w, (float)(i == 3 || i == 7));
	mw_wr_u32(w, 1);
	mw_wr_i32(w, 0);
	mw_wr_u32(w, 0);
	for (int i = 0; i < 5; i++)
		mw_wr_f32(w, 1.0f);
	mw_wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		mw_wr_u32(w, index[i]);
	mw_wr_u32(w, uvs);
	for (uint32_t i = 0; i < 2 * uvs; i++)
		mw_wr_f32(w, 0.5f);
	mw_wr_chunk_end(w, mark);
}

static void each_wrong_field_is_refused_by_name(void **state)
{
	fix *f = *state;
	const uint32_t good[] = {0, 1, 2}, bad[] = {0, 1, 9};
	head(&f->w, 1);
	brsh(&f->w, 1.01f);
	refused(f, "normal has length 1.01");
	head(&f->w, 1);
	mesh(&f->w, good, 3, 2);
	refused(f, "uvCount: 2, must be 0 or idxCount (3)");
	head(&f->w, 1);
	mesh(&f->w, bad, 3, 0);
	refused(f, "9 of 3 vertices");
	head(&f->w, 1);
	mesh(&f->w, good, 2, 0);
	refused(f, "2 corners are no polygon");
	head(&f->w, 1);
	size_t mark = mw_wr_chunk(&f->w, MW_HMAP_MATS);
	mw_wr_u32(&f->w, 1000000000);
	mw_wr_chunk_end(&f->w, mark);
	refused(f, "MATS.n");
	head(&f->w, 1);
	mark = mw_wr_chunk(&f->w, MW_HMAP_META);
	mw_wr_str32(&f->w, "a\0b", 3);
	mw_wr_zeros(&f->w, 24);
	mw_wr_chunk_end(&f->w, mark);
	refused(f, "holds a zero byte");
	head(&f->w, 1);
	mark = mw_wr_chunk(&f->w, MW_HMAP_META);
	mw_wr_str32(&f->w, "", 0);
	mw_wr_u32(&f->w, 0x7fc00000u);
	mw_wr_zeros(&f->w, 20);
	mw_wr_chunk_end(&f->w, mark);
	refused(f, "not a finite number");
	/* the file's own head */
	mw_wr_bytes(&f->w, "HMAP\2\0\0\0\0\0\0\0", 12);
	assert_fails(&f->cx, read_strict(&f->cx, f->w.p, f->w.n, NULL), MW_EUNSUPPORTED, "version");
	f->w.p[0] = 'X';
	assert_fails(&f->cx, read_strict(&f->cx, f->w.p, f->w.n, NULL), MW_EFORMAT, "not a .hmap");
	f->w.n = 0;
	head(&f->w, 1);
	mw_wr_bytes(&f->w, "META\xff\xff\0\0xx", 10);
	assert_fails(&f->cx, read_strict(&f->cx, f->w.p, f->w.n, NULL), MW_EFORMAT,
		"65535 bytes, the file has 2 left");
}

/* A compiled chunk over one box with a tree of given nodes. */
static void cmpl(mw_wr *w, const mw_level_node *node, uint32_t nodes, int32_t root, uint32_t item)
{
	mw_level l = {.root = root, .depth = nodes};
	head(w, 2);
	size_t mark = mw_wr_chunk(w, MW_HMAP_CMPL);
	mw_wr_zeros(w, 12);
	mw_wr_f32(w, 1.0f);
	mw_wr_zeros(w, 1 + 24 + 4);
	mw_wr_u32(w, 1);
	mw_wr_zeros(w, 4 + 24 + 4);
	mw_wr_i32(w, l.root);
	mw_wr_u32(w, l.depth);
	mw_wr_zeros(w, 24);
	mw_wr_u32(w, 1);
	mw_wr_f32(w, 1.0f);
	mw_wr_zeros(w, 12);
	mw_wr_u32(w, nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		mw_wr_i32(w, node[i].plane);
		mw_wr_i32(w, node[i].child[0]);
		mw_wr_i32(w, node[i].child[1]);
	}
	mw_wr_u32(w, 2);
	mw_wr_zeros(w, 8);
	mw_wr_u32(w, 0);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, item);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, 1);
	mw_wr_u32(w, 7);
	for (int i = 0; i < 6; i++)
		mw_wr_f32(w, (float)((i > 2) - (i == 0) * 2 - (i == 1) - (i == 2) - (i == 3)));
	mw_wr_u32(w, 6);
	const float planes[6][4] = {{1, 0, 0, 0}, {-1, 0, 0, 2}, {0, 1, 0, 1}, {0, -1, 0, 1},
		{0, 0, 1, 1}, {0, 0, -1, 1}};
	for (int i = 0; i < 6; i++)
		mw_wr_f32v(w, planes[i], 4);
	mw_wr_zeros(w, 8);
	mw_wr_chunk_end(w, mark);
}

static void trees_that_are_none_are_refused(void **state)
{
	fix *f = *state;
	mw_level_node one = {0, {-1, -2}};
	const mw_level_node ring[2] = {{0, {-1, 1}}, {0, {0, -2}}}, twice[2] = {{0, {1, 1}}, one};
	const mw_level_node plane[1] = {{1, {-1, -2}}}, leaf[1] = {{0, {-1, -3}}};
	const mw_level_node self[1] = {{0, {0, -1}}};
	cmpl(&f->w, ring, 2, 0, 0);
	refused(f, "two parents");
	cmpl(&f->w, twice, 2, 0, 0);
	refused(f, "two parents");
	cmpl(&f->w, self, 1, 0, 0);
	refused(f, "two parents");
	cmpl(&f->w, plane, 1, 0, 0);
	refused(f, "plane 1 of 1");
	cmpl(&f->w, leaf, 1, 0, 0);
	refused(f, "child -3");
	cmpl(&f->w, &one, 1, 1, 0);
	refused(f, "root 1");
	cmpl(&f->w, &one, 1, 0, 5);
	refused(f, "brush 5 of 1");
	/* and one that is: front is on the plane too, solid is strictly behind all planes */
	cmpl(&f->w, &one, 1, 0, 0);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &f->h, NULL, f->w.p, f->w.n));
	mw_level_query q;
	assert_ok(&f->cx, mw_level_query_init(&f->cx, &q, &f->h.level));
	mw_vec3 p = mw_v3(0, 0, 0);
	assert_int_equal(mw_level_contents(&q, &p, NULL), 0);
	p.x = -0.001;
	assert_int_equal(mw_level_contents(&q, &p, NULL), 1);
	p.x = -2;
	assert_int_equal(mw_level_contents(&q, &p, NULL), 0);
	mw_level_query_free(&f->cx, &q);
}

static void doubtful_content_is_told_but_read(void **state)
{
	fix *f = *state;
	head(&f->w, 3);
	meta(&f->w);
	size_t mark = mw_wr_chunk(&f->w, MW_HMAP_BRSH);
	mw_wr_u32(&f->w, 3);
	brush(&f->w, 4, 77, 1.0f, -1);
	brush(&f->w, 4, 0, 1.0f, 5);
	brush(&f->w, 12, 0, 1.0f, -1);
	mw_wr_chunk_end(&f->w, mark);
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &f->h, &f->found, f->w.p, f->w.n));
	static const char *const want[] = {
		"hmap-id-repeated", "hmap-id-range", "hmap-owner", "hmap-material", "hmap-flags"};
	assert_int_equal(f->found.n, MW_COUNTOF(want));
	for (size_t i = 0; i < f->found.n; i++) {
		assert_string_equal(f->found.v[i].rule, want[i]);
		assert_int_equal(f->found.v[i].level, MW_HMAP_WARNING);
	}
	mw_scene s;
	assert_ok(&f->cx, mw_scene_init(&f->cx, &s, NULL));
	assert_ok(&f->cx, mw_hmap_to_scene(&f->cx, &s, &f->h));
	assert_int_equal(s.brush.v[0].owner, 0);
	assert_int_equal(s.face.v[6].material, -1);
	assert_int_equal(s.next_id, 13);
	mw_scene_free(&f->cx, &s);
}

static void a_scene_goes_to_a_file_and_back_and_is_the_same_file(void **state)
{
	fix *f = *state;
	for (int compiled = 0; compiled < 2; compiled++) {
		mw_scene s;
		mw_hmap h, again;
		mw_wr out;
		mw_level_options o = mw_level_options_default();
		o.bake = true;
		mw_wr_init(&out, &f->cx);
		mw_hmap_init(&h, &f->cx);
		mw_hmap_init(&again, &f->cx);
		f->w.n = 0;
		assert_ok(&f->cx, cellar_file(&f->cx, &f->w, compiled, true));
		assert_ok(&f->cx, mw_hmap_read(&f->cx, &h, NULL, f->w.p, f->w.n));
		assert_ok(&f->cx, mw_scene_init(&f->cx, &s, NULL));
		assert_ok(&f->cx, mw_hmap_to_scene(&f->cx, &s, &h));
		assert_ok(&f->cx, mw_hmap_from_scene(&f->cx, &again, &s, NULL));
		if (compiled)
			assert_ok(&f->cx, mw_hmap_compile(&f->cx, &again, &o, NULL));
		assert_ok(&f->cx, mw_hmap_write(&f->cx, &out, &again));
		assert_int_equal(out.n, f->w.n);
		assert_memory_equal(out.p, f->w.p, out.n);
		mw_scene_free(&f->cx, &s);
		mw_hmap_free(&f->cx, &h);
		mw_hmap_free(&f->cx, &again);
		mw_wr_free(&out);
	}
}

static void content_leaves_out_the_other_half(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, cellar_file(&f->cx, &f->w, false, false));
	assert_ok(&f->cx, mw_hmap_read(&f->cx, &f->h, NULL, f->w.p, f->w.n));
	assert_fails(&f->cx, mw_hmap_set_content(&f->cx, &f->h, MW_HMAP_COMPILED), MW_EINVALID,
		"not compiled");
	assert_ok(&f->cx, mw_hmap_compile(&f->cx, &f->h, NULL, NULL));
	assert_ok(&f->cx, mw_hmap_set_content(&f->cx, &f->h, MW_HMAP_BOTH));
	assert_int_equal(f->h.flags, 3);
	assert_int_equal(f->h.chunk.n, 6);
	assert_ok(&f->cx, mw_hmap_set_content(&f->cx, &f->h, MW_HMAP_COMPILED));
	assert_int_equal(f->h.flags, 2);
	assert_int_equal(f->h.chunk.n, 4);
	assert_fails(&f->cx, mw_hmap_set_content(&f->cx, &f->h, MW_HMAP_SOURCE), MW_EINVALID,
		"compiled data only");
	assert_fails(&f->cx, mw_hmap_compile(&f->cx, &f->h, NULL, NULL), MW_EINVALID,
		"compiled data only");
}

static void what_a_file_cannot_hold_is_named(void **state)
{
	fix *f = *state;
	mw_scene s;
	mw_losses l = {0};
	mw_str text;
	mw_str_init(&text, &f->cx);
	assert_ok(&f->cx, mw_scene_init(&f->cx, &s, NULL));
	assert_ok(&f->cx, level_cellar(&f->cx, &s));
	mw_face_info *face = &s.face.v[s.brushes.side.v[0].tag];
	face->project = MW_PROJECT_AXES;
	face->map.u = mw_v3(1, 0.5, 0.2);
	face->map.v = mw_v3(0.9, 0.5, 0.3);
	face->has_surface = true;
	mw_group g = {.name = "layer"};
	assert_true(MW_PUSH(&f->cx, &s.group, g));
	assert_ok(&f->cx, mw_hmap_from_scene(&f->cx, &f->h, &s, &l));
	mw_loss_text(&text, &l);
	assert_string_equal(text.p, "36 faces with skewed texture axes, 36 surface words, 1 group");
	mw_free(&f->cx, l.v);
	mw_hmap_free(&f->cx, &f->h);
	mw_hmap_init(&f->h, &f->cx);
	s.units_per_metre = 1e300;
	assert_fails(&f->cx, mw_hmap_from_scene(&f->cx, &f->h, &s, NULL), MW_ERANGE, "float32");
	mw_str_free(&text);
	mw_scene_free(&f->cx, &s);
}

static mw_code whole(mw_ctx *cx, void *ud)
{
	mw_wr w;
	mw_hmap h;
	mw_scene s = {0};
	MW_UNUSED(ud);
	mw_wr_init(&w, cx);
	mw_hmap_init(&h, cx);
	mw_hmap_findings found = {0};
	mw_code rc = cellar_file(cx, &w, true, false);
	rc = rc ? rc : mw_hmap_read(cx, &h, &found, w.p, w.n);
	rc = rc ? rc : mw_scene_init(cx, &s, NULL);
	rc = rc ? rc : mw_hmap_to_scene(cx, &s, &h);
	mw_scene_free(cx, &s);
	mw_hmap_free(cx, &h);
	mw_free(cx, found.v);
	mw_wr_free(&w);
	return rc;
}

static mw_code lint_of_it(mw_ctx *cx, void *ud)
{
	mw_wr w;
	mw_hmap h;
	mw_shape_limits o = {
		.micro = 0.25, .sliver = 0.05, .gap = 0.05, .grid = 0.125, .limit = 4096};
	uint32_t count;
	MW_UNUSED(ud);
	mw_wr_init(&w, cx);
	mw_hmap_init(&h, cx);
	mw_hmap_findings found = {0};
	mw_code rc = cellar_file(cx, &w, true, false);
	rc = rc ? rc : mw_hmap_read(cx, &h, NULL, w.p, w.n);
	rc = rc ? rc : mw_hmap_lint(cx, &h, &o, 0.01, &found);
	rc = rc ? rc : mw_hmap_lint_compiled(cx, &h, &found);
	rc = rc ? rc : mw_hmap_mend(cx, &h, 0.01, 0.125, &count);
	mw_hmap_free(cx, &h);
	mw_free(cx, found.v);
	mw_wr_free(&w);
	return rc;
}

static void lint_survives_running_out_of_memory(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(lint_of_it, NULL) > 100);
}

static void reading_and_writing_survive_running_out_of_memory(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(whole, NULL) > 100);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(known_bytes_decode),
		T(every_subset_of_chunks_comes_back_byte_for_byte),
		T(what_follows_a_chunks_content_is_kept_and_told),
		T(damaged_files_are_refused_cleanly),
		T(each_wrong_field_is_refused_by_name),
		T(trees_that_are_none_are_refused),
		T(doubtful_content_is_told_but_read),
		T(a_scene_goes_to_a_file_and_back_and_is_the_same_file),
		T(content_leaves_out_the_other_half),
		T(what_a_file_cannot_hold_is_named),
		T(lint_survives_running_out_of_memory),
		T(reading_and_writing_survive_running_out_of_memory),
	};
	return cmocka_run_group_tests_name("hmap", tests, NULL, NULL);
}
