-- Runs the scenario named by $SCENARIO (a Lua file that returns function(editor)) in this Neovim and ends it: exit code 0 or 1.
-- Started by run.sh as  nvim --headless -u init.lua -c "luafile drive.lua".
local started = vim.uv.hrtime()
local passed = 0
local editor = {}

local function say(text) io.stdout:write(text .. "\n") end
local function ms() return math.floor((vim.uv.hrtime() - started) / 1e6) end

function editor.ok(what)
  passed = passed + 1
  say(("ok - %s (at %d ms)"):format(what, ms()))
end

function editor.equal(what, actual, expected)
  if not vim.deep_equal(actual, expected) then
    error(("%s\n  expected %s\n  got      %s"):format(what, vim.inspect(expected), vim.inspect(actual)), 0)
  end
  editor.ok(what)
end

-- TEXT (a string, or lines) holds WORDS.
function editor.holds(what, text, words)
  text = type(text) == "table" and table.concat(text, "\n") or text
  if not text:find(words, 1, true) then error(("%s\n  expected %q\n  in %s"):format(what, words, text), 0) end
  editor.ok(what)
end

-- Runs the event loop until PREDICATE answers something true, and returns that.
function editor.wait(what, predicate, timeout)
  local value
  if not vim.wait(timeout or 15000, function() value = predicate(); return value end, 10) then
    error("timeout: " .. what, 0)
  end
  return value
end

-- Opens FILE, waits for its language server, returns the buffer and the client.
function editor.open(file)
  vim.cmd.edit(vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  local client = editor.wait("a language server for " .. file, function()
    local found = vim.lsp.get_clients({ bufnr = buffer })[1]
    return found and found.initialized and found
  end)
  return buffer, client
end

function editor.lines(buffer) return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

-- The first place of WORDS in a buffer: line (1-based) and column (0-based, bytes), as nvim_win_set_cursor wants them.
function editor.find(buffer, words)
  for number, line in ipairs(editor.lines(buffer)) do
    local column = line:find(words, 1, true)
    if column then return number, column - 1 end
  end
  error(("%q is not in %s:\n%s"):format(words, vim.api.nvim_buf_get_name(buffer), table.concat(editor.lines(buffer), "\n")), 0)
end

-- Replaces the first place of OLD by NEW, as typing would.
function editor.replace(buffer, old, new)
  local line, column = editor.find(buffer, old)
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + #old, { new })
end

-- Waits until the codes of a buffer's diagnostics are CODES (sorted), and returns the diagnostics.
function editor.findings(buffer, codes)
  local found, last = nil, {}
  local fine = pcall(editor.wait, "", function()
    found = vim.diagnostic.get(buffer)
    last = vim.tbl_map(function(d) return d.code end, found)
    table.sort(last)
    return vim.deep_equal(last, codes)
  end)
  if not fine then
    error(("findings of %s\n  expected %s\n  got      %s"):format(vim.api.nvim_buf_get_name(buffer), vim.inspect(codes), vim.inspect(last)), 0)
  end
  return found
end

-- The lines of the window that K shows at the first place of WORDS; the window is closed again.
function editor.hover(buffer, words)
  vim.api.nvim_set_current_buf(buffer)
  vim.api.nvim_win_set_cursor(0, { editor.find(buffer, words) })
  vim.lsp.buf.hover()
  local window = editor.wait("a hover window", function()
    for _, id in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(id).relative ~= "" then return id end
    end
  end)
  local text = editor.lines(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return text
end

-- Opens the code action menu at the first place of WORDS, picks the action whose title starts with TITLE and waits until DONE
-- answers something true; returns that and the titles that were offered.
function editor.code_action(buffer, words, title, done)
  vim.api.nvim_set_current_buf(buffer)
  vim.api.nvim_win_set_cursor(0, { editor.find(buffer, words) })
  local titles, select = {}, vim.ui.select
  vim.ui.select = function(items, _, choose)
    for index, item in ipairs(items) do
      titles[index] = item.action.title
      if vim.startswith(item.action.title, title) then choose(item, index) end
    end
  end
  vim.lsp.buf.code_action({ apply = false })
  local applied, value = pcall(editor.wait, title, done, 8000)
  vim.ui.select = select
  if not applied then error(("'%s' did not do it; offered: %s"):format(title, vim.inspect(titles)), 0) end
  return value, titles
end

-- What is said by vim.notify from now on, as a list that grows.
function editor.messages()
  local said = {}
  vim.notify = function(message) table.insert(said, message) end
  vim.notify_once = vim.notify
  return said
end

-- Runs ACT with a person who answers what is asked (vim.ui.input) by ANSWERS, one after the other (false: leaves without an
-- answer), and picks (vim.ui.select) the first item whose line holds PICK, until DONE(questions) answers something true. Returns that,
-- the questions, and the lines of the last list.
function editor.person(answers, choice, act, done)
  local input, select, asked, lines = vim.ui.input, vim.ui.select, {}, {}
  vim.ui.input = function(options, answer)
    table.insert(asked, vim.trim(options.prompt))
    vim.schedule(function() answer(answers[#asked] or nil) end)
  end
  vim.ui.select = function(items, options, choose)
    lines = vim.tbl_map(options.format_item or tostring, items)
    for index, line in ipairs(lines) do
      if choice and line:find(choice, 1, true) then return vim.schedule(function() choose(items[index], index) end) end
    end
    vim.schedule(function() choose(nil) end)
  end
  act()
  local fine, value = pcall(editor.wait, "what was asked to be done", function() return done(asked) end, 8000)
  vim.ui.input, vim.ui.select = input, select
  if not fine then error(("%s\n  expected questions and choices that lead there\n  got %s"):format(value, vim.inspect({ asked, lines })), 0) end
  return value, asked, lines
end

-- The titles of the lenses of a buffer, by line (0-based): what 0.11 shows; newer Neovims show them when they draw the screen.
function editor.lenses(buffer)
  local found = {}
  if vim.lsp.codelens.enable then
    for _, item in ipairs(vim.lsp.codelens.get({ bufnr = buffer })) do
      found[item.lens.range.start.line] = item.lens.command.title
    end
    return found
  end
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(name:find("codelens", 1, true) and vim.api.nvim_buf_get_extmarks(buffer, id, 0, -1, { details = true }) or {}) do
      found[mark[2]] = mark[4].virt_text[1][1]
    end
  end
  return found
end

-- The buffer of a record (a name that holds FOLDER) that holds WORDS, if there is one.
function editor.record(folder, words)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.api.nvim_buf_is_loaded(buffer) and name:find(folder, 1, true) then
      if table.concat(editor.lines(buffer), "\n"):find(words, 1, true) then return buffer end
    end
  end
end

local fine, problem = xpcall(function() dofile(vim.env.SCENARIO)(editor) end, function(e)
  return type(e) == "string" and not e:find("\n  expected ", 1, true) and debug.traceback(e) or e
end)
if not fine then say("not ok - " .. tostring(problem)) end
say(("%d passed, %d failed"):format(passed, fine and 0 or 1))
vim.cmd(fine and "qall!" or "cquit 1")
