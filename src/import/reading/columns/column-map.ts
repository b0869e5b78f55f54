import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { systemCode, usage } from '../../../errors.ts'
import { writeFileAtomic } from '../../../files/atomic-file.ts'
import { ensurePrivateDirectory } from '../../../files/private-directory.ts'
import { isObject, type Json } from '../../../json/path.ts'
import { NotJson, readJson } from '../../../json/read-json.ts'
import type { ColumnMap } from './file-columns.ts'

const largestMap = 1024 * 1024

/**
 * Reads a map from a JSON or YAML file: `{"Your column": "generalSetting.surname", "Notes": null}`. Throws a usage
 * failure if the file cannot be read or is not a map.
 */
export async function readColumnMap(path: string): Promise<ColumnMap> {
  const refuse = (error: unknown): never => {
    throw usage(`${path} cannot be opened (${systemCode(error)}). Nothing was sent.`)
  }
  const stats = await stat(path).catch(refuse)
  if (!stats.isFile() || stats.size > largestMap) {
    throw usage(
      `${path} is not a column map: it is not a regular file, or larger than 1 MiB. Nothing was sent.`,
    )
  }
  const bytes = await readFile(path).catch(refuse)
  const value = /\.ya?ml$/i.test(path) ? await fromYaml(bytes, path) : fromJson(bytes, path)
  if (isMap(value)) return value
  throw usage(
    `${path} is not a column map. Nothing was sent.`,
    'Write {"Your column": "path.of.the.field"}, and null for a column that is not sent.',
  )
}

function fromJson(bytes: Uint8Array, path: string): Json {
  try {
    return readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const names = error.issues.map((issue) => issue.path).join(', ')
    throw usage(`${path} is not a column map: ${error.message}${names && ` (${names})`}. Nothing was sent.`)
  }
}

async function fromYaml(bytes: Uint8Array, path: string): Promise<Json> {
  const { readYaml } = await import('../../../formats/read-yaml.ts')
  const value = readYaml(new TextDecoder().decode(bytes))
  if (value === undefined) throw usage(`${path} is not a column map: it is not YAML. Nothing was sent.`)
  return value
}

function isMap(value: Json): value is ColumnMap {
  return isObject(value) && Object.values(value).every((path) => path === null || typeof path === 'string')
}

/** The map last used for this header, if any. */
export async function savedMap(
  directory: string,
  type: RecordType,
  header: readonly string[],
): Promise<ColumnMap | undefined> {
  const map = (await readMaps(directory))[digest(type, header)]
  return isMap(map) ? map : undefined
}

/** Saves a map for the next file with this header. Throws a Failure if it cannot. */
export async function saveMap(
  directory: string,
  type: RecordType,
  header: readonly string[],
  map: ColumnMap,
): Promise<void> {
  await ensurePrivateDirectory(directory)
  const maps = { ...(await readMaps(directory)), [digest(type, header)]: map }
  await writeFileAtomic(fileIn(directory), `${JSON.stringify(maps, null, 2)}\n`, true)
}

const fileIn = (directory: string) => join(directory, 'columns.json')

/** The saved maps; none if the file is missing or damaged: the next import writes a new one. */
async function readMaps(directory: string): Promise<Readonly<Record<string, Json>>> {
  try {
    const value = readJson(await readFile(fileIn(directory)))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function digest({ displayName }: RecordType, header: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([displayName, header]))
    .digest('hex')
}
