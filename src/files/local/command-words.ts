import { statSync } from 'node:fs'
import { platform } from 'node:os'
import { win32 } from 'node:path'
import { usage } from '../../errors.ts'

/** A pattern for the closed parts of a command: an escaped sign, and text in quotation marks. */
function closedIn(escapeSign: string): RegExp {
  const e = `\\${escapeSign}`
  return new RegExp(String.raw`${e}[^]|\$'(?:\\[^]|[^\\'])*'|"(?:${e}[^]|[^"${e}])*"|'[^']*'`, 'g')
}

/**
 * The words of a command as a shell takes them apart; undefined for more than one command. Throws a usage
 * failure for a quotation mark or a brace that is left open.
 */
export async function commandWords(command: string, env: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  // Backslashes escape elsewhere, but a path of Windows is full of them.
  const escapeSign = platform() === 'win32' ? '^' : '\\'
  const [open] = /["']/.exec(command.replace(closedIn(escapeSign), '')) ?? []
  if (open !== undefined) throw usage(`$VISUAL or $EDITOR has a quotation mark (${open}) that is not closed.`)
  const { parse } = await import('shell-quote')
  let words: ReturnType<typeof parse>
  try {
    words = parse(command, (name) => env[name] ?? '', { escape: escapeSign })
  } catch {
    throw usage('$VISUAL or $EDITOR has a variable whose braces are empty, or not closed.')
  }
  const plain = words.map((word) =>
    typeof word === 'string' ? word : 'op' in word && word.op === 'glob' ? word.pattern : undefined,
  )
  return plain.every((word) => word !== undefined) ? plain : undefined
}

/**
 * How a program is started without a shell, as `spawn` of Node takes it; undefined if it is not there. Windows looks on PATH with
 * PATHEXT, never in the working folder, and runs a .cmd or a .bat by cmd.exe alone. Throws a usage failure
 * for an argument it cannot take.
 */
export function startable(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { system = platform(), isFile = isFileHere } = {},
): { file: string; args: readonly string[]; windowsVerbatimArguments?: true } | undefined {
  if (system !== 'win32') return { file: program, args }
  const file = onWindowsPath(program, env, isFile)
  if (file === undefined) return undefined
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args }
  const line = [file, ...args].map(quoteForBatch).join(' ')
  const interpreter = win32.join(variable(env, 'SystemRoot') || 'C:\\Windows', 'System32', 'cmd.exe')
  // No AutoRun of the registry, %name% alone means a variable, and the outermost quotes are taken off.
  return {
    file: interpreter,
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    // They are quoted already.
    windowsVerbatimArguments: true,
  }
}

/** An environment variable. Windows does not mind capitals in its name: `Path`. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const same = Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase())
  return same === undefined ? undefined : env[same]
}

function onWindowsPath(
  program: string,
  env: NodeJS.ProcessEnv,
  isFile: (path: string) => boolean,
): string | undefined {
  const endings = (variable(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';').filter((each) => each !== '')
  const hasEnding = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()))
  const names = [...(hasEnding ? [program] : []), ...endings.map((ending) => program + ending)]
  const folders = /[\\/:]/.test(program)
    ? ['']
    : (variable(env, 'PATH') ?? '').split(';').filter((folder) => win32.isAbsolute(folder))
  return folders
    .flatMap((folder) => names.map((name) => (folder === '' ? name : win32.join(folder, name))))
    .find(isFile)
}

const isFileHere = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/**
 * One word for cmd.exe and its batch file: quotes, and backslashes before one, are doubled, and an empty
 * part of a variable (`%cd:~,%`) stands before a percent sign, so that no name of a variable follows it.
 */
function quoteForBatch(word: string): string {
  if (/[\0\r\n]/.test(word)) {
    throw usage('An argument with a line break cannot be given to a .cmd or .bat program.')
  }
  const quoted = word.replace(/\\+(?="|$)/g, '$&$&').replaceAll('"', '""')
  return `"${quoted.replaceAll('%', '%%cd:~,%')}"`
}
