/* .map text: every dialect out of every dialect, numbers that read back the same. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_wr *out;
	const mw_qmap *m;
	mw_qmap_write_opts o;
	mw_qmap_lost *lost;
	double step; /* 10^decimals; 0: exact */
	bool moved;  /* a coordinate of the face at hand was rounded */
} writer;

static bool is_valve(mw_qmap_dialect d)
{
	return d == MW_QMAP_VALVE220 || d == MW_QMAP_QUAKE2_VALVE || d == MW_QMAP_QUAKE3_VALVE;
}

/* ---- text and numbers ------------------------------------------------------------------------ */

static void put(writer *w, const char *s)
{
	mw_wr_bytes(w->out, s, strlen(s));
}

static void put_sv(writer *w, mw_sv s)
{
	mw_wr_bytes(w->out, s.p, s.n);
}

static void exact(writer *w, double v)
{
	char text[MW_NUM_TEXT];
	int64_t i = v > -1e9 && v < 1e9 ? (int64_t)v : INT64_MAX;

	if ((double)i == v) {
		/* most numbers are small and whole; -0 comes out as 0 */
		char *p = text + sizeof text;
		uint64_t u = (uint64_t)(i < 0 ? -i : i);
		do
			*--p = (char)('0' + u % 10);
		while ((u /= 10) > 0);
		if (i < 0)
			*--p = '-';
		mw_wr_bytes(w->out, p, (size_t)(text + sizeof text - p));
		return;
	}
	mw_wr_bytes(w->out, text, mw_num_text(v, text));
}

/* The nearest number with so many decimals. */
static double rounded(const writer *w, double v)
{
	if (w->step <= 0 || !(fabs(v) < 1e15))
		return v;
	double r = floor(v * w->step + 0.5) / w->step;
	return r == 0 ? 0 : r;
}

static void number(writer *w, double v)
{
	exact(w, rounded(w, v));
}

static void coordinate(writer *w, double v)
{
	double r = rounded(w, v), by = fabs(r - v);

	if (r != v) {
		w->moved = true;
		if (by > w->lost->moved_by)
			w->lost->moved_by = by;
	}
	exact(w, r);
}

/* A string in quotes. A backslash is doubled only where it would be read as an escape, so that
 * readers that know no escapes see paths as they are. */
static bool quoted(writer *w, mw_sv s)
{
	bool changed = false;

	mw_wr_u8(w->out, '"');
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : '"';

		if (c == '"' ||
			(c == '\\' &&
				(next == '\\' || next == '"' || (i > 0 && s.p[i - 1] == '\\'))))
			mw_wr_u8(w->out, '\\');
		mw_wr_u8(w->out, (uint8_t)c);
		if (c == '"' && i + 1 < s.n && (next == '\n' || next == '\r' || next == '}')) {
			/* would be read as the end of the string */
			mw_wr_u8(w->out, ' ');
			changed = true;
		}
	}
	mw_wr_u8(w->out, '"');
	return changed;
}

static bool needs_quotes(mw_sv s)
{
	if (s.n == 0 || s.p[0] == ';' || (s.n > 1 && s.p[0] == '/' && s.p[1] == '/'))
		return true;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || s.p[i] == '"' || s.p[i] == '\\')
			return true;
	return false;
}

/* A name for readers without quotes: blanks to one "_", quotes gone. */
static void plain_name(writer *w, mw_sv s)
{
	bool blank = false, any = false;

	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] <= ' ') {
			blank = any;
		} else if (s.p[i] != '"') {
			if (blank)
				mw_wr_u8(w->out, '_');
			blank = false;
			if (!any && (s.p[i] == ';' || s.p[i] == '/'))
				mw_wr_u8(w->out, '_');
			any = true;
			mw_wr_u8(w->out, (uint8_t)s.p[i]);
		}
	}
	if (!any)
		put(w, "__default");
}

