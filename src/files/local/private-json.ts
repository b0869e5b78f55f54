import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { type Failure, systemCode } from '../../errors.ts'
import { capital } from '../../text/words.ts'
import { parseJson } from '../json/parse.ts'
import { isObject, type Json } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { withLock } from './lock.ts'
import { newerFormat } from './newer-format.ts'
import { ensurePrivateDirectory } from './private-directory.ts'

// Each file is read once in a run: to compile a function for its schema would take longer than to walk it.
z.config({ jitless: true })

interface PrivateJson {
  /** What messages call the file: `the bookmark`. */
  readonly what: string
  /** The version, in member `name`; a greater one is left alone. */
  readonly format?: number
  readonly name?: string
  /** Why a file that is not what it should be is not used; without it such a file counts as none. `code`: that of the system. */
  readonly damaged?: (code: string | undefined) => Failure
}

/** A file of the settings folder that holds JSON of one form, and which its owner alone can read (0600). */
export function privateJson<Schema extends z.ZodMiniType>(
  file: string,
  schema: Schema,
  { what, format = 1, name = 'format', damaged }: PrivateJson,
) {
  type Value = z.infer<Schema>
  const refuse = (code?: string): undefined => {
    if (damaged) throw damaged(code)
  }
  /** The value; undefined where there is none. Throws a usage failure for a file of a newer payroll. */
  async function read(): Promise<Value | undefined> {
    let content: Json
    try {
      content = readJson(await readFile(file))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOENT') return undefined
      if (code === undefined && !(error instanceof NotJson)) throw error
      return refuse(code)
    }
    const theirs = isObject(content) ? content[name] : undefined
    if (typeof theirs === 'number' && theirs > format)
      throw newerFormat(capital(`${what} ${file}`), theirs, format)
    return parsedAs(schema, content) ?? refuse()
  }
  /** Writes the whole file or nothing, and makes its folder. Throws a Failure where it cannot. */
  async function write(value: Value): Promise<void> {
    await ensurePrivateDirectory(dirname(file))
    await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, true)
  }
  return {
    read,
    write,
    /** Writes what `by` makes of the value, while no other run changes it. */
    change: (by: (before: Value | undefined) => Value | Promise<Value>): Promise<void> =>
      alone(async () => write(await by(await read()))),
    /** Removes the file. Returns whether there was one. */
    remove: (): Promise<boolean> =>
      alone(async () => {
        const isThere = existsSync(file)
        if (isThere) await rm(file)
        return isThere
      }),
  }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    return withLock(`${what} ${file}`, work)
  }
}

/** A stored value as its schema has it; undefined if it does not fit the schema. */
export function parsedAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> | undefined {
  const result = schema.safeParse(value)
  return result.success ? result.data : undefined
}

/** A line of a file of ours as its schema has it; undefined for a damaged one. */
export function parseLine<Schema extends z.ZodMiniType>(
  schema: Schema,
  line: string,
): z.infer<Schema> | undefined {
  try {
    return parsedAs(schema, parseJson(line))
  } catch {
    return undefined
  }
}
