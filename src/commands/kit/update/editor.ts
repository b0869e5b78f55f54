import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../context/context.ts'
import { invalidInput, usage } from '../../../errors.ts'
import type { Json, JsonObject } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { commandWords, startable } from '../../../files/local/command-words.ts'
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
    await clearLeftovers(directory)
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

async function openInEditor(command: string, file: string, context: Context): Promise<void> {
  const { host, interruption } = context
  const words = await commandWords(command, host.env)
  if (!words) {
    throw usage(
      '$VISUAL or $EDITOR holds more than one command.',
      'Write the editor and its options alone: EDITOR=\'"/Applications/My Editor/ed" --wait\'',
    )
  }
  const [editor = '', ...args] = words
  const start = startable(editor, [...args, file], host.env)
  const missing = usage(
    `The editor ${editor} cannot be started.`,
    'Name one that is installed: set EDITOR to its command.',
  )
  if (!start) throw missing
  return new Promise((resolve, reject) => {
    const child = spawn(start.file, start.args, {
      stdio: 'inherit',
      env: neededEnvironment(host.env),
      windowsVerbatimArguments: start.windowsVerbatimArguments,
    })
    // An editor that goes on would write its file again, and keep the terminal.
    interruption.signal.addEventListener('abort', () => child.kill())
    child.on('error', () => reject(missing))
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(usage(`The editor ${editor} ended with exit code ${code}.`)),
    )
  })
}
