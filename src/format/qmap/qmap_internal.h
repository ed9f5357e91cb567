/* Shared by the files of this room only. */
#ifndef MW_FORMAT_QMAP_QMAP_INTERNAL_H
#define MW_FORMAT_QMAP_QMAP_INTERNAL_H

#include "format/qmap/qmap.h"

typedef enum {
	MW__QMAP_END,
	MW__QMAP_PUNCT,  /* one of { } ( ) [ ] in ch */
	MW__QMAP_STRING, /* quoted, escapes undone */
	MW__QMAP_WORD
} mw__qmap_token;

/* A cursor over text that ends with a NUL. */
typedef struct {
	char *p, *end;
	char *line_start;
	uint32_t line;
	/* the token looked at last */
	mw__qmap_token kind;
	char ch;
	mw_sv text;
	uint32_t at_line, at_col;
	bool cut;  /* a string that does not end */
	bool keep; /* pass over strings without undoing their escapes: text is of no use */
} mw__qmap_lex;

void mw__qmap_lex_init(mw__qmap_lex *lx, char *text, size_t n);
/* Past blanks and comments. */
void mw__qmap_blank(mw__qmap_lex *lx);
/* Take the next token. */
void mw__qmap_next(mw__qmap_lex *lx);
/* Past blanks: the next byte, 0 at the end; at_line and at_col are its place. */
char mw__qmap_peek(mw__qmap_lex *lx);
/* A number, past blanks: 1 and *out; 0 and nothing taken when no number word follows; -1 and the
 * word (in text) taken when it is no number: nan, 12abc. */
int mw__qmap_number(mw__qmap_lex *lx, double *out);
/* A texture name: the next quoted string or run of bytes up to a blank. */
bool mw__qmap_texture(mw__qmap_lex *lx);
/* To the end of the line, not past it. */
void mw__qmap_skip_line(mw__qmap_lex *lx);

/* Three points, clockwise seen from the front, of plane id: corners of face (may be NULL) where
 * that is exact. False: they are the nearest that doubles have. Adds planes that it tries to t. */
MW_NODISCARD mw_code mw__qmap_points(
	mw_ctx *cx, mw_planes *t, mw_plane_id id, const mw_poly *face, mw_vec3 p[3], bool *exact);

/* Rows of a brush primitive's matrix, in repeats of 64 texels, that give on the plane dot(n, p) = d
 * what t gives. */
void mw__qmap_matrix(const mw_texmap *t, mw_vec3 n, double d, double row[2][3]);

/* The way between file and scene. k: scene units for one of the file. */
typedef struct {
	double k;
	bool own;   /* file axes are ours */
	bool power; /* k is a power of two: nothing is rounded */
} mw__qmap_way;

mw_vec3 mw__qmap_turn_in(const mw__qmap_way *w, mw_vec3 p);
mw_vec3 mw__qmap_turn_out(const mw__qmap_way *w, mw_vec3 p);
/* v without the noise of its last places, when a text of 12 digits is that close. */
double mw__qmap_tidy(double v);

/* Pitch, yaw, roll in our terms that an entity's keys say (its class in our words); what an entity
 * without such keys has, otherwise. */
mw_vec3 mw__qmap_angles(const mw_entity *e, bool brushes);
/* Whether a key is one of those. */
bool mw__qmap_is_angle_key(const mw_entity *e, const char *key);

/* The bits of contents that texture names and classes stand for. */
bool mw__qmap_hidden_name(mw_sv texture);
bool mw__qmap_clip_name(mw_sv texture);
uint32_t mw__qmap_contents_of(mw_sv texture);

/* Report what mw_shape_lint and its kin found, with the line of the brush or face. brush says which
 * entity and brush that is; index: of the brush in the model; name stands before the message. */
MW_NODISCARD mw_code mw__qmap_shape(mw_ctx *cx, mw_qmap_findings *found, const mw_qmap *m,
	const mw_qmap_finding *brush, uint32_t index, const char *name, const mw_shape_finding *f);

#endif
