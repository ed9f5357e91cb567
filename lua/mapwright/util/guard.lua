--- Methods that say so when they are called with '.' in place of ':', or on something else.
local errors = require "mapwright.errors"

---@param methods table name -> function; replaced in place
---@param class string the __name of the objects' metatable
---@param meta? table the metatable, when assigning to a field of such an object is to be refused
return function(methods, class, meta)
	local word = class:match "[^%.]*$"
	for name, method in next, methods do
		if type(method) == "function" and not name:find "^__" then
			methods[name] = function(self, ...)
				local its = getmetatable(self)
				if type(its) ~= "table" or its.__name ~= class then
					errors.fail("%s: called without its %s; write x:%s(...) with ':', not x.%s(...)", name,
						word, name, name)
				end
				return method(self, ...)
			end
		end
	end
	if meta then
		meta.__newindex = function(_, name)
			errors.fail("%s: '%s' cannot be set", word, tostring(name))
		end
	end
end
