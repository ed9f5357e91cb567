#include "base/json.h"

#include "base/utf8.h"

#include <math.h>

static void put_string(mw_str *out, mw_sv s)
{
	mw_str_putc(out, '"');
	for (size_t i = 0; i < s.n;) {
		unsigned char c = (unsigned char)s.p[i];
		size_t start = i;

		if (c == '"' || c == '\\') {
			mw_str_putf(out, "\\%c", c);
			i++;
		} else if (c == '\n' || c == '\t' || c == '\r') {
			mw_str_putf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
			i++;
		} else if (c < 0x20 || c == 0x7f) {
			mw_str_putf(out, "\\u%04x", c);
			i++;
		} else if (mw_utf8_next(s.p, s.n, &i) == 0xfffd && i - start == 1) {
			/* JSON text must be UTF-8: a stray byte is shown, not passed on */
			mw_str_put(out, "\\ufffd");
		} else {
			mw_str_putn(out, s.p + start, i - start);
		}
	}
	mw_str_putc(out, '"');
}

static void line(mw_str *out, int indent, int depth)
{
	if (indent) {
		mw_str_putc(out, '\n');
		mw_str_pad(out, ' ', (size_t)(indent * depth));
	}
}

static mw_code put(mw_str *out, const mw_val *v, int indent, int depth)
{
	char number[MW_NUM_TEXT];
	mw_code code;

	if ((uint32_t)depth > out->cx->limits.depth)
		return mw_fail(out->cx, MW_ELIMIT, "JSON: nested deeper than %u",
			(unsigned)out->cx->limits.depth);
	switch (v->kind) {
	case MW_NIL:
		mw_str_put(out, "null");
		break;
	case MW_BOOL:
		mw_str_put(out, v->u.b ? "true" : "false");
		break;
	case MW_INT:
		mw_str_putf(out, "%lld", (long long)v->u.i);
		break;
	case MW_NUM:
		if (!isfinite(v->u.num))
			return mw_fail(out->cx, MW_EINVALID, "JSON: cannot hold %s",
				isnan(v->u.num) ? "nan" : "an infinite number");
		mw_num_text(v->u.num, number);
		mw_str_put(out, number);
		break;
	case MW_STRING:
		put_string(out, v->u.str);
		break;
	case MW_LIST:
		mw_str_putc(out, '[');
		for (size_t i = 0; i < v->u.list.n; i++) {
			mw_str_put(out, i ? (indent ? "," : ", ") : "");
			line(out, indent, depth + 1);
			if ((code = put(out, &v->u.list.v[i], indent, depth + 1)) != MW_OK)
				return code;
		}
		if (v->u.list.n)
			line(out, indent, depth);
		mw_str_putc(out, ']');
		break;
	case MW_MAP:
		mw_str_putc(out, '{');
		for (size_t i = 0; i < v->u.map.n; i++) {
			mw_str_put(out, i ? (indent ? "," : ", ") : "");
			line(out, indent, depth + 1);
			put_string(out, v->u.map.v[i].key);
			mw_str_put(out, ": ");
			if ((code = put(out, &v->u.map.v[i].val, indent, depth + 1)) != MW_OK)
				return code;
		}
		if (v->u.map.n)
			line(out, indent, depth);
		mw_str_putc(out, '}');
		break;
	}
	return mw_str_code(out);
}

mw_code mw_json_write(mw_str *out, const mw_val *v, int indent)
{
	return put(out, v, indent, 0);
}
