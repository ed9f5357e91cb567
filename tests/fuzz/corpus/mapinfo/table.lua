-- a table with everything
local mapinfo = { name = "A\tB", ["x y"] = [==[long]==], [0] = -1.5e-3, 0x1F; .5, 3., 'q', nil, true }
mapinfo.a.b["c"] = function(self, ...) return arg, #self, not 1 == 2 end
return mapinfo
