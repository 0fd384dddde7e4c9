/** Finding the server: the setting, then the workspace's Python environment if the workspace is trusted, then the PATH. */
import path from 'node:path';

export interface Surroundings {
  /** The setting `memoryLsp.command`. */
  configured: readonly string[];
  trusted: boolean;
  /** Workspace folders as paths. */
  folders: readonly string[];
  /** The Python environment that the Python extension has chosen, as a path: of its interpreter or of its folder. */
  chosenEnvironment: () => Promise<string | undefined>;
  searchPath: string;
  windows: boolean;
  isExecutable: (file: string) => boolean;
}

export interface Server {
  found: true;
  command: string;
  arguments: string[];
  /** Where it was found, for the log. */
  origin: string;
}

export interface NoServer {
  found: false;
  /** One line: what is wrong and where it was looked for. */
  problem: string;
  /** A command line that mends it. */
  install: string;
}

const NAME = 'memory-lsp';
const ENVIRONMENTS = ['.venv', 'venv'];

export async function findServer(around: Surroundings): Promise<Server | NoServer> {
  const [first, ...rest] = around.configured.map(part => part.replaceAll('${workspaceFolder}', around.folders[0] ?? ''));
  if (first !== undefined) {
    const command = resolved(first, around);
    if (command === undefined) {
      return { found: false, problem: `the setting memoryLsp.command names "${first}", which is no program here`, install: await installCommand(around) };
    }
    return { found: true, command, arguments: rest.length > 0 ? rest : ['serve'], origin: 'the setting memoryLsp.command' };
  }
  const looked: string[] = [];
  if (around.trusted) {
    for (const folder of around.folders) {
      for (const environment of ENVIRONMENTS) {
        const command = inEnvironment(path.join(folder, environment), around);
        if (command !== undefined) return { found: true, command, arguments: ['serve'], origin: path.join(folder, environment) };
      }
    }
    looked.push(`in this workspace's Python environment (${ENVIRONMENTS.join(', ')})`);
    const chosen = await around.chosenEnvironment();
    if (chosen !== undefined) {
      const command = inEnvironment(environmentOf(chosen), around);
      if (command !== undefined) return { found: true, command, arguments: ['serve'], origin: chosen };
      looked.push(`in the one that the Python extension has chosen (${chosen})`);
    }
  }
  const command = onPath(NAME, around);
  if (command !== undefined) return { found: true, command, arguments: ['serve'], origin: 'the PATH' };
  looked.push('on the PATH');
  const unless = around.trusted ? '' : '; in an untrusted workspace its own environment is not used';
  return { found: false, problem: `the server ${NAME} is not installed: not ${looked.join(', not ')}${unless}`, install: await installCommand(around) };
}

/** What to type to get the server: into the workspace's own environment if it has one, else one for all projects. */
export async function installCommand(around: Surroundings): Promise<string> {
  if (around.trusted) {
    for (const folder of around.folders) {
      for (const environment of ENVIRONMENTS) {
        const python = program(path.join(folder, environment), 'python', around);
        if (around.isExecutable(python)) return `${quoted(python, around.windows)} -m pip install ${NAME}`;
      }
    }
    const chosen = await around.chosenEnvironment();
    const python = chosen === undefined ? undefined : program(environmentOf(chosen), 'python', around);
    if (python !== undefined && around.isExecutable(python)) return `${quoted(python, around.windows)} -m pip install ${NAME}`;
  }
  return `pipx install ${NAME}`;
}

function quoted(file: string, windows: boolean): string {
  if (/^[\w./:\\-]+$/.test(file)) return file;
  return windows ? `& "${file}"` : `'${file.replaceAll("'", "'\\''")}'`;
}

/** The folder of an environment, from itself or from its interpreter (`bin/python`, `Scripts\python.exe`). */
function environmentOf(chosen: string): string {
  return /^python[\d.]*(\.exe)?$/i.test(path.basename(chosen)) ? path.dirname(path.dirname(chosen)) : chosen;
}

function program(environment: string, name: string, around: Surroundings): string {
  return around.windows ? path.join(environment, 'Scripts', `${name}.exe`) : path.join(environment, 'bin', name);
}

function inEnvironment(environment: string, around: Surroundings): string | undefined {
  const file = program(environment, NAME, around);
  return around.isExecutable(file) ? file : undefined;
}

/** A configured program: a path as it is, a name by the PATH. A relative path would depend on the folder: it is none. */
function resolved(command: string, around: Surroundings): string | undefined {
  if (path.isAbsolute(command)) return around.isExecutable(command) ? command : undefined;
  return /[\\/]/.test(command) ? undefined : onPath(command, around);
}

/** Relative entries of the PATH are left out: they would name programs of the workspace. */
function onPath(name: string, around: Surroundings): string | undefined {
  const names = around.windows && path.extname(name) === '' ? [`${name}.exe`] : [name];
  for (const folder of around.searchPath.split(path.delimiter)) {
    for (const candidate of path.isAbsolute(folder) ? names : []) {
      const file = path.join(folder, candidate);
      if (around.isExecutable(file)) return file;
    }
  }
  return undefined;
}
