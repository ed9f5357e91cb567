/* All formats. A new one is an include and a line here. */
#include "format/codec.h"

#include "format/hmap/hmap.h"
#include "format/qmap/qmap.h"
#include "format/smf/smf.h"

static const mw_codec *const codecs[] = {
	&mw_smf_codec,
	&mw_smt_codec,
	&mw_hmap_codec,
	&mw_qmap_codec,
};

size_t mw_codec_count(void)
{
	return MW_COUNTOF(codecs);
}

const mw_codec *mw_codec_at(size_t i)
{
	MW_ASSERT(i < MW_COUNTOF(codecs));
	return codecs[i];
}
