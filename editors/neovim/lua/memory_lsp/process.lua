-- The server's process: a server that is missing, does not start or ends again and again gives one message, and is then
-- left alone until somebody enables it.
local M = {}

local ENABLE = ":lua vim.lsp.enable('memory_lsp')"
local MOST_ENDS = 3
local ends = 0
local round = 0 -- processes of a round that was given up tell nothing any more: the message was given

-- vim.lsp starts a server anew for each buffer that is opened; one that cannot run would tell so each time.
local function give_up()
  round = round + 1
  vim.lsp.enable('memory_lsp', false)
end

local function tell(message) vim.notify('memory_lsp: ' .. message, vim.log.levels.WARN) end

local function ended(name, answered, code, signal)
  if vim.v.exiting ~= vim.NIL or code == 0 and (signal == 0 or signal == 15) then return end
  ends = ends + 1
  local how = signal ~= 0 and ('signal %d'):format(signal) or ('exit code %d'):format(code)
  if not answered then
    ends = 0
    give_up()
    tell(('`%s` did not start (%s); :checkhealth memory_lsp says why, then %s'):format(name, how, ENABLE))
  elseif ends >= MOST_ENDS then
    ends = 0
    give_up()
    tell(('the server ended again and again (%s); see %s, then %s'):format(how, vim.lsp.get_log_path(), ENABLE))
  else
    tell(('the server ended (%s); :edit starts it again'):format(how))
  end
end

--- The `cmd` of a client that runs COMMAND.
---@param command string[]
function M.start(command)
  return function(dispatchers, config)
    local program = vim.fn.exepath(command[1])
    if program == '' then
      give_up()
      error(('memory_lsp: there is no program `%s`: pip install memory-lsp, then %s'):format(command[1], ENABLE), 0)
    end
    local answered, mine = false, round
    local watched = vim.tbl_extend('force', dispatchers, {
      on_exit = function(code, signal)
        vim.schedule(function()
          if mine == round then ended(command[1], answered, code, signal) end
        end)
        dispatchers.on_exit(0, 0) -- else Neovim tells it, too
      end,
    })
    -- Not the project as working folder: `python -m` would look for modules in it.
    local rpc = vim.lsp.rpc.start({ program, unpack(command, 2) }, watched, {
      cwd = config.cmd_cwd or vim.uv.os_homedir(),
      env = config.cmd_env,
      detached = config.detached,
    })
    return vim.tbl_extend('force', rpc, {
      request = function(method, params, callback, ...)
        return rpc.request(method, params, function(...)
          answered = true
          return callback(...)
        end, ...)
      end,
    })
  end
end

local function numbers(version)
  local major, minor = (version or ''):match('^(%d+)%.(%d+)')
  if major then return { tonumber(major), tonumber(minor) } end
end

--- What to update; nil if plugin and server belong together: the first two numbers of their versions are equal.
---@param plugin string
---@param server? string
---@return string?
function M.version_problem(plugin, server)
  local mine, theirs = assert(numbers(plugin)), numbers(server)
  if not theirs then
    return ('the server does not tell its version; this plugin is for memory-lsp %d.%d: update the server'):format(mine[1], mine[2])
  end
  if vim.deep_equal(mine, theirs) then return nil end
  if vim.version.lt({ theirs[1], theirs[2], 0 }, { mine[1], mine[2], 0 }) then
    return ('memory-lsp %s is older than this plugin (%s): pip install --upgrade memory-lsp'):format(server, plugin)
  end
  return ('memory-lsp %s is newer than this plugin (%s): update the plugin'):format(server, plugin)
end

---@param client vim.lsp.Client
---@param plugin string
function M.check_version(client, plugin)
  local problem = M.version_problem(plugin, (client.server_info or {}).version)
  if problem then vim.notify_once('memory_lsp: ' .. problem, vim.log.levels.WARN) end
end

return M
