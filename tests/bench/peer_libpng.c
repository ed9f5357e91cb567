#include "peers.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<png.h>)
#include <png.h>

typedef struct {
	uint8_t *p;
	size_t n, at;
} memory;

bool peer_libpng_there(void)
{
	return true;
}

static void from_memory(png_structp png, png_bytep out, size_t n)
{
	memory *m = png_get_io_ptr(png);
	if (n > m->n - m->at)
		png_error(png, "end of data");
	memcpy(out, m->p + m->at, n);
	m->at += n;
}

static void to_memory(png_structp png, png_bytep p, size_t n)
{
	memory *m = png_get_io_ptr(png);
	if (n > m->n - m->at)
		png_error(png, "no room");
	memcpy(m->p + m->at, p, n);
	m->at += n;
}

static void no_flush(png_structp png)
{
	(void)png;
}

void peer_libpng_read(uint8_t *out, const uint8_t *bytes, size_t n)
{
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	memory m = {(uint8_t *)bytes, n, 0};
	if (setjmp(png_jmpbuf(png)))
		abort();
	png_set_read_fn(png, &m, from_memory);
	png_read_info(png, info);
	png_set_filler(png, 255, PNG_FILLER_AFTER);
	uint32_t w = png_get_image_width(png, info), h = png_get_image_height(png, info);
	for (uint32_t y = 0; y < h; y++)
		png_read_row(png, out + (size_t)y * w * 4, NULL);
	png_read_end(png, NULL);
	png_destroy_read_struct(&png, &info, NULL);
}

size_t peer_libpng_write(
	uint8_t *out, size_t cap, const uint8_t *rgba, uint32_t w, uint32_t h, int level)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	memory m = {out, cap, 0};
	if (setjmp(png_jmpbuf(png)))
		abort();
	png_set_write_fn(png, &m, to_memory, no_flush);
	png_set_compression_level(png, level);
	png_set_IHDR(png, info, w, h, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	png_set_filler(png, 0, PNG_FILLER_AFTER);
	for (uint32_t y = 0; y < h; y++)
		png_write_row(png, rgba + (size_t)y * w * 4);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return m.at;
}
#else
bool peer_libpng_there(void)
{
	return false;
}

void peer_libpng_read(uint8_t *out, const uint8_t *png, size_t n)
{
}

size_t peer_libpng_write(
	uint8_t *out, size_t cap, const uint8_t *rgba, uint32_t w, uint32_t h, int level)
{
	return 0;
}
#endif
