-- The commands: what a person chose or typed goes to the server, and what the server refuses is said once.
local M = {}

local PREFIX = 'memoryLsp.server.'
local PROMPT = 'memoryLsp.prompt'

local function tell(message, level) vim.notify('memory_lsp: ' .. message, level or vim.log.levels.INFO) end

---@param client vim.lsp.Client
---@param act string
---@param argument table
---@param done? fun(result: any) what to do with the result
local function execute(client, act, argument, done)
  local params = { command = PREFIX .. act, arguments = { argument } }
  client:request('workspace/executeCommand', params, function(problem, result)
    if problem then
      tell(problem.message, vim.log.levels.WARN)
    elseif done then
      done(result)
    elseif result and result.applied == false then -- Neovim itself tells of an edit
      tell(result.summary)
    end
  end)
end

-- Asks the questions one after the other. What is left empty becomes a placeholder in the record; ANSWER is the first answer.
local function prompt(client, request, answer)
  local argument = vim.deepcopy(request.argument)
  local function ask(index)
    local question = request.asks[index]
    if not question then return execute(client, request.command:sub(#PREFIX + 1), argument) end
    local function answered(text)
      if text == nil then return end -- the person does not want to go on
      argument[question.name] = vim.trim(text) ~= '' and vim.trim(text) or nil
      ask(index + 1)
    end
    if index == 1 and answer ~= '' then return answered(answer) end
    vim.ui.input({ prompt = question.question .. ' ' }, answered)
  end
  ask(1)
end

-- Calls CHOSEN with one of the memories, which a person picks if there are several.
local function pick(client, ids, root, chosen)
  if #ids == 1 then return chosen(ids[1]) end
  execute(client, 'list', { memories = ids, root = root }, function(listed)
    vim.ui.select(listed, {
      prompt = 'Which memory?',
      kind = 'memory',
      format_item = function(item) return ('%s (%s, %s)'):format(item.title, item.memory, item.verdict) end,
    }, function(item)
      if item then chosen(item.memory) end
    end)
  end)
end

local function client_of(context) return assert(vim.lsp.get_client_by_id(context.client_id)) end

--- The commands that the client runs itself: from a lens or a code action.
---@type table<string, fun(command: lsp.Command, context: table)>
M.of_client = {
  [PROMPT] = function(command, context)
    local request = command.arguments[1]
    if vim.startswith(request.command, PREFIX) then prompt(client_of(context), request, '') end
  end,
  [PREFIX .. 'open'] = function(command, context)
    local argument, client = command.arguments[1], client_of(context)
    if #(argument.memories or {}) < 2 then return execute(client, 'open', argument) end
    pick(client, argument.memories, argument.root, function(id) execute(client, 'open', { memory = id, root = argument.root }) end)
  end,
}

-- What the server offers at the cursor, or for the lines of a range.
---@param found fun(ids: string[], requests: table[], root?: string) memories that are meant, and what the server wants to know for each act
local function look_here(client, buffer, lines, found)
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  if lines then params.range = { start = { line = lines[1] - 1, character = 0 }, ['end'] = { line = lines[2], character = 0 } } end
  params.context = { diagnostics = {}, triggerKind = vim.lsp.protocol.CodeActionTriggerKind.Invoked }
  client:request('textDocument/codeAction', params, function(problem, actions)
    if problem then return tell(problem.message, vim.log.levels.WARN) end
    local ids, requests, root = {}, {}, nil
    local function add(id)
      if id and not vim.list_contains(ids, id) then table.insert(ids, id) end
    end
    for _, action in ipairs(actions or {}) do
      local argument = action.command and action.command.arguments[1] or {}
      if action.command and action.command.command == PROMPT then
        table.insert(requests, argument)
        argument = argument.argument
      end
      add(argument.memory)
      root = root or argument.root
    end
    -- The draft in a record has no action that names it, but a finding for each of its placeholders.
    if #ids == 0 then
      for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
        add(vim.tbl_get(diagnostic, 'user_data', 'lsp', 'data', 'memory'))
      end
    end
    found(ids, requests, root)
  end, buffer)
end

-- TEXT names the argument that what is typed after the command stands for.
local function on_memory(act, text)
  return function(client, buffer, call)
    look_here(client, buffer, nil, function(ids, requests, root)
      if #ids == 0 then return tell('no memory cites what is at the cursor') end
      pick(client, ids, root, function(id)
        for _, request in ipairs(requests) do
          if request.command == PREFIX .. act and request.argument.memory == id then return prompt(client, request, call.args) end
        end
        local argument = { memory = id, root = root }
        if text and call.args ~= '' then argument[text] = call.args end
        execute(client, act, argument)
      end)
    end)
  end
end

local function capture(client, buffer, call)
  local lines = call.range > 0 and { call.line1, call.line2 } or nil
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  look_here(client, buffer, lines, function(_, requests)
    for _, request in ipairs(requests) do
      if request.command == PREFIX .. 'capture' then return prompt(client, request, call.args) end
    end
    -- Not offered: the server says why.
    local position = { line = line - 1, character = column }
    execute(client, 'capture', { uri = vim.uri_from_bufnr(buffer), position = position, lines = lines })
  end)
end

local function list(client)
  execute(client, 'list', vim.empty_dict(), function(listed)
    local items = vim.tbl_map(function(item)
      local why = item.reason ~= '' and ': ' .. item.reason or ''
      return { filename = vim.uri_to_fname(item.uri), lnum = item.line + 1, type = 'W', text = ('%s (%s) %s%s'):format(item.title, item.memory, item.verdict, why) }
    end, listed)
    vim.fn.setqflist({}, ' ', { title = 'Memories to re-verify', items = items })
    if #items == 0 then return tell('nothing is to be re-verified') end
    vim.cmd('botright copen')
  end)
end

local function diff(client, buffer)
  look_here(client, buffer, nil, function(ids, _, root)
    if #ids == 0 then return tell('no memory cites what is at the cursor') end
    pick(client, ids, root, function(id)
      execute(client, 'compare', { memory = id, root = root }, function(found)
        if #found == 0 then
          return tell(('%s has nothing to compare: what it cites is as it was, or the text of then is not in git'):format(id))
        end
        local show = require('memory_lsp.comparison').show
        if #found == 1 then return show(found[1]) end
        vim.ui.select(found, {
          prompt = 'Which citation?',
          format_item = function(item) return ('%s %s (%s)'):format(item.path, item.symbol, item.verdict) end,
        }, function(item)
          if item then show(item) end
        end)
      end)
    end)
  end)
end

---@type table<string, { run: fun(client: vim.lsp.Client, buffer: integer, call: table), desc: string, nargs?: string, range?: boolean }>
local COMMANDS = {
  Open = { run = on_memory('open'), desc = 'Open the record of the memory at the cursor' },
  Verify = { run = on_memory('verify', 'evidence'), desc = 'Still true: verify it again, with evidence', nargs = '*' },
  Supersede = { run = on_memory('supersede', 'title'), desc = 'No longer true: put a newer memory in its place', nargs = '*' },
  Retire = { run = on_memory('retire', 'reason'), desc = 'Does not apply any more', nargs = '*' },
  Follow = { run = on_memory('follow', 'to'), desc = 'Point its citation at where the code has moved', nargs = '?' },
  Approve = { run = on_memory('approve'), desc = 'Approve a pending memory' },
  Reject = { run = on_memory('reject', 'reason'), desc = 'Reject a pending memory', nargs = '*' },
  Finish = { run = on_memory('finish'), desc = 'Take over what was filled in' },
  Capture = { run = capture, desc = 'A new memory about the code at the cursor, or about the lines', nargs = '*', range = true },
  List = { run = list, desc = 'All memories to re-verify, in the quickfix list' },
  Diff = { run = diff, desc = 'What the memory cites, then and now, in a diff split' },
}

--- Create the commands of a buffer.
---@param buffer integer
function M.create(buffer)
  for name, command in pairs(COMMANDS) do
    vim.api.nvim_buf_create_user_command(buffer, 'LspMemory' .. name, function(call)
      local client = vim.lsp.get_clients({ bufnr = buffer, name = 'memory_lsp' })[1]
      if not client then return tell('the server is not running; :checkhealth memory_lsp', vim.log.levels.WARN) end
      command.run(client, buffer, call)
    end, { desc = command.desc, nargs = command.nargs or 0, range = command.range })
  end
end

return M
