#include "peers.h"

#include <string.h>

#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

void peer_stb_image(uint8_t *out, const uint8_t *png, size_t n)
{
	int w, h, c;
	stbi_uc *px = stbi_load_from_memory(png, (int)n, &w, &h, &c, 4);
	if (px)
		memcpy(out, px, (size_t)w * (size_t)h * 4);
	stbi_image_free(px);
}
