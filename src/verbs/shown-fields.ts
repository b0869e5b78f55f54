import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Operation } from '../api/contract/operations/operation.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { ensurePrivateDirectory } from '../files/private-directory.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { readJson } from '../json/read-json.ts'

/** Which fields the service of a profile shows of somebody, and for which this was looked at in vain. */
interface SeenFields {
  readonly shown: readonly string[]
  readonly unshown: readonly string[]
}

/**
 * What the service of a profile has shown today, by the operation that reads it: names of fields and the day, nothing of
 * a person. Only today counts: the rights of a key may change.
 */
export async function fieldsSeenToday(context: Context, reads: Operation): Promise<SeenFields> {
  const all = await readAll(context)
  const name = await entryName(context, reads)
  const namesIn = (known: Json) =>
    isObject(known) ? Object.keys(known).filter((path) => known[path] === context.today()) : []
  return { shown: namesIn(all[name]), unshown: namesIn(all[unshownName(name)]) }
}

/** Remembers them, readable by their owner only. Where that fails, the next run looks again. */
export async function rememberSeenFields(
  context: Context,
  reads: Operation,
  { shown, unshown }: SeenFields,
): Promise<void> {
  if (shown.length + unshown.length === 0) return
  try {
    const directory = await context.directory()
    await ensurePrivateDirectory(directory)
    const name = await entryName(context, reads)
    const all = await readAll(context)
    // A newer payroll wrote it in another format.
    if ('format' in all) return
    const added = (entry: string, paths: readonly string[]) => {
      const today = Object.fromEntries(paths.map((path) => [path, context.today()]))
      return paths.length === 0 ? {} : { [entry]: { ...(isObject(all[entry]) && all[entry]), ...today } }
    }
    const text = JSON.stringify(
      { ...all, ...added(name, shown), ...added(unshownName(name), unshown) },
      null,
      2,
    )
    await writeFileAtomic(fileIn(directory), `${text}\n`, true)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

const unshownName = (name: string) => `${name} shows of nobody`

const fileIn = (directory: string) => join(directory, 'shown-fields.json')

/** Another address, or another profile with its own key, may show other fields. */
async function entryName(context: Context, { id }: Operation): Promise<string> {
  const { name, origin = '' } = await context.profile()
  return `${name} ${origin} ${id}`
}

/** Nothing if the file is missing or damaged. */
async function readAll(context: Context): Promise<Readonly<JsonObject>> {
  try {
    const value: Json = readJson(await readFile(fileIn(await context.directory())))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
