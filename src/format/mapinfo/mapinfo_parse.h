/* Lua 5.1 text as a source of facts: where each key and value of a table stands, which globals are
 * touched, and the same program for the Lua that is built in. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_PARSE_H
#define MW_FORMAT_MAPINFO_MAPINFO_PARSE_H

#include "format/mapinfo/mapinfo_lex.h"

typedef struct {
	uint32_t start, end; /* [unit: byte] half open */
	uint32_t line, col;  /* of start [range: 1..] */
} mw_mapinfo_span;

/* What an expression is, as far as the text alone says. */
typedef enum {
	MW_SRC_OTHER,
	MW_SRC_NIL,
	MW_SRC_BOOL,
	MW_SRC_NUMBER, /* a numeral, perhaps behind a minus */
	MW_SRC_STRING,
	MW_SRC_TABLE,
	MW_SRC_FUNCTION,
	MW_SRC_NAME, /* a lone variable; string holds it */
	MW_SRC_CALL
} mw_mapinfo_value_kind;

typedef struct {
	mw_mapinfo_value_kind kind;
	mw_mapinfo_span span;
	double number; /* MW_SRC_NUMBER, as float32 */
	mw_sv string;  /* MW_SRC_STRING, MW_SRC_NAME */
	bool truth;    /* MW_SRC_BOOL */
	int32_t table; /* MW_SRC_TABLE: index into tables; -1 otherwise */
} mw_mapinfo_value;

typedef enum {
	MW_KEY_POSITION, /* {v}: number counts from 1 */
	MW_KEY_NAME,     /* {name = v} */
	MW_KEY_STRING,   /* {["name"] = v} */
	MW_KEY_NUMBER,   /* {[0] = v} */
	MW_KEY_OTHER     /* {[expression] = v} */
} mw_mapinfo_key_kind;

typedef struct {
	int32_t table; /* the constructor it stands in */
	mw_mapinfo_key_kind kind;
	mw_mapinfo_span key; /* with brackets; of the value for MW_KEY_POSITION */
	mw_sv name;          /* MW_KEY_NAME, MW_KEY_STRING */
	double number;       /* MW_KEY_NUMBER, MW_KEY_POSITION */
	mw_mapinfo_value value;
	uint32_t end; /* [unit: byte] behind the separator, when there is one */
} mw_mapinfo_field;

typedef enum { MW_STMT_LOCAL, MW_STMT_ASSIGN, MW_STMT_RETURN } mw_mapinfo_stmt_kind;

/* One name or target of a statement. Targets are only listed where the text shows the whole path:
 * a name, then fields that are names, strings or numerals. */
typedef struct {
	mw_mapinfo_stmt_kind kind;
	bool is_local;        /* the first name of path is a local variable (LOCAL always) */
	uint16_t depth;       /* of functions around it: 0 the file itself */
	uint16_t block;       /* of blocks around it in its function */
	mw_mapinfo_span span; /* of the target; of `return` */
	const mw_sv *path;    /* RETURN: NULL [owned: source] */
	size_t path_n;
	mw_mapinfo_value value; /* MW_SRC_NIL with an empty span when there is none */
} mw_mapinfo_stmt;

/* One use of a global variable. */
typedef struct {
	mw_sv name;
	mw_sv field; /* `name.field`, or empty */
	mw_mapinfo_span span;
	bool write;   /* assigned, or a function declared */
	bool tested;  /* its value only decides something: `if x`, `x and`, `x ==`, `not x` */
	bool guarded; /* stands behind a test of `Map` or `Spring.GetMapOptions` */
	uint16_t depth;
} mw_mapinfo_ref;

typedef struct {
	mw_arena mem;
	mw_mapinfo_tokens tokens;
	MW_ARRAY(mw_mapinfo_span) tables;
	MW_ARRAY(mw_mapinfo_field) fields; /* in the order of their ends */
	MW_ARRAY(mw_mapinfo_stmt) stmts;   /* in the order of the text */
	MW_ARRAY(mw_mapinfo_ref) refs;
	/* The program in Lua 5.4 with the same lines: numerals are floats of 32 bits; + - * / ^ go
	 * through _mw_f (rounds to float32), % through _mw_m(a, b), .. through _mw_c(...), numeric
	 * for loops through _mw_r(first, last, step); each function refers to its _ENV, so that
	 * getfenv finds it. The chunk takes those four and _mw_a as its arguments and returns the
	 * program as one function. */
	mw_sv rewritten;
} mw_mapinfo_source;

/* Parse by the grammar of Lua 5.1. MW_EFORMAT with line and offset and 5.1's wording: what the
 * engine refuses is refused (goto, //, &, \z is z). [out: zeroed; freed by the caller also after a
 * failure] [text: borrowed while the source lives] */
MW_NODISCARD mw_code mw_mapinfo_parse(
	mw_ctx *cx, mw_mapinfo_source *out, const char *text, size_t n);
void mw_mapinfo_source_free(mw_ctx *cx, mw_mapinfo_source *s);

#endif
