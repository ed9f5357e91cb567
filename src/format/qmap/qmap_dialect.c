/* What text is a .map, and of which dialect. */
#include "format/qmap/qmap_parts.h"

#include <string.h>

bool mw_qmap_probe(const uint8_t *bytes, size_t n)
{
	size_t i = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	/* "{" alone begins JSON and Lua too: a string or brace must follow */
	for (int seen = 0; i < n; i++) {
		uint8_t c = bytes[i];

		if (c == '/' && i + 1 < n && bytes[i + 1] == '/') {
			while (i + 1 < n && bytes[i] != '\n')
				i++;
		} else if (c <= ' ' && c != 0) {
			continue;
		} else if (seen == 0 && n - i > 8 && memcmp(bytes + i, "Version ", 8) == 0) {
			return true;
		} else if (seen == 0 && c == '{') {
			seen = 1;
		} else if (seen == 1 && c == '"') {
			while (++i < n && bytes[i] != '"' && bytes[i] != '\n')
				;
			if (i >= n || bytes[i] != '"')
				return false;
			seen = 2;
		} else if (seen == 2) {
			return c == '"';
		} else {
			return false;
		}
	}
	return false;
}

mw_qmap_dialect mw__qmap_recognise(const mw_qmap *m)
{
	bool valve = false, def = false, def3 = false, patches = false;
	int most = 0;

	for (size_t i = 0; i < m->brush.n; i++) {
		mw_qmap_kind k = m->brush.v[i].kind;
		def |= k == MW_QMAP_BRUSHDEF;
		def3 |= k == MW_QMAP_BRUSHDEF3;
		patches |= k == MW_QMAP_PATCH2 || k == MW_QMAP_PATCH3;
	}
	for (size_t i = 0; i < m->face.n; i++) {
		valve |= m->face.v[i].axes == MW_QMAP_AXES_VALVE;
		most = m->face.v[i].num_extra > most ? m->face.v[i].num_extra : most;
	}
	if (def3 || m->version)
		return m->version == 3 ? MW_QMAP_QUAKE4 : MW_QMAP_DOOM3;
	if (def)
		return MW_QMAP_QUAKE3;
	mw_qmap_dialect said;
	if (mw_qmap_dialect_named(m->format, &said) && said < MW_QMAP_QUAKE3 &&
		most <= mw_qmap_extras_of(said) && (!patches || mw_qmap_has_patches(said)) &&
		(m->face.n == 0 ||
			valve ==
				(said == MW_QMAP_VALVE220 || said == MW_QMAP_QUAKE2_VALVE ||
					said == MW_QMAP_QUAKE3_VALVE)))
		return said;
	if (patches)
		return valve ? MW_QMAP_QUAKE3_VALVE : MW_QMAP_QUAKE3_LEGACY;
	if (valve)
		return most ? MW_QMAP_QUAKE2_VALVE : MW_QMAP_VALVE220;
	return most > 3    ? MW_QMAP_DAIKATANA
		: most > 1 ? MW_QMAP_QUAKE2
		: most     ? MW_QMAP_HEXEN2
			   : MW_QMAP_CLASSIC;
}
