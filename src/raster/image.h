/* Pictures: RGBA8 and exact grey; decoding from memory, size checks, resampling. */
#ifndef MW_RASTER_IMAGE_H
#define MW_RASTER_IMAGE_H

#include "base/ctx.h"

/* Colour picture: RGBA, 8 bits each, rows top to bottom without padding. Zeroed = empty. */
typedef struct {
	uint32_t w, h; /* [unit: px] */
	uint8_t *px;   /* 4 * w * h bytes [owned: image, mw_image_free] */
} mw_image;

/* Grey picture with the values of the file, rows top to bottom. Zeroed = empty. */
typedef struct {
	uint32_t w, h; /* [unit: px] */
	uint16_t *v; /* w * h values [range: 0..255 or 0..65535 by bits] [owned: grey, mw_grey_free]
		      */
	uint8_t bits; /* 8 or 16; 1, 2 and 4 bit files are widened to 8 */
} mw_grey;

typedef enum {
	MW_IMAGE_PNG,
	MW_IMAGE_JPEG,
	MW_IMAGE_TGA,
	MW_IMAGE_BMP,
} mw_image_kind;

typedef struct {
	mw_image_kind kind;
	uint32_t w, h;    /* [unit: px] */
	uint8_t channels; /* 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA */
	uint8_t bits;     /* 8 or 16 per channel */
} mw_image_info;

/* Kind and size from the first bytes, without decoding. MW_EFORMAT when it is none of PNG, JPEG,
 * TGA and BMP, MW_ELIMIT when a side is over cx->limits.image_side. */
MW_NODISCARD mw_code mw_image_probe(mw_ctx *cx, mw_image_info *out, const void *bytes, size_t n);

/* The same of a file; of PNG only the head is read. */
MW_NODISCARD mw_code mw_image_probe_file(mw_ctx *cx, mw_image_info *out, const char *path);

/* Zeroed pixels (transparent black). [range: w, h 1..cx->limits.image_side] [owned: caller] */
MW_NODISCARD mw_code mw_image_init(mw_ctx *cx, mw_image *img, uint32_t w, uint32_t h);
void mw_image_free(mw_ctx *cx, mw_image *img);
MW_NODISCARD mw_code mw_grey_init(mw_ctx *cx, mw_grey *g, uint32_t w, uint32_t h, uint8_t bits);
void mw_grey_free(mw_ctx *cx, mw_grey *g);

/* PNG, JPEG, TGA or BMP to RGBA8; grey is spread over the three channels, 16 bits are rounded to 8,
 * a missing alpha is 255. img must be empty. [owned: caller] */
MW_NODISCARD mw_code mw_image_decode(mw_ctx *cx, mw_image *img, const void *bytes, size_t n);

/* The same kinds to grey with exact values; alpha is left out. A picture whose red, green and blue
 * differ anywhere is refused with the first such pixel named. [owned: caller] */
MW_NODISCARD mw_code mw_grey_decode(mw_ctx *cx, mw_grey *g, const void *bytes, size_t n);

/* Raw 16-bit samples (`.r16`, `.raw`) without a header. w = h = 0: a square is inferred from n,
 * else n must be 2 * w * h. */
MW_NODISCARD mw_code mw_grey_raw(mw_ctx *cx, mw_grey *g, const void *bytes, size_t n, uint32_t w,
	uint32_t h, bool big_endian);

/* Both sizes in one message: "the metal picture is 32x32, this map needs 64x64".
 * what: "metal picture". MW_ERANGE */
MW_NODISCARD mw_code mw_image_check_size(
	mw_ctx *cx, const char *what, uint32_t w, uint32_t h, uint32_t want_w, uint32_t want_h);

/* Make 8-bit values 16-bit ones, v * 257 (0 -> 0, 255 -> 65535), with the warning
 * `heightmap-8-bit`; 16-bit pictures stay as they are. name: for the message, may be NULL. */
void mw_grey_widen(mw_ctx *cx, mw_grey *g, const char *name);

/* Values as bytes: 8-bit ones unchanged, 16-bit ones divided by 257 and rounded, with the warning
 * `picture-16-bit`. [out: w * h bytes] name: may be NULL. */
void mw_grey_to_bytes(mw_ctx *cx, uint8_t *out, const mw_grey *g, const char *name);

/* Grey as colour (16-bit values rounded to 8) and back. The way back refuses differing channels as
 * mw_grey_decode does. The target must be empty. */
MW_NODISCARD mw_code mw_image_from_grey(mw_ctx *cx, mw_image *img, const mw_grey *g);
MW_NODISCARD mw_code mw_grey_from_image(mw_ctx *cx, mw_grey *g, const mw_image *img);

typedef enum {
	MW_RESIZE_NEAREST,
	MW_RESIZE_SMOOTH, /* smaller: area average; larger: bilinear between pixel centres */
} mw_resize_kind;

/* Resample to w x h. out must be empty and another picture than in. [range: w, h >= 1] */
MW_NODISCARD mw_code mw_image_resize(
	mw_ctx *cx, mw_image *out, const mw_image *in, uint32_t w, uint32_t h, mw_resize_kind kind);
MW_NODISCARD mw_code mw_grey_resize(
	mw_ctx *cx, mw_grey *out, const mw_grey *in, uint32_t w, uint32_t h, mw_resize_kind kind);

/* Half size by the 2x2 mean in stored (gamma) values, rounded to nearest, halves up; an odd last
 * row or column is left out. Strides are bytes from row to row; out may not overlap in. [out: h / 2
 * rows of 4 * (w / 2) bytes] [range: w, h >= 2] */
void mw_image_halve(uint8_t *out, size_t out_stride, const uint8_t *in, size_t in_stride,
	uint32_t w, uint32_t h);

/* Is any alpha below 255? */
bool mw_image_has_alpha(const mw_image *img);

/* A picture that comes row by row, so that it never has to sit in memory whole. */
typedef struct mw_rows mw_rows;
struct mw_rows {
	uint32_t w, h;
	/* Write the next row as RGBA8 into out [4 * w bytes]; called exactly h times. */
	mw_code (*next)(mw_ctx *cx, mw_rows *rows, uint8_t *out);
	/* Frees everything including rows itself. */
	void (*close)(mw_ctx *cx, mw_rows *rows);
	bool has_alpha; /* an alpha below 255 came by so far */
};

/* Rows of a picture in memory (borrowed: must outlive the rows). */
MW_NODISCARD mw_code mw_rows_image(mw_ctx *cx, mw_rows **out, const mw_image *img);
/* Resampled rows (MW_RESIZE_SMOOTH) of other rows; takes over in, also on failure. */
MW_NODISCARD mw_code mw_rows_resize(mw_ctx *cx, mw_rows **out, mw_rows *in, uint32_t w, uint32_t h);
/* Rows of a file: PNG is read in small pieces while the rows are asked for, the other kinds are
 * decoded whole. path must exist as long as the rows do. */
MW_NODISCARD mw_code mw_rows_open(mw_ctx *cx, mw_rows **out, const char *path);
/* NULL allowed. */
void mw_rows_close(mw_ctx *cx, mw_rows *rows);

#endif
