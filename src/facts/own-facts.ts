import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AnyFact,
  type Facts,
  facts,
  factsOf,
  isSameFact,
  ownFacts,
} from '../api/contract/facts/facts.ts'
import { systemCode, usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { withLock } from '../files/lock.ts'
import { newerFormat } from '../files/newer-format.ts'
import { ensurePrivateDirectory } from '../files/private-directory.ts'
import { isObject, type Json } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'

/** The facts that an admin laid over those of this tool, and when. */
export interface ImportedFacts {
  readonly facts: readonly AnyFact[]
  /** ISO 8601 in UTC; of the last import. */
  readonly at: string
}

/** Later versions of the file are not read. */
const format = 1

const fileIn = (directory: string) => join(directory, 'facts.json')

/** What was imported on this computer; undefined where nothing was. Throws a usage failure for a file that cannot be read. */
export async function readImportedFacts(directory: string): Promise<ImportedFacts | undefined> {
  const file = fileIn(directory)
  let read: Json
  try {
    read = readJson(await readFile(file))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    const code = systemCode(error)
    if (code !== undefined) throw usage(`The facts in ${file} cannot be read (${code}).`)
    if (!(error instanceof NotJson)) throw error
    throw unreadable(file)
  }
  if (isObject(read) && typeof read.format === 'number' && read.format > format)
    throw newerFormat(`The file of imported facts ${file}`, read.format, format)
  if (!isObject(read) || read.format !== format || !Array.isArray(read.facts) || typeof read.at !== 'string')
    throw unreadable(file)
  const { readFact } = await import('./fact-shapes.ts')
  const found = read.facts.flatMap((each) => {
    const one = readFact(each)
    return 'fact' in one ? [one.fact] : []
  })
  if (found.length < read.facts.length) throw unreadable(file)
  return { facts: found, at: read.at }
}

/** Those that are used: what was imported counts before ours of the same days. Throws as `readImportedFacts` does. */
export async function factsInForce(directory: string): Promise<Facts> {
  const imported = await readImportedFacts(directory)
  return imported ? factsOf([...imported.facts, ...facts], imported.at.slice(0, 10)) : ownFacts
}

/**
 * Lays facts over those that are there, in a file that only its owner can read (0600). What is as ours is not kept, so that a later
 * version of this tool can correct it. Returns those that are new.
 */
export async function layOver(
  directory: string,
  given: readonly AnyFact[],
  at: string,
): Promise<readonly AnyFact[]> {
  const isThere = (all: readonly AnyFact[], one: AnyFact) => {
    const text = JSON.stringify(inOrder(one))
    return all.some((each) => JSON.stringify(inOrder(each)) === text)
  }
  await ensurePrivateDirectory(directory)
  return withLock(`the facts in ${directory}`, async () => {
    const before = (await readImportedFacts(directory))?.facts ?? []
    const added = given.filter((each) => !isThere(facts, each) && !isThere(before, each))
    const kept = before.filter(
      (each) => !given.some((one) => isSameFact(one, each) && one.from === each.from),
    )
    const same = before.filter((each) => isThere(given, each))
    const all = [...added, ...same, ...kept]
    await writeFileAtomic(fileIn(directory), `${JSON.stringify({ format, at, facts: all }, null, 2)}\n`, true)
    return added
  })
}

/** Removes what was imported. Returns whether anything was. */
export async function removeImportedFacts(directory: string): Promise<boolean> {
  return withLock(`the facts in ${directory}`, async () => {
    const file = fileIn(directory)
    const isThere = await readFile(file).then(
      () => true,
      () => false,
    )
    await rm(file, { force: true })
    return isThere
  })
}

/** The same value whichever way its members stand. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, inOrder(each)]),
  )
}

const unreadable = (file: string) =>
  usage(
    `${file} cannot be read: it is not a file of facts. It was not changed.`,
    'Move it away, or use the facts of this tool again: payroll facts reset',
  )
