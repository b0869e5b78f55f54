import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json } from '../../api/contract/path.ts'
import type { ColumnMap } from '../../bulk/reading/source.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { NotJson, readJson } from '../../formats/json.ts'
import { ensurePrivateDirectory, systemCode } from '../../profile/directory.ts'

/** How a person names the map of the last time instead of a file. */
const remembered = 'remembered'

/**
 * What each column of a file is: as the file of --map says, which is then remembered by the header. A header that was
 * mapped before is offered its map at a terminal; elsewhere `--map remembered` takes it. Throws a usage failure for a
 * map that is none.
 */
export async function columnMapFor(
  context: Context,
  header: readonly string[] | undefined,
  given: string | undefined,
): Promise<ColumnMap | undefined> {
  if (!header) return given === undefined ? undefined : readMap(given)
  const folder = join(await context.directory(), 'column-maps')
  const kept = join(
    folder,
    `${createHash('sha256').update(JSON.stringify(header)).digest('hex').slice(0, 32)}.json`,
  )
  if (given !== undefined && given !== remembered) {
    const map = await readMap(given)
    await ensurePrivateDirectory(folder)
    await writeWhole(kept, `${JSON.stringify(map)}\n`, true)
    return map
  }
  const before = await readMap(kept).catch(() => undefined)
  if (given === remembered && !before)
    throw usage('No map is remembered for a file with this header. Nothing was sent.')
  if (given === remembered || !before) return before
  if (context.interactive) {
    const { ask } = await import('../../prompts/ask.ts')
    const message = 'This header was mapped before. Read the columns as then?'
    return (await ask(context).confirm({ message, default: true })) ? before : undefined
  }
  context.note('This header was mapped before: --map remembered reads its columns as then.')
  return undefined
}

async function readMap(path: string): Promise<ColumnMap> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw usage(`${path} cannot be opened (${systemCode(error)}). Nothing was sent.`)
  })
  let map: Json
  try {
    map = readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw usage(`${path} holds no map: ${error.message}. Nothing was sent.`)
  }
  const isMap = isObject(map) && Object.values(map).every((to) => typeof to === 'string' || to === null)
  if (isMap) return map as ColumnMap
  throw usage(
    `${path} is no map of columns. Nothing was sent.`,
    'It is JSON like {"Ref": "generalSetting.agencyRef", "Notes": null}; null leaves a column out.',
  )
}
