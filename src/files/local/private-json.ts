import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { systemCode } from '../../errors.ts'
import { isObject, type Json } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { newerFormat } from './newer-format.ts'

// Each file is read once in a run: to compile a function for its schema would take longer than to walk it.
z.config({ jitless: true })

/** The content of a file: its value, or that it is not there, or that it is not what it should be, with the reason. */
type FileContent<Value> =
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'missing' }
  | { readonly state: 'damaged'; readonly code?: string | undefined }

/**
 * A file of the settings folder that holds JSON of one form, and which its owner alone can read (0600).
 * `what`: as in `The mark 2026-11-02`. `format`: the version, in member `name`; a greater one is left alone.
 */
export function privateJson<Schema extends z.ZodMiniType>(
  file: string,
  schema: Schema,
  {
    what,
    format = 1,
    name = 'format',
  }: { readonly what: string; readonly format?: number; readonly name?: string },
) {
  return {
    /** Throws a usage failure for a file of a newer payroll. */
    async read(): Promise<FileContent<z.infer<Schema>>> {
      let read: Json
      try {
        read = readJson(await readFile(file))
      } catch (error) {
        const code = systemCode(error)
        if (code === 'ENOENT') return { state: 'missing' }
        if (code === undefined && !(error instanceof NotJson)) throw error
        return { state: 'damaged', code }
      }
      const theirs = isObject(read) ? read[name] : undefined
      if (typeof theirs === 'number' && theirs > format) throw newerFormat(what, theirs, format)
      const value = readAs(schema, read)
      return value === undefined ? { state: 'damaged' } : { state: 'there', value }
    },
    /** Writes the whole file or nothing. Throws a Failure where it cannot. */
    write: (value: z.infer<Schema>): Promise<void> =>
      writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, true),
  }
}

/** A stored value as its schema has it; undefined if it does not fit the schema. */
export function readAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> | undefined {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
