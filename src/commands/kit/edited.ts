import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, JsonObject } from '../../api/contract/path.ts'
import type { Context } from '../../context.ts'
import { invalidInput, usage } from '../../errors.ts'
import { NotJson, readJson } from '../../formats/json.ts'
import { ensurePrivateDirectory } from '../../profile/directory.ts'

/**
 * A record as a person leaves it in $VISUAL or $EDITOR. The file is theirs alone, and gone afterwards. Throws a
 * Failure: exit 2 without an editor, exit 3 for what is no JSON any more.
 */
export async function edited(context: Context, before: JsonObject): Promise<Json> {
  const { env } = context.host
  const command = (env.VISUAL || env.EDITOR || '').trim()
  if (command === '') throw usage('--edit opens $VISUAL or $EDITOR; neither is set.')
  const directory = await context.directory()
  await ensurePrivateDirectory(directory)
  const file = join(directory, `edit-${randomUUID()}.json`)
  // A run that is stopped waits for no editor.
  context.interruption.signal.addEventListener('abort', () => rmSync(file, { force: true }))
  try {
    await writeFile(file, `${JSON.stringify(before, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await run(command, file, context)
    return parse(await readFile(file))
  } finally {
    await rm(file, { force: true })
  }
}

function run(command: string, file: string, { host, interruption }: Context): Promise<void> {
  const [editor = '', ...args] = command.split(/\s+/)
  return new Promise((resolve, reject) => {
    const child = spawn(editor, [...args, file], { stdio: 'inherit', env: host.env })
    // It would write its file again, and keep the terminal.
    interruption.signal.addEventListener('abort', () => child.kill())
    child.on('error', () => reject(usage(`The editor ${editor} cannot be started. Nothing was sent.`)))
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(usage(`The editor ${editor} ended with ${code}. Nothing was sent.`)),
    )
  })
}

function parse(bytes: Uint8Array): Json {
  try {
    return readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw invalidInput(`The file cannot be read any more: ${error.message}. Nothing was sent.`, [])
  }
}
