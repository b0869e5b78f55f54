import { isObject, type Json, type JsonObject, parsePath } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { stringifyJson } from '../json/stringify.ts'

/** The answers in a form that was not sent yet. Contains personal data, but never a key. */
export interface Draft {
  /** Eight hexadecimal digits: the name of its file. */
  readonly id: string
  /** The operation that would send it: `candidates.createIreland`. */
  readonly operation: string
  /** The values for the braces of the operation's path. */
  readonly parameters: Readonly<Record<string, string>>
  /** The profile it belongs to: a draft for one service is not offered for another. */
  readonly profile: string
  /** `null` for the sandbox. */
  readonly origin: string | null
  /** When it was last written: ISO 8601 in UTC. */
  readonly changed: string
  /** The version of the tool that wrote it. */
  readonly tool: string
  /** When it was sent, if the outcome is unknown. */
  readonly sent?: string
  /** The record that the form started from. */
  readonly before: JsonObject
  /** By field path; `undefined` for a field that the person emptied. */
  readonly answers: Readonly<Record<string, Json>>
}

/** The version of the file format; other versions are not read. */
const format = 1

export const isDraftId = (text: string) => /^[0-9a-f]{8}$/.test(text)

/** A draft as the text of its file. JSON has no `undefined`, so an answer is a pair, or only a path. */
export function draftText({ id, answers, ...others }: Draft): string {
  const pairs = Object.entries(answers).map(([path, value]) => (value === undefined ? [path] : [path, value]))
  return `${stringifyJson({ format, ...others, answers: pairs }, 2)}\n`
}

/** The draft in a file, or what is wrong with it, to follow `cannot be read:`. */
export function parseDraft(id: string, bytes: Uint8Array): Draft | string {
  let read: Json
  try {
    read = readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return error.message
  }
  if (!isObject(read) || read.format === undefined) return 'it is not a draft'
  if (read.format !== format) return `another version of payroll wrote it${versionIn(read)}`
  const { operation, parameters, profile, origin, changed, tool, sent, before, answers } = read
  const told = answersIn(answers)
  const sound =
    [operation, profile, changed, tool].every(isText) &&
    !Number.isNaN(Date.parse(String(changed))) &&
    (origin === null || isText(origin)) &&
    (sent === undefined || !Number.isNaN(Date.parse(String(sent)))) &&
    isObject(parameters) &&
    Object.values(parameters).every(isText) &&
    isObject(before)
  if (!sound || !told) return 'a part of it is missing'
  const { format: _, answers: __, ...others } = read
  return { ...(others as unknown as Omit<Draft, 'id' | 'answers'>), id, answers: told }
}

function answersIn(pairs: Json): Draft['answers'] | undefined {
  if (!Array.isArray(pairs)) return undefined
  const sound = pairs.every(
    (pair) => Array.isArray(pair) && pair.length <= 2 && isText(pair[0]) && parsePath(pair[0]),
  )
  return sound ? Object.fromEntries(pairs.map(([path, value]) => [path, value])) : undefined
}

function versionIn({ tool }: JsonObject): string {
  return isText(tool) && /^[\w.+-]{1,30}$/.test(tool) ? ` (${tool})` : ''
}

const isText = (value: Json): value is string => typeof value === 'string'
