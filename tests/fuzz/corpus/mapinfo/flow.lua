for i = 1, 10, 2 do if i % 2 == 0 then break elseif i > 3 then f(i) else x = x .. i .. 1 + 2 ^ 3 end end
for k, v in pairs(t) do while k do repeat local z = v until z end end
function a.b.c:d(x, ...) return select('#', ...) end
goto_ = "\x41\z\065" --[[ c
]] local function f() return f() end
