import { platform } from 'node:os'

/** The commands of a system that a message tells somebody to type. */
interface SystemCommands {
  /** Gives a file another name, so that a new one can take its place. */
  readonly moveAside: (file: string) => string
  readonly remove: (files: readonly string[]) => string
  readonly showOwner: (path: string) => string
  readonly setClock: string
  /** The command with a file as its standard input. */
  readonly readFrom: (file: string, command: string) => string
  readonly setVariables: (values: Readonly<Record<string, string>>) => string
  readonly curl: string
}

/** The commands of this system; on Windows those of both cmd and PowerShell, but for setting variables. */
export function systemCommands(system = platform()): SystemCommands {
  if (system === 'win32')
    return {
      moveAside: (file) => `move "${file}" "${file}.bak"`,
      remove: (files) => files.map((file) => `del "${file}"`).join(', then '),
      showOwner: (path) => `icacls "${path}"`,
      setClock: 'w32tm /resync',
      readFrom: (file, command) => `type ${file} | ${command}`,
      setVariables: (values) =>
        Object.entries(values)
          .map(([name, value]) => `$env:${name} = '${value}'`)
          .join('; '),
      // In PowerShell 5.1 curl is another command.
      curl: 'curl.exe',
    }
  return {
    moveAside: (file) => `mv ${quoted(file)} ${quoted(`${file}.bak`)}`,
    remove: (files) => `rm ${files.map(quoted).join(' ')}`,
    showOwner: (path) => `ls -ld ${quoted(path)}`,
    setClock: system === 'darwin' ? 'sudo sntp -sS time.apple.com' : 'timedatectl set-ntp true',
    readFrom: (file, command) => `${command} < ${file}`,
    setVariables: (values) =>
      `export ${Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
    curl: 'curl',
  }
}

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
