#include "base/val.h"

#include <string.h>

mw_val mw_val_nil(void)
{
	return (mw_val){.kind = MW_NIL};
}

mw_val mw_val_bool(bool b)
{
	return (mw_val){.kind = MW_BOOL, .u.b = b};
}

mw_val mw_val_int(int64_t i)
{
	return (mw_val){.kind = MW_INT, .u.i = i};
}

mw_val mw_val_num(double num)
{
	return (mw_val){.kind = MW_NUM, .u.num = num};
}

mw_val mw_val_str(mw_arena *a, const char *p, size_t n)
{
	char *copy = mw_arena_strdup(a, p, n);

	return copy ? (mw_val){.kind = MW_STRING, .u.str = {copy, n}} : mw_val_nil();
}

mw_val mw_val_list(void)
{
	return (mw_val){.kind = MW_LIST};
}

mw_val mw_val_map(void)
{
	return (mw_val){.kind = MW_MAP};
}

/* Arena arrays: growth leaves the old block behind, so it at least doubles. */
static void *grow(mw_arena *a, void *v, size_t n, size_t *cap, size_t size)
{
	size_t want = *cap ? *cap * 2 : 4, bytes;
	void *p;

	if (n < *cap)
		return v;
	if (!mw_mul(want, size, &bytes) || !(p = mw_arena_alloc(a, bytes)))
		return NULL;
	if (n)
		memcpy(p, v, n * size);
	*cap = want;
	return p;
}

bool mw_val_push(mw_arena *a, mw_val *list, mw_val item)
{
	void *p = grow(a, list->u.list.v, list->u.list.n, &list->u.list.cap, sizeof item);

	if (!p)
		return false;
	list->u.list.v = p;
	list->u.list.v[list->u.list.n++] = item;
	return true;
}

bool mw_val_add(mw_arena *a, mw_val *map, mw_sv key, mw_val item)
{
	char *copy = mw_arena_strdup(a, key.p, key.n);
	void *p = grow(a, map->u.map.v, map->u.map.n, &map->u.map.cap, sizeof(mw_val_pair));

	if (!copy || !p)
		return false;
	map->u.map.v = p;
	map->u.map.v[map->u.map.n++] = (mw_val_pair){.key = {copy, key.n}, .val = item};
	return true;
}

static mw_val_pair *find(const mw_val *map, const char *key)
{
	for (size_t i = 0; i < map->u.map.n; i++)
		if (mw_sv_eq(map->u.map.v[i].key, mw_sv_of(key)))
			return &map->u.map.v[i];
	return NULL;
}

bool mw_val_set(mw_arena *a, mw_val *map, const char *key, mw_val item)
{
	mw_val_pair *pair = find(map, key);

	if (!pair)
		return mw_val_add(a, map, mw_sv_of(key), item);
	pair->val = item;
	return true;
}

const mw_val *mw_val_get(const mw_val *v, const char *key)
{
	const mw_val_pair *pair = v && v->kind == MW_MAP ? find(v, key) : NULL;

	return pair ? &pair->val : NULL;
}

bool mw_val_eq(const mw_val *a, const mw_val *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case MW_NIL:
		return true;
	case MW_BOOL:
		return a->u.b == b->u.b;
	case MW_INT:
		return a->u.i == b->u.i;
	case MW_NUM:
		return memcmp(&a->u.num, &b->u.num, sizeof a->u.num) == 0;
	case MW_STRING:
		return mw_sv_eq(a->u.str, b->u.str);
	case MW_LIST:
		if (a->u.list.n != b->u.list.n)
			return false;
		for (size_t i = 0; i < a->u.list.n; i++)
			if (!mw_val_eq(&a->u.list.v[i], &b->u.list.v[i]))
				return false;
		return true;
	case MW_MAP:
		if (a->u.map.n != b->u.map.n)
			return false;
		for (size_t i = 0; i < a->u.map.n; i++)
			if (!mw_sv_eq(a->u.map.v[i].key, b->u.map.v[i].key) ||
				!mw_val_eq(&a->u.map.v[i].val, &b->u.map.v[i].val))
				return false;
		return true;
	}
	return false;
}
