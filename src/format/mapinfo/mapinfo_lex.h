/* Tokens of Lua 5.1 text with their places: what the engine's own parser takes, no more. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_LEX_H
#define MW_FORMAT_MAPINFO_MAPINFO_LEX_H

#include "base/mem.h"
#include "base/str.h"

/* Largest text [unit: byte]; places are 32 bits. */
#define MW_MAPINFO_TEXT_MAX (8u << 20)

typedef enum {
	MW_TK_END, /* of the text */
	MW_TK_NAME,
	MW_TK_STRING,
	MW_TK_NUMBER,
	MW_TK_OP,      /* a sign; op holds its characters */
	MW_TK_COMMENT, /* kept apart from the others */
	/* Reserved words, in the order of the alphabet. */
	MW_TK_AND,
	MW_TK_BREAK,
	MW_TK_DO,
	MW_TK_ELSE,
	MW_TK_ELSEIF,
	MW_TK_END_WORD,
	MW_TK_FALSE,
	MW_TK_FOR,
	MW_TK_FUNCTION,
	MW_TK_IF,
	MW_TK_IN,
	MW_TK_LOCAL,
	MW_TK_NIL,
	MW_TK_NOT,
	MW_TK_OR,
	MW_TK_REPEAT,
	MW_TK_RETURN,
	MW_TK_THEN,
	MW_TK_TRUE,
	MW_TK_UNTIL,
	MW_TK_WHILE
} mw_mapinfo_token_kind;

/* Signs of more than one character; the others are their own code. */
enum { MW_OP_EQ = 256, MW_OP_NE, MW_OP_LE, MW_OP_GE, MW_OP_CONCAT, MW_OP_DOTS };

typedef struct {
	mw_mapinfo_token_kind kind;
	uint32_t start, end; /* [unit: byte] half open */
	uint32_t line, col;  /* of the start [range: 1..]; a column is a byte */
	uint16_t op;         /* MW_TK_OP: the character or MW_OP_ */
	bool long_form;      /* strings and comments in long brackets */
	bool escapes;        /* short strings that hold a backslash */
} mw_mapinfo_token;

typedef struct {
	MW_ARRAY(mw_mapinfo_token) tokens; /* without comments; the last is MW_TK_END */
	MW_ARRAY(mw_mapinfo_token) comments;
} mw_mapinfo_tokens;

/* Cut text into tokens. MW_EFORMAT with line and offset and a message in the engine's own words
 * ("unfinished string near ..."), MW_ELIMIT past MW_MAPINFO_TEXT_MAX. A byte order mark and a `#`
 * line are errors, as for the engine (luaL_loadbuffer skips neither). [out: zeroed; freed by the
 * caller also after a failure, when it holds the tokens before it] */
MW_NODISCARD mw_code mw_mapinfo_lex(mw_ctx *cx, mw_mapinfo_tokens *out, const char *text, size_t n);
void mw_mapinfo_tokens_free(mw_ctx *cx, mw_mapinfo_tokens *t);

/* What a MW_TK_STRING stands for, by Lua 5.1's escapes: \x is x. {NULL, 0} on out of memory.
 * [owned: arena] */
mw_sv mw_mapinfo_string(mw_arena *a, const char *text, const mw_mapinfo_token *t);

/* The value of numeral text as the engine has it: a float32 (as double). Decimal, or 0x and hex
 * digits. false when it is no numeral (blanks around it are none either). */
bool mw_mapinfo_number(mw_sv s, double *out);

/* A number as the engine's tostring writes it: at most 10 characters of digits, "33.5",
 * "0.33333334", "1.0e+10", "+inf". Whole numbers of 32 bits have no point. [facts: measured with
 * the 106 engine] Returns the length. */
size_t mw_mapinfo_number_text(double v, char out[MW_NUM_TEXT]);

#define MW_NUM_LONG 96
/* The same with precision digits behind the point, as string.format writes %f, %e and %g there
 * alike. [precision: < 0: as many as fit] */
size_t mw_mapinfo_number_fixed(double v, int precision, char out[MW_NUM_LONG]);

#endif
