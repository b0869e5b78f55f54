import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../context/context.ts'
import { invalidInput, usage } from '../../../errors.ts'
import type { Json, JsonObject } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { clearLeftovers, editName } from '../../../files/local/leftovers.ts'
import { ensurePrivateDirectory } from '../../../files/local/private-directory.ts'
import { neededEnvironment } from '../../../secrets.ts'
import { parseGiven } from '../input.ts'

/** Lets a person change a record in an editor. Throws exit 2 without an editor, exit 3 for what is not JSON any more. */
export async function editInEditor(context: Context, before: JsonObject): Promise<Json> {
  const { env } = context.host
  const usual = platform() === 'win32' ? 'notepad' : 'nano'
  const command = env.VISUAL?.trim() || env.EDITOR?.trim() || usual
  const directory = await context.directory()
  await ensurePrivateDirectory(directory)
  const file = join(directory, editName())
  // A run that is interrupted does not wait for the editor, so its file is removed at once.
  context.interruption.signal.addEventListener('abort', () => rmSync(file, { force: true }))
  try {
    clearLeftovers(directory)
    await writeFile(file, `${stringifyJson(before, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await openInEditor(command, file, context)
    const bytes = await readFile(file).catch(() => {
      throw invalidInput(
        'The file could not be read after the editor closed.',
        [],
        'An editor that opens in the background needs its option to wait, such as EDITOR="code --wait".',
      )
    })
    return parseGiven(bytes, 'The edited file')
  } finally {
    await rm(file, { force: true })
  }
}

/** Runs the command by a shell, as git does: it may have options, and a path with blanks in quotation marks. */
async function openInEditor(command: string, file: string, { host, interruption }: Context): Promise<void> {
  const env = neededEnvironment(host.env)
  const child =
    platform() === 'win32'
      ? spawn(`${command} "${file}"`, {
          shell: true,
          stdio: 'inherit',
          // Otherwise cmd.exe looks for the editor first where the tool happens to run.
          env: { ...env, NoDefaultCurrentDirectoryInExePath: '1' },
        })
      : spawn('/bin/sh', ['-c', `exec ${command} "$@"`, command, file], { stdio: 'inherit', env })
  // An editor that goes on would write its file again, and keep the terminal.
  interruption.signal.addEventListener('abort', () => child.kill())
  const code = await new Promise<number | null | undefined>((resolve) => {
    child.on('error', () => resolve(undefined))
    child.on('exit', resolve)
  })
  if (code === 0) return
  // A shell ends with 127 where there is no such program, and cmd.exe with 9009.
  const isMissing = code === undefined || code === 127 || code === 9009
  const problem = isMissing ? 'cannot be started' : `ended with exit code ${code}`
  throw usage(`The editor ${command} ${problem}.`, 'To use another one, set EDITOR to its command.')
}
