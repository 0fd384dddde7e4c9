-- :checkhealth memory_lsp
local M = {}

local health = vim.health

local function check_server(plugin)
  local command = plugin.options.cmd
  local program = vim.fn.exepath(command[1])
  if program == '' then
    health.error(('there is no program `%s`'):format(command[1]), { 'pip install memory-lsp', "or name it: require('memory_lsp').setup({ cmd = { '/path/to/memory-lsp', 'serve' } })" })
    return
  end
  local line = { program, unpack(command, 2) }
  if line[#line] == 'serve' then table.remove(line) end
  table.insert(line, '--version')
  local fine, process = pcall(vim.system, line, { text = true, cwd = vim.uv.os_homedir() })
  local result = fine and process:wait(15000) or { code = 1, stderr = tostring(process), stdout = '' }
  local said = vim.split(vim.trim(result.stdout .. '\n' .. (result.stderr or '')), '\n')
  if result.code ~= 0 then
    health.error(('`%s` does not run: %s'):format(table.concat(line, ' '), said[#said]), { 'run it in a terminal to see all that it says' })
    return
  end
  health.ok(('%s: %s'):format(program, said[1]))
  local problem = require('memory_lsp.process').version_problem(plugin.version, said[1]:match('%d+%.%d+[%d.]*'))
  if problem then
    health.warn(problem)
  else
    health.ok('it fits this plugin (' .. plugin.version .. ')')
  end
end

local function check_client(client)
  local buffers = vim.tbl_count(client.attached_buffers)
  health.ok(('%s: attached to %d buffer(s), position encoding %s'):format(client.root_dir, buffers, client.offset_encoding))
  for _, store in ipairs({ '.memory', '.agent_memory/packets', '.kiyo' }) do
    if vim.uv.fs_stat(vim.fs.joinpath(client.root_dir, store)) then health.info('store: ' .. store) end
  end
  local answer = client:request_sync('workspace/executeCommand', { command = 'memoryLsp.server.status', arguments = { vim.empty_dict() } }, 5000)
  if not answer or answer.err then
    health.warn('the server does not answer' .. (answer and ': ' .. answer.err.message or ''), { 'see ' .. vim.lsp.get_log_path() })
    return
  end
  for _, status in ipairs(answer.result) do
    health.info(status.text)
  end
end

function M.check()
  local plugin = require('memory_lsp')
  health.start('memory_lsp: server')
  if vim.fn.has('nvim-0.11') == 0 then
    health.error('Neovim 0.11 or newer is needed')
    return
  end
  check_server(plugin)
  if not vim.lsp.is_enabled('memory_lsp') then
    health.warn('it is not enabled', { "require('memory_lsp').setup(), or after a failure :lua vim.lsp.enable('memory_lsp')" })
  end

  health.start('memory_lsp: projects')
  local clients = vim.lsp.get_clients({ name = 'memory_lsp' })
  for _, client in ipairs(clients) do
    check_client(client)
  end
  if #clients == 0 then
    local root = vim.fs.root(vim.fn.getcwd(), plugin.markers)
    if root then
      health.info(root .. ' holds a store; open a file in it')
    else
      health.info('no store in or above ' .. vim.fn.getcwd() .. ': memory-lsp init --write makes one')
    end
  end
  health.info('what other programs change is found by the server itself, every 2 s (setting `poll`): Neovim watches no files on Linux')
end

return M