static void texture(writer *w, mw_sv s, bool always)
{
	if (!w->o.no_quotes && (always || needs_quotes(s))) {
		w->lost->names += quoted(w, s);
	} else if (!needs_quotes(s)) {
		put_sv(w, s);
	} else {
		bool only_backslash = true;
		for (size_t i = 0; i < s.n; i++)
			only_backslash &= (unsigned char)s.p[i] > ' ' && s.p[i] != '"';
		w->lost->names += !(s.n && only_backslash);
		plain_name(w, s);
	}
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool try_points(mw_ctx *cx, mw_planes *t, mw_plane_id id, mw_vec3 p[3], mw_code *code)
{
	mw_plane_id got;

	*code = mw_planes_add_points(cx, t, &got, p);
	if (*code)
		return false;
	if (got == (id ^ 1)) {
		mw_vec3 swap = p[0];
		p[0] = p[2];
		p[2] = swap;
		return true;
	}
	return got == id;
}

/* Points along the two axes where the plane is least steep, around the middle of the face. */
static void spread(const mw_plane *pl, mw_vec3 mid, mw_vec3 p[3])
{
	int k = fabs(pl->n.x) > fabs(pl->n.y) ? (fabs(pl->n.x) > fabs(pl->n.z) ? 0 : 2)
					      : (fabs(pl->n.y) > fabs(pl->n.z) ? 1 : 2);
	int i = (k + 1) % 3, j = (k + 2) % 3;

	for (int a = 0; a < 3; a++) {
		mw_vec3 q = mw_v3(floor(mid.x + 0.5), floor(mid.y + 0.5), floor(mid.z + 0.5));
		if (a == 0)
			q.v[i] += 64;
		if (a == 2)
			q.v[j] += 64;
		q.v[k] = (pl->d - pl->n.v[i] * q.v[i] - pl->n.v[j] * q.v[j]) / pl->n.v[k];
		p[a] = q;
	}
}

mw_code mw__qmap_points(
	mw_ctx *cx, mw_planes *t, mw_plane_id id, const mw_poly *face, mw_vec3 p[3], bool *exactly)
{
	mw_code code = MW_OK;
	mw_plane pl = mw_planes_get(t, id);
	uint32_t n = face ? face->n : 0;

	*exactly = true;
	/* corners far from one another first: they say the plane best */
	for (uint32_t a = 0; a < n && a < 8; a++)
		for (uint32_t s = 0; s < 2; s++) {
			uint32_t b = (a + (s ? 1 : n / 3 ? n / 3 : 1)) % n;
			uint32_t c = (b + (s ? 1 : n / 3 ? n / 3 : 1)) % n;
			if (c == a || b == a)
				continue;
			p[0] = face->v[c].at;
			p[1] = face->v[b].at;
			p[2] = face->v[a].at;
			if (try_points(cx, t, id, p, &code) || code)
				return code;
		}
	mw_vec3 mid = mw_scale3(pl.n, pl.d);
	if (n)
		mid = mw_poly_centre(face);
	spread(&pl, mid, p);
	if (try_points(cx, t, id, p, &code) || code)
		return code;
	/* whole coefficients: points at multiples of them have no fractions */
	mw_plane raw = mw_planes_raw(t, id);
	spread(&raw, mw_v3(0, 0, 0), p);
	if (try_points(cx, t, id, p, &code) || code)
		return code;
	*exactly = false;
	spread(&pl, mid, p);
	mw_vec3 normal = mw_cross3(mw_sub3(p[0], p[1]), mw_sub3(p[2], p[1]));
	if (mw_dot3(normal, pl.n) < 0) {
		mw_vec3 swap = p[0];
		p[0] = p[2];
		p[2] = swap;
	}
	return code;
}

/* ---- faces ----------------------------------------------------------------------------------- */

static void axis(writer *w, mw_vec3 a, double offset)
{
	put(w, " [ ");
	for (int i = 0; i < 3; i++) {
		exact(w, a.v[i]);
		mw_wr_u8(w->out, ' ');
	}
	number(w, offset);
	put(w, " ]");
}

static void valve_alignment(writer *w, const mw_qmap_brush *b, const mw_qmap_face *f, mw_vec3 n)
{
	double rotation = f->rotation;
	mw_vec3 u = mw_v3(f->u[0], f->u[1], f->u[2]), v = mw_v3(f->v[0], f->v[1], f->v[2]);
	mw_texset s = {{f->u[3], f->v[3]}, {f->scale[0], f->scale[1]}, 0};

	if (f->axes == MW_QMAP_AXES_CLASSIC && !f->tx) {
		/* the turned axes of the normal with the same offset and scale: the same numbers */
		mw_texset turn = {{0, 0}, {1, 1}, f->rotation};
		mw_texmap t = mw_texmap_classic(n, &turn);
		u = t.u;
		v = t.v;
		memcpy(s.offset, f->offset, sizeof s.offset);
		/* 0 is 1 in classic texts; readers of Valve's divide by it */
		for (int i = 0; i < 2; i++)
			s.scale[i] = s.scale[i] == 0 ? 1 : s.scale[i];
	} else if (f->axes != MW_QMAP_AXES_VALVE) {
		mw_texmap t = mw_qmap_texmap(w->m, b, f, n, NULL);
		mw_texmap_to_valve(&t, &u, &v, &s);
		rotation = 0;
		for (int i = 0; i < 2; i++) {
			s.offset[i] = mw__qmap_tidy(s.offset[i]);
			s.scale[i] = mw__qmap_tidy(s.scale[i]);
		}
	}
	axis(w, u, s.offset[0]);
	axis(w, v, s.offset[1]);
	mw_wr_u8(w->out, ' ');
	number(w, rotation);
	for (int i = 0; i < 2; i++) {
		mw_wr_u8(w->out, ' ');
		exact(w, s.scale[i]);
	}
}

static void classic_alignment(
	writer *w, const mw_qmap_brush *b, const mw_qmap_face *f, mw_vec3 n, double d, bool keep_tx)
{
	mw_texset s = {{f->offset[0], f->offset[1]}, {f->scale[0], f->scale[1]}, f->rotation};

	if (f->axes != MW_QMAP_AXES_CLASSIC || (f->tx && !keep_tx)) {
		mw_texmap t = mw_qmap_texmap(w->m, b, f, n, NULL);
		w->lost->skewed += !mw_texmap_to_classic(&t, n, d, 1e-9, &s);
		for (int i = 0; i < 2; i++) {
			s.offset[i] = mw__qmap_tidy(s.offset[i]);
			s.scale[i] = mw__qmap_tidy(s.scale[i]);
		}
		s.rotation = mw__qmap_tidy(s.rotation);
	}
	mw_wr_u8(w->out, ' ');
	number(w, s.offset[0]);
	mw_wr_u8(w->out, ' ');
	number(w, s.offset[1]);
	mw_wr_u8(w->out, ' ');
	exact(w, s.rotation);
	for (int i = 0; i < 2; i++) {
		mw_wr_u8(w->out, ' ');
		exact(w, s.scale[i]);
	}
}

/* The rows of a brush primitive's matrix, for textures of 64 x 64. */
static void matrix(writer *w, const mw_qmap_brush *b, const mw_qmap_face *f, mw_vec3 n, double d)
{
	double row[2][3];

	if (f->axes == MW_QMAP_AXES_MATRIX) {
		memcpy(row[0], f->u, sizeof row[0]);
		memcpy(row[1], f->v, sizeof row[1]);
	} else {
		mw_texmap t = mw_qmap_texmap(w->m, b, f, n, NULL);
		mw__qmap_matrix(&t, n, d, row);
		for (int i = 0; i < 2; i++)
			for (int j = 0; j < 3; j++)
				row[i][j] = mw__qmap_tidy(row[i][j]);
	}
	put(w, "( ");
	for (int i = 0; i < 2; i++) {
		put(w, "( ");
		for (int j = 0; j < 3; j++) {
			exact(w, row[i][j]);
			mw_wr_u8(w->out, ' ');
		}
		put(w, ") ");
	}
	put(w, ") ");
}

static void extras(writer *w, const mw_qmap_face *f, bool as_read)
{
	int n = as_read ? f->num_extra : mw_qmap_extras_of(w->o.dialect);
	/* Hexen's one number is no contents */
	bool same = (n == 1) == (f->num_extra == 1), lost = false;

	for (int i = 0; i < MW_QMAP_EXTRA; i++) {
		double v = i < f->num_extra ? f->extra[i] : 0;
		lost |= v != 0 && (i >= n || !same);
		if (i < n) {
			mw_wr_u8(w->out, ' ');
			exact(w, same ? v : 0);
		}
	}
	w->lost->extras += lost;
}

/* The plane of a face as three points or four numbers; it has one where these are other than read.
 */
static mw_code face_plane(writer *w, const mw_qmap_brush *b, const mw_qmap_face *f, bool four)
{
	mw_vec3 p[3], n;
	double d;

	if (four) {
		double v[4];
		memcpy(v, f->plane, sizeof v);
		if (b->kind != MW_QMAP_BRUSHDEF3) {
			(void)mw_qmap_plane(b, f, &n, &d);
			double len = mw_len3(n);
			w->lost->planes += (n.x != 0) + (n.y != 0) + (n.z != 0) > 1;
			for (int i = 0; i < 3; i++)
				v[i] = n.v[i] / len;
			v[3] = 0 - d / len;
		}
		put(w, "( ");
		for (int i = 0; i < 4; i++) {
			exact(w, v[i]);
			mw_wr_u8(w->out, ' ');
		}
		put(w, ") ");
		return MW_OK;
	}
	memcpy(p, f->p, sizeof p);
	if (b->kind == MW_QMAP_BRUSHDEF3) {
		mw_planes t;
		mw_plane_id id;
		bool exactly = false;
		mw_code code = mw_planes_init(w->cx, &t);
		if (!code)
			code = mw_planes_add(w->cx, &t, &id,
				mw_v3(f->plane[0], f->plane[1], f->plane[2]), 0 - f->plane[3]);
		if (!code && id == MW_PLANE_NONE)
			code = mw_fail_at(w->cx, MW_EINVALID, f->line, MW_ERR_NOWHERE,
				"the plane of the face has no direction");
		if (!code)
			code = mw__qmap_points(w->cx, &t, id, NULL, p, &exactly);
		mw_planes_free(w->cx, &t);
		if (code)
			return code;
		w->lost->planes += !exactly;
	}
	w->moved = false;
	for (int i = 0; i < 3; i++) {
		put(w, "( ");
		for (int j = 0; j < 3; j++) {
			coordinate(w, p[i].v[j]);
			mw_wr_u8(w->out, ' ');
		}
		put(w, ") ");
	}
	w->lost->moved += w->moved;
	return MW_OK;
}

static mw_code face(writer *w, const mw_qmap_brush *b, const mw_qmap_face *f, mw_qmap_kind kind)
{
	bool as_read = w->o.dialect == MW_QMAP_AS_READ, keep_tx = as_read;
	mw_vec3 n;
	double d;
	bool flat = !mw_qmap_plane(b, f, &n, &d);

	if (flat && (kind == MW_QMAP_BRUSHDEF3) != (b->kind == MW_QMAP_BRUSHDEF3)) {
		w->lost->flat++;
		return MW_OK;
	}
	mw_code code = face_plane(w, b, f, kind == MW_QMAP_BRUSHDEF3);
	if (code)
		return code;
	if (flat) {
		n = mw_v3(0, 0, 1);
		d = 0;
	}
	if (kind != MW_QMAP_FACES) {
		matrix(w, b, f, n, d);
		texture(w, f->texture, kind == MW_QMAP_BRUSHDEF3);
	} else {
		texture(w, f->texture, false);
		if (as_read ? f->axes == MW_QMAP_AXES_VALVE : is_valve(w->o.dialect))
			valve_alignment(w, b, f, n);
		else
			classic_alignment(w, b, f, n, d, keep_tx);
	}
	extras(w, f, as_read);
	if (keep_tx && f->tx)
		put(w, f->tx == 1 ? " //TX1" : " //TX2");
	put(w, "\n");
	return MW_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void patch(writer *w, const mw_qmap_brush *b)
{
	const mw_qmap_control *c = w->m->control.v + b->first;

	put(w, b->kind == MW_QMAP_PATCH3 ? "patchDef3\n{\n" : "patchDef2\n{\n");
	texture(w, b->texture, w->o.dialect == MW_QMAP_DOOM3 || w->o.dialect == MW_QMAP_QUAKE4);
	put(w, "\n( ");
	exact(w, b->w);
	put(w, " ");
	exact(w, b->h);
	for (int i = 0; i < 2 && b->kind == MW_QMAP_PATCH3; i++) {
		put(w, " ");
		exact(w, b->sub[i]);
	}
	for (int i = 0; i < 3; i++) {
		put(w, " ");
		exact(w, b->extra[i]);
	}
	put(w, " )\n(\n");
	for (uint32_t i = 0; i < b->w; i++) {
		put(w, "( ");
		for (uint32_t j = 0; j < b->h; j++, c++) {
			double v[5] = {c->at.x, c->at.y, c->at.z, c->uv.x, c->uv.y};
			put(w, "( ");
			for (int k = 0; k < 5; k++) {
				exact(w, v[k]);
				put(w, " ");
			}
			put(w, ") ");
		}
		put(w, ")\n");
	}
	put(w, ")\n}\n");
}

static mw_code brush(writer *w, const mw_qmap_brush *b, uint32_t *number_of)
{
	bool as_read = w->o.dialect == MW_QMAP_AS_READ;
	bool is_patch = b->kind == MW_QMAP_PATCH2 || b->kind == MW_QMAP_PATCH3;
	mw_qmap_kind kind = b->kind;
	char text[48];
	mw_code code = MW_OK;

	if (b->rejected)
		return MW_OK;
	if (!as_read && !is_patch && kind != MW_QMAP_RAW)
		kind = w->o.dialect == MW_QMAP_QUAKE3 ? MW_QMAP_BRUSHDEF
			: w->o.dialect == MW_QMAP_DOOM3 || w->o.dialect == MW_QMAP_QUAKE4
			? MW_QMAP_BRUSHDEF3
			: MW_QMAP_FACES;
	if (!as_read && kind == MW_QMAP_RAW) {
		w->lost->raw++;
		return MW_OK;
	}
	if (!as_read && is_patch && !mw_qmap_has_patches(w->o.dialect)) {
		w->lost->patches++;
		return MW_OK;
	}
	if (!w->o.no_comments) {
		mw_format(text, sizeof text, "// brush %u\n", (*number_of)++);
		put(w, text);
	}
	put(w, "{\n");
	if (kind == MW_QMAP_RAW) {
		put_sv(w, b->raw);
		put(w, "\n");
	} else if (is_patch) {
		patch(w, b);
	} else {
		if (kind != MW_QMAP_FACES)
			put(w, kind == MW_QMAP_BRUSHDEF ? "brushDef\n{\n" : "brushDef3\n{\n");
		for (uint32_t i = 0; i < b->count && !code; i++)
			code = face(w, b, &w->m->face.v[b->first + i], kind);
		if (kind != MW_QMAP_FACES)
			put(w, "}\n");
	}
	put(w, "}\n");
	return code;
}

static void pair(writer *w, mw_sv key, mw_sv value)
{
	w->lost->values += quoted(w, key);
	put(w, " ");
	w->lost->values += quoted(w, value);
	put(w, "\n");
}

static mw_code entity(writer *w, uint32_t index)
{
	const mw_qmap_entity *e = &w->m->entity.v[index];
	bool as_read = w->o.dialect == MW_QMAP_AS_READ;
	bool world = mw_sv_eq(mw_qmap_get(w->m, e, "classname"), mw_sv_of("worldspawn"));
	bool version = !as_read && world && is_valve(w->o.dialect);
	const mw_sv key = mw_sv_of("mapversion");
	uint32_t n = 0, last = 0;
	char text[48];
	mw_code code = MW_OK;

	for (uint32_t i = 0; i < e->pairs; i++)
		if (mw_sv_eq(w->m->pair.v[e->first_pair + i].key, key))
			last = i + 1;
	if (!w->o.no_comments) {
		mw_format(text, sizeof text, "// entity %u\n", index);
		put(w, text);
	}
	put(w, "{\n");
	for (uint32_t i = 0; i < e->pairs; i++) {
		const mw_qmap_pair *p = &w->m->pair.v[e->first_pair + i];

		if (as_read || !world || !mw_sv_eq(p->key, key))
			pair(w, p->key, p->value);
		else if (version && i + 1 == last)
			pair(w, key, mw_sv_of("220"));
		if (version && last == 0 && i == 0)
			pair(w, key, mw_sv_of("220"));
	}
	for (uint32_t i = 0; i < e->brushes && !code; i++)
		code = brush(w, &w->m->brush.v[e->first_brush + i], &n);
	put(w, "}\n");
	return code;
}

static void header(writer *w)
{
	static const char *const games[MW_QMAP_DIALECTS] = {"Quake", "Quake", "Quake 2", "Quake 2",
		"Hexen 2", "Daikatana", "Quake 3", "Quake 3", "Quake 3", "Doom 3", "Quake 4"};
	bool as_read = w->o.dialect == MW_QMAP_AS_READ;
	mw_qmap_dialect d = as_read ? w->m->dialect : w->o.dialect;

	if (as_read ? w->m->version != 0 : d == MW_QMAP_DOOM3 || d == MW_QMAP_QUAKE4) {
		int version = as_read ? w->m->version : d == MW_QMAP_QUAKE4 ? 3 : 2;
		char text[32];
		mw_format(text, sizeof text, "Version %d\n", version);
		put(w, text);
		return;
	}
	if (w->o.no_comments || (as_read && !w->m->game.n && !w->m->format.n))
		return;
	put(w, "// Game: ");
	if (w->m->game.n)
		put_sv(w, w->m->game);
	else
		put(w, games[d]);
	put(w, "\n// Format: ");
	if (as_read && w->m->format.n)
		put_sv(w, w->m->format);
	else
		put(w, mw_qmap_format_name(d));
	put(w, "\n");
}

mw_code mw_qmap_write(mw_ctx *cx, mw_wr *out, const mw_qmap *m, const mw_qmap_write_opts *opts,
	mw_qmap_lost *lost)
{
	mw_qmap_lost none = {0};
	writer w = {.cx = cx, .out = out, .m = m, .lost = lost ? lost : &none};
	mw_code code = MW_OK;

	if (opts)
		w.o = *opts;
	else
		w.o = (mw_qmap_write_opts){.dialect = MW_QMAP_AS_READ, .decimals = -1};
	if (w.o.decimals >= 0) {
		w.step = 1;
		for (int i = 0; i < w.o.decimals && i < 15; i++)
			w.step *= 10;
	}
	header(&w);
	for (uint32_t i = 0; i < m->entity.n && !code; i++)
		code = entity(&w, i);
	return code ? code : mw_wr_code(out);
}
