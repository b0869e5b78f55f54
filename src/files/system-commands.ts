import { platform } from 'node:os'

/** The commands of a system that a message tells somebody to type. */
export interface SystemCommands {
  /** Gives a file another name, so that a new one can take its place. */
  readonly moveAside: (file: string) => string
  readonly remove: (files: readonly string[]) => string
  /** Shows whose a file or folder is. */
  readonly showOwner: (path: string) => string
  /** Sets the clock by another computer. */
  readonly setClock: string
}

/** Of Windows each is one that cmd and PowerShell both have. A path there has no double quotes in it. */
export function systemCommands(system = platform()): SystemCommands {
  if (system === 'win32')
    return {
      moveAside: (file) => `move "${file}" "${file}.bak"`,
      remove: (files) => files.map((file) => `del "${file}"`).join(', then '),
      showOwner: (path) => `icacls "${path}"`,
      setClock: 'w32tm /resync',
    }
  return {
    moveAside: (file) => `mv ${quoted(file)} ${quoted(`${file}.bak`)}`,
    remove: (files) => `rm ${files.map(quoted).join(' ')}`,
    showOwner: (path) => `ls -ld ${quoted(path)}`,
    setClock: system === 'darwin' ? 'sudo sntp -sS time.apple.com' : 'timedatectl set-ntp true',
  }
}

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
