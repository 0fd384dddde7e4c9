local M = {}
local LIMIT <const> = 10
x, y = 1, 2
function M.total(a, b, ...) local s = 1; local f = function() return 1 end return s end
function M:size() return #self end
function M.a.b.c() end
local function helper(x) return x end
M.fn = function(a) return a end
M.value = 3
local f = function() end
Cart = { name = "x", size = function(self) return 1 end, ["k"] = 2, 3; opts = { deep = 1 } }
foo({ z = 1 })
