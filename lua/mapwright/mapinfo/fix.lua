--- The safe fixes of findings: a diff of them, and the files with them.
local M = {}

-- Edits from back to front, those that overlap an earlier one left out.
local function apply(text, edits)
	table.sort(edits, function(a, b)
		if a[1] ~= b[1] then return a[1] > b[1] end
		return a[2] > b[2]
	end)
	local out, last, done = text, math.huge, 0
	for _, e in ipairs(edits) do
		if e[2] < last then
			out = out:sub(1, e[1] - 1) .. e[3] .. out:sub(e[2] + 1)
			last, done = e[1], done + 1
		end
	end
	return out, done
end

--- New texts of files by their name: {[name] = {old, new, count}}.
function M.texts(findings, site)
	local by_file, out = {}, {}
	for _, f in ipairs(findings) do
		if f.fix then
			local list = by_file[f.fix.file] or {}
			by_file[f.fix.file] = list
			for _, e in ipairs(f.fix.edits) do list[#list + 1] = e end
		end
	end
	for name, edits in next, by_file do
		local old = site.read(name:lower())
		local new, count = apply(old, edits)
		if new ~= old then out[name] = { old = old, new = new, count = count } end
	end
	return out
end

local function lines_of(text)
	local out = {}
	for line in text:gmatch "[^\n]*\n?" do
		if line ~= "" then out[#out + 1] = line end
	end
	return out
end

local function put(out, sign, line)
	out[#out + 1] = sign .. line:gsub("\r?\n$", "") .. "\n"
end

-- Longest common subsequence by the usual table; files here have some hundred lines.
local function script_of(a, b)
	local first, last_a, last_b = 1, #a, #b
	while first <= last_a and first <= last_b and a[first] == b[first] do first = first + 1 end
	while last_a >= first and last_b >= first and a[last_a] == b[last_b] do
		last_a, last_b = last_a - 1, last_b - 1
	end
	local n, m, len = last_a - first + 1, last_b - first + 1, {}
	for i = n, 0, -1 do
		len[i] = {}
		for j = m, 0, -1 do
			if i == n or j == m then
				len[i][j] = 0
			elseif a[first + i] == b[first + j] then
				len[i][j] = len[i + 1][j + 1] + 1
			else
				len[i][j] = math.max(len[i + 1][j], len[i][j + 1])
			end
		end
	end
	local ops, i, j = {}, 0, 0
	for k = 1, first - 1 do ops[#ops + 1] = { " ", a[k], k, k } end
	while i < n or j < m do
		if i < n and j < m and a[first + i] == b[first + j] then
			ops[#ops + 1] = { " ", a[first + i], first + i, first + j }
			i, j = i + 1, j + 1
		elseif j == m or (i < n and len[i + 1][j] >= len[i][j + 1]) then
			ops[#ops + 1] = { "-", a[first + i], first + i, first + j }
			i = i + 1
		else
			ops[#ops + 1] = { "+", b[first + j], first + i, first + j }
			j = j + 1
		end
	end
	for k = last_a + 1, #a do ops[#ops + 1] = { " ", a[k], k, k - last_a + last_b } end
	return ops
end

--- A unified diff with three lines of context.
---@param label string
---@param old string
---@param new string
function M.diff(label, old, new)
	local ops = script_of(lines_of(old), lines_of(new))
	local out, i = { "--- a/" .. label .. "\n", "+++ b/" .. label .. "\n" }, 1
	while i <= #ops do
		if ops[i][1] == " " then
			i = i + 1
		else
			local from = math.max(1, i - 3)
			local to, quiet = i, 0
			while to < #ops and quiet < 6 do
				to = to + 1
				quiet = ops[to][1] == " " and quiet + 1 or 0
			end
			to = math.min(#ops, to - math.max(0, quiet - 3))
			local count = { [" "] = 0, ["-"] = 0, ["+"] = 0 }
			for k = from, to do count[ops[k][1]] = count[ops[k][1]] + 1 end
			out[#out + 1] = ("@@ -%d,%d +%d,%d @@\n"):format(ops[from][3], count[" "] + count["-"],
				ops[from][4], count[" "] + count["+"])
			for k = from, to do put(out, ops[k][1], ops[k][2]) end
			i = to + 1
		end
	end
	return table.concat(out)
end

return M
