import type { Issue } from '../../errors.ts'
import { duplicateNames } from './duplicate-names.ts'
import { ExactNumber } from './numbers.ts'
import { parseJson } from './parse.ts'
import { formatPath, type Json } from './path.ts'

/** Why a text is not usable JSON. The message never quotes the text, which may contain personal data. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  readonly issues: readonly Issue[]

  constructor(message: string, issues: readonly Issue[] = []) {
    super(message)
    this.issues = issues
  }
}

/** Far deeper than any record, and far from what could exhaust the stack. */
const mostLevels = 64

/** Parses JSON: strict UTF-8, at most 64 levels deep, no name twice. Throws NotJson. */
export function readJson(bytes: Uint8Array): Json {
  let text: string
  try {
    text = strict.decode(bytes)
  } catch {
    throw new NotJson(isUtf16(bytes) ? inUtf16 : 'it is not UTF-8 text')
  }
  // UTF-16 without a mark, of plain letters, is UTF-8 too.
  if (isUtf16(bytes)) throw new NotJson(inUtf16)
  return readJsonText(text)
}

const strict = new TextDecoder('utf-8', { fatal: true })

const inUtf16 =
  'it is UTF-16 text, as > of PowerShell 5.1 writes it: write it with --out instead, or save it as UTF-8'

/** JSON begins with ASCII, so of its first two bytes in UTF-16 one is zero, unless they are the byte-order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  )
}

/** Parses JSON text as `readJson` does. Throws NotJson. */
export function readJsonText(text: string): Json {
  if (text.trim() === '') throw new NotJson('it is empty')
  const value = parse(text)
  const flaw = flawInValue(value)
  if (flaw) throw new NotJson(flaw)
  const twice = duplicateNames(text, value)
  if (twice.length > 0) throw new NotJson('it has the same name more than once', twice.map(givenTwice))
  return value
}

const givenTwice = (place: readonly PropertyKey[]): Issue => ({
  path: formatPath(place),
  message: 'given more than once: it is unclear which value is meant',
})

function parse(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    const at = /at position (\d+)/.exec(String(error))?.[1]
    throw new NotJson(
      at === undefined ? 'it is not JSON' : `it is not JSON ${lineAndColumn(text, Number(at))}`,
    )
  }
}

/** Why a value cannot safely be copied and written again; undefined when it can. */
function flawInValue(value: Json, level = 0): string | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  if (level === mostLevels) return `it is nested deeper than ${mostLevels} levels`
  if (Object.hasOwn(value, '__proto__')) return 'it has a field __proto__, which no record has'
  for (const inner of Object.values(value)) {
    const flaw = flawInValue(inner, level + 1)
    if (flaw) return flaw
  }
  return undefined
}

function lineAndColumn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
