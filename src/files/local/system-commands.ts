import { platform } from 'node:os'

/**
 * The commands of this system that a message tells somebody to type; on Windows those of both cmd and
 * PowerShell, but for setting variables.
 */
export function systemCommands(system = platform()) {
  if (system === 'win32')
    return {
      /** Gives a file another name, so that a new one can take its place. */
      moveAside: (file: string) => `move "${file}" "${file}.bak"`,
      remove: (files: readonly string[]) => files.map((file) => `del "${file}"`).join(', then '),
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
    moveAside: (file: string) => `mv ${quote(file)} ${quote(`${file}.bak`)}`,
    remove: (files: readonly string[]) => `rm ${files.map(quote).join(' ')}`,
    showOwner: (path: string) => `ls -ld ${quote(path)}`,
    readFrom: (file: string, command: string) => `${command} < ${file}`,
    setVariables: (values: Readonly<Record<string, string>>) =>
      `export ${Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
    curl: 'curl',
  }
}

const quote = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
