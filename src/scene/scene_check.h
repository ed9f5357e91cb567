/* What no format could accept, or nobody can have meant, with the object and who made it. */
#ifndef MW_SCENE_SCENE_CHECK_H
#define MW_SCENE_SCENE_CHECK_H

#include "scene/scene.h"

typedef enum { MW_OBJECT_BRUSH, MW_OBJECT_MESH, MW_OBJECT_ENTITY, MW_OBJECT_MATERIAL } mw_object;

#define MW_SCENE_MSG 160
typedef struct {
	bool error;       /* else a warning */
	const char *rule; /* "brush-open", "brush-empty", "brush-micro", "brush-plane-twice",
			     "entity-class", "number", "id-repeated", "material-repeated",
			     "mesh-polygon" [static] */
	mw_object kind;
	uint32_t index;
	const char *at; /* "build.lua:12" or NULL [borrowed from the scene] */
	char msg[MW_SCENE_MSG];
} mw_scene_finding;

/* Free with mw_free(cx, found.v). */
typedef MW_ARRAY(mw_scene_finding) mw_scene_findings;

/* Open and empty brushes, brushes smaller than 1/512 of a metre in some direction, planes given
 * twice in a brush; entities without a class; numbers that are not finite; ids used twice; material
 * names used twice; polygons of meshes without area. Fails on out of memory only. */
MW_NODISCARD mw_code mw_scene_check(mw_ctx *cx, const mw_scene *s, mw_scene_findings *found);

#endif
