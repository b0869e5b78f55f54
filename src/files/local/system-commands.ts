import { platform } from 'node:os'
import { quoted } from '../../text/shell-word.ts'

/**
 * The commands of this system that a message tells somebody to type; on Windows those of both cmd and
 * PowerShell, but for setting variables.
 */
export function systemCommands(system = platform()) {
  if (system === 'win32')
    return {
      /** Gives a file another name, so that a new one can take its place. */
      moveAside: (file: string) => `move "${file}" "${file}.bak"`,
      showOwner: (path: string) => `icacls "${path}"`,
      /** The command with a file as its standard input. */
      readFrom: (file: string, command: string) => `type ${file} | ${command}`,
      setVariables: (values: Readonly<Record<string, string>>) =>
        Object.entries(values)
          .map(([name, value]) => `$env:${name} = '${value}'`)
          .join('; '),
      // In PowerShell 5.1 curl is another command.
      curl: 'curl.exe',
    }
  return {
    moveAside: (file: string) => `mv ${quoted(file)} ${quoted(`${file}.bak`)}`,
    showOwner: (path: string) => `ls -ld ${quoted(path)}`,
    readFrom: (file: string, command: string) => `${command} < ${file}`,
    setVariables: (values: Readonly<Record<string, string>>) =>
      `export ${Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
    curl: 'curl',
  }
}
