/* Neutral value tree: nil, bool, int, number, string, list, map with ordered keys. */
#ifndef MW_BASE_VAL_H
#define MW_BASE_VAL_H

#include "base/mem.h"
#include "base/str.h"

typedef enum { MW_NIL, MW_BOOL, MW_INT, MW_NUM, MW_STRING, MW_LIST, MW_MAP } mw_val_kind;

typedef struct mw_val mw_val;
typedef struct mw_val_pair mw_val_pair;

struct mw_val {
	mw_val_kind kind;
	int32_t line, col; /* where it stood in its source [range: 1..] or 0 */
	union {
		bool b;
		int64_t i;
		double num;
		mw_sv str; /* terminated too */
		struct {
			mw_val *v;
			size_t n, cap;
		} list;
		struct {
			mw_val_pair *v;
			size_t n, cap;
		} map;
	} u;
};

struct mw_val_pair {
	mw_sv key;
	int32_t key_line, key_col;
	mw_val val;
};

/* Everything a tree holds lives in the arena it was built with. */
mw_val mw_val_nil(void);
mw_val mw_val_bool(bool b);
mw_val mw_val_int(int64_t i);
mw_val mw_val_num(double num);
mw_val mw_val_str(
	mw_arena *a, const char *p, size_t n); /* MW_NIL kind on out of memory, recorded */
mw_val mw_val_list(void);
mw_val mw_val_map(void);
/* Append; false with MW_ENOMEM recorded in a->cx. */
bool mw_val_push(mw_arena *a, mw_val *list, mw_val item);
/* Set key (replaces an equal key in place, else appends). */
bool mw_val_set(mw_arena *a, mw_val *map, const char *key, mw_val item);
/* Append without looking for an equal key (readers that keep duplicates). */
bool mw_val_add(mw_arena *a, mw_val *map, mw_sv key, mw_val item);
/* NULL when absent or v is no map. */
const mw_val *mw_val_get(const mw_val *v, const char *key);
bool mw_val_eq(const mw_val *a, const mw_val *b);

#endif
