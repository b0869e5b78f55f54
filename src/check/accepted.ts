import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode, usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { withLock } from '../files/lock.ts'
import { newerFormat } from '../files/newer-format.ts'
import { ensurePrivateDirectory } from '../files/private-directory.ts'
import { keyOf } from '../import/natural-key.ts'
import { isObject, type Json } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'

/** The service that a finding is of: one that was accepted for a service is reported for another. */
export interface AcceptedAt {
  readonly profile: string
  /** `null` for the sandbox. */
  readonly origin: string | null
}

/** A finding that is kept quiet. Holds a reference, and nothing else of the person. */
export interface Accepted extends AcceptedAt {
  readonly rule: string
  readonly reference: string
  /** The last day on which it is quiet, as YYYY-MM-DD; `null`: until it is reported again on request. */
  readonly until: string | null
  /** When it was accepted: ISO 8601 in UTC. */
  readonly at: string
}

/** Later versions of the file are not read. */
const format = 1

const fileIn = (directory: string) => join(directory, 'accepted.json')

/** Everything that was accepted, for every service. Throws a usage failure for a file that cannot be read. */
export async function readAccepted(directory: string): Promise<readonly Accepted[]> {
  const file = fileIn(directory)
  let read: Json
  try {
    read = readJson(await readFile(file))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    if (!(error instanceof NotJson) && systemCode(error) === undefined) throw error
    throw unreadable(file)
  }
  if (isObject(read) && typeof read.format === 'number' && read.format > format)
    throw newerFormat(`The list of accepted findings ${file}`, read.format, format)
  if (!isObject(read) || read.format !== format || !Array.isArray(read.accepted)) throw unreadable(file)
  if (!read.accepted.every(isAccepted)) throw unreadable(file)
  return read.accepted
}

/**
 * Changes what is accepted while no other run does, in a file that only its owner can read (0600). Throws a Failure where
 * it cannot be read or written; then nothing was changed.
 */
export async function changeAccepted(
  directory: string,
  change: (accepted: readonly Accepted[]) => readonly Accepted[],
): Promise<void> {
  await ensurePrivateDirectory(directory)
  await withLock(`the accepted findings in ${directory}`, async () => {
    const accepted = change(await readAccepted(directory))
    await writeFileAtomic(fileIn(directory), `${JSON.stringify({ format, accepted }, null, 2)}\n`, true)
  })
}

/** Whether two accepted findings are of one service, rule and person. */
export function isSameAccepted(
  one: Pick<Accepted, 'profile' | 'origin' | 'rule' | 'reference'>,
  other: Pick<Accepted, 'profile' | 'origin' | 'rule' | 'reference'>,
): boolean {
  return (
    one.profile === other.profile &&
    one.origin === other.origin &&
    one.rule === other.rule &&
    keyOf(one.reference) === keyOf(other.reference)
  )
}

/** Whether it is still quiet on a day. */
export const isQuietOn = ({ until }: Accepted, day: string) => until === null || day <= until

function isAccepted(value: Json): value is Accepted {
  return (
    isObject(value) &&
    [value.profile, value.rule, value.reference, value.at].every((each) => typeof each === 'string') &&
    [value.origin, value.until].every((each) => each === null || typeof each === 'string')
  )
}

const unreadable = (file: string) =>
  usage(
    `${file} cannot be read: it is not the list of accepted findings. It was not changed.`,
    'Move it away.',
  )
