#include "bind/modules.h"

#include "base/mw.h"

#include <lauxlib.h>

static const luaL_Reg modules[] = {
	{"archive", mw_luaopen_archive},
	{"base", mw_luaopen_base},
	{"bsp", mw_luaopen_bsp},
	{"dxt1", mw_luaopen_dxt1},
	{"field", mw_luaopen_field},
	{"format", mw_luaopen_format},
	{"fs", mw_luaopen_fs},
	{"ground", mw_luaopen_ground},
	{"hmap", mw_luaopen_hmap},
	{"image", mw_luaopen_image},
	{"log", mw_luaopen_log},
	{"mapinfo", mw_luaopen_mapinfo},
	{"metal", mw_luaopen_metal},
	{"qmap", mw_luaopen_qmap},
	{"quantize", mw_luaopen_quantize},
	{"raster3d", mw_luaopen_raster3d},
	{"scatter", mw_luaopen_scatter},
	{"scene", mw_luaopen_scene},
	{"smf", mw_luaopen_smf},
	{"smt", mw_luaopen_smt},
	{"solids", mw_luaopen_solids},
	{"source", mw_luaopen_source},
	{"tile", mw_luaopen_tile},
	{"view", mw_luaopen_view},
};

int mw_luaopen_core(lua_State *L)
{
	lua_createtable(L, 0, (int)MW_COUNTOF(modules));
	for (size_t i = 0; i < MW_COUNTOF(modules); i++) {
		lua_pushcfunction(L, modules[i].func);
		lua_call(L, 0, 1);
		lua_setfield(L, -2, modules[i].name);
	}
	return 1;
}
