import { createHash, createHmac, type Hmac, hash } from 'node:crypto'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { systemCode, usage } from '../../errors.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { newerFormat } from '../../files/local/newer-format.ts'
import { ensurePrivateDirectory } from '../../files/local/private-directory.ts'
import { parseLine } from '../../files/local/private-json.ts'
import type { CountryId } from '../../model/countries/countries.ts'
import { dayAt } from '../../text/day.ts'

/** The service that a mark is of: a mark of another one is never compared with it. */
interface MarkPlace {
  readonly profile: string
  /** The address of the service; `null` for the sandbox. */
  readonly address: string | null
}

/** The day on which a mark was made. */
export const dayOfMark = ({ at }: Pick<MarkHeader, 'at'>): string => dayAt(Date.parse(at))

/** By country: paths of a request. */
const pathsShape = z.record(z.string(), z.array(z.string()) as z.ZodMiniType<readonly string[]>)

const headerFields = {
  name: z.string(),
  profile: z.string(),
  address: z.nullable(z.string()),
  at: z.string(),
  people: z.number(),
  paths: pathsShape,
  /** By country, when the people were read that a mark has kept of the one before it. */
  readAt: z.optional(z.record(z.string(), z.string())),
}

export type MarkHeader = Readonly<z.infer<z.ZodMiniObject<typeof headerFields>>>

/** Somebody in a mark: a reference, and fingerprints. */
export interface MarkedPerson {
  readonly country: CountryId
  /** A fingerprint of the id, or of the reference where there is no id. */
  readonly key: string
  readonly reference: string | null
  readonly whole: string
  /** The fingerprints of the fields, one after the other, in the order of the paths of the header. */
  readonly fields: Buffer
}

/** Makes the fingerprint of some words, of one service. The same words have the same one, unless the key is another. */
export interface Fingerprint {
  (...words: readonly string[]): string
  /** Of the fields of one person, as bytes. Without a text: no value, which looks like any other. */
  readonly ofPerson: (identity: string) => (path: string, text: string | undefined) => Buffer
  readonly startSeal: () => Hmac
}

/** The format that is written. Older ones are in files of other endings, which are not read. */
const format = 3

/**
 * "The recommended truncation length is not less than half the length of the hash output" (RFC 2104, section 5): 128 of 256
 * bits, which are 22 characters.
 */
const fingerprintLength = 22
export const fingerprintBytes = 16

const ending = '.mark'

/** The name of a mark that a run makes by itself: its day, and the country where one was named. */
export const daysName = /^(\d{4}-\d\d-\d\d)(?:-(\w+))?$/

/** How many marks that are named by a day are kept, for each country and for all together. */
export const mostOfDays = 14

/** Fingerprints by the secret of a profile, different for each address. */
export function fingerprintsOf(secret: string, { profile, address }: MarkPlace): Fingerprint {
  const key = createHmac('sha256', secret)
    .update(JSON.stringify(['payroll marks', profile, address]))
    .digest()
  const hmacOf = (...words: readonly string[]) => createHmac('sha256', key).update(words.join('\0'))
  return Object.assign(
    (...words: readonly string[]) =>
      hmacOf(...words)
        .digest('base64url')
        .slice(0, fingerprintLength),
    {
      // The key of the person makes each of many fields one hash; cut to half of its length, it cannot be continued.
      ofPerson(identity: string) {
        const own = hmacOf('fields', identity).digest('hex')
        return (path: string, text: string | undefined) =>
          hash('sha256', `${own}\0${path}${text === undefined ? '' : `\0${text}`}`, 'buffer').subarray(
            0,
            fingerprintBytes,
          )
      },
      startSeal: () => createHmac('sha256', key).update('a whole mark\0'),
    },
  )
}

/** The name of a mark as it is stored. Throws a usage failure for what cannot be one. */
export function markName(typed: string): string {
  const name = typed.trim().toLowerCase()
  if (daysName.test(name))
    throw usage(
      `${typed} is not a name for a mark: days are the names of those that changes makes by itself.`,
      `To compare with that one: payroll changes --since ${name}`,
    )
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) return name
  throw usage(
    `${typed.slice(0, 64)} is not a name for a mark.`,
    'A name begins with a letter or digit and has up to 64 letters, digits, dots, hyphens and underscores.',
  )
}

const marksFolder = (directory: string) => join(directory, 'marks')

/** One folder for each profile and address. Its name is a hash, so that nothing has to be escaped. */
const folderOf = (directory: string, { profile, address }: MarkPlace) =>
  join(
    marksFolder(directory),
    createHash('sha256')
      .update(JSON.stringify([profile, address]))
      .digest('hex')
      .slice(0, 16),
  )

const fileOf = (directory: string, place: MarkPlace, name: string) =>
  join(folderOf(directory, place), `${name}${ending}`)

/** The folder of this computer, the service that is asked, and the names of its marks. */
export async function marksHere(context: Context) {
  const { name, baseUrl = null } = await context.profile()
  const place: MarkPlace = { profile: name, address: baseUrl }
  const directory = await context.directory()
  return { directory, place, names: await markNames(directory, place) }
}

/** The names of the marks of a service, sorted. Those that are named by a day come in the order of time. */
export async function markNames(directory: string, place: MarkPlace): Promise<readonly string[]> {
  const folder = folderOf(directory, place)
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []
    throw usage(`The marks in ${folder} cannot be read (${systemCode(error) ?? 'unknown'}).`)
  })
  const marks = names.filter((name) => name.endsWith(ending))
  return marks.map((name) => name.slice(0, -ending.length)).sort()
}

/** The first line of a mark; undefined for a file that cannot be read as one. */
export async function markHeader(
  directory: string,
  place: MarkPlace,
  name: string,
): Promise<MarkHeader | undefined> {
  return firstLine(fileOf(directory, place, name)).then(headerIn, () => undefined)
}

/** The headers of these marks, the oldest first, without those that cannot be read. */
export async function marksInOrder(directory: string, place: MarkPlace, names: readonly string[]) {
  const headers = await Promise.all(names.map((name) => markHeader(directory, place, name)))
  return headers.flatMap((each) => each ?? []).sort((one, other) => one.at.localeCompare(other.at))
}

const longestLine = 256 * 1024

async function firstLine(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLine), 0, longestLine, 0)
    return buffer.subarray(0, bytesRead).toString('utf8').split('\n', 1)[0] ?? ''
  } finally {
    await file.close()
  }
}

const headerShape = z.object({ format: z.number(), key: z.string(), ...headerFields })

/** The header in a first line; undefined where it is damaged. */
const headerIn = (line: string) => parseLine(headerShape, line)

/** The people of a service at one time, as fingerprints. */
export interface Mark {
  readonly header: MarkHeader
  readonly people: readonly MarkedPerson[]
}

/** Reads a mark. Throws for a file that is damaged or of a newer payroll, and for fingerprints of another key. */
export async function readMark(
  directory: string,
  place: MarkPlace,
  name: string,
  fingerprint: Fingerprint | undefined,
): Promise<Mark> {
  const path = fileOf(directory, place, name)
  const again = `Nothing was compared, and no mark was made. To begin again, remove it: payroll changes forget ${name}`
  const bytes = await readFile(path).catch((error: unknown) => {
    throw usage(`The mark ${path} cannot be read (${systemCode(error) ?? 'unknown'}).`)
  })
  const end = bytes.indexOf('\n')
  const line = bytes.toString('utf8', 0, Math.max(end, 0))
  const { format: written = format } = parseLine(z.object({ format: z.number() }), line) ?? {}
  const header = headerIn(line)
  const damagedFailure = () => usage(`The mark ${name} is damaged: ${path} is not as it was written.`, again)
  if (written > format)
    throw newerFormat(
      `The mark ${name}`,
      written,
      format,
      'Nothing was compared, and no mark was made. Update payroll, or compare with another mark: --since',
    )
  if (!header) throw damagedFailure()
  if (!fingerprint || header.key !== keyMark(fingerprint))
    throw usage(
      `The mark ${name} was made with a key that the profile ${place.profile} does not have any more, so what changed since then cannot be told.`,
      again,
    )
  const lastLine = bytes.lastIndexOf('\n', -2) + 1
  const seal = fingerprint.startSeal().update(bytes.subarray(0, lastLine))
  if (bytes.toString('utf8', lastLine) !== sealLine(seal)) throw damagedFailure()
  return { header, people: [...peopleIn(bytes.subarray(end + 1, lastLine))] }
}

/** Writes a mark, whole or not at all, in a file that only its owner can read (0600). Replaces one of the same name. */
export async function writeMark(
  directory: string,
  { header, people }: Mark,
  fingerprint: Fingerprint,
): Promise<void> {
  await ensurePrivateDirectory(directory)
  await ensurePrivateDirectory(marksFolder(directory))
  await ensurePrivateDirectory(folderOf(directory, header))
  async function* content() {
    const seal = fingerprint.startSeal()
    for (const part of linesOf(header, people, keyMark(fingerprint))) {
      const line = `${JSON.stringify(part)}\n`
      seal.update(line)
      yield line
    }
    yield sealLine(seal)
  }
  await writeFileAtomic(fileOf(directory, header, header.name), content(), true)
}

/** How many people a line has: a mark of thousands is not held as one text. */
const inLine = 200

function* linesOf(header: MarkHeader, people: readonly MarkedPerson[], key: string): Generator<object> {
  yield { format, ...header, key }
  const stored = ({ country, key, reference, whole, fields }: MarkedPerson): StoredPerson => [
    ...([country, key, reference, whole] as const),
    fields.toString('base64url'),
  ]
  for (let from = 0; from < people.length; from += inLine) yield people.slice(from, from + inLine).map(stored)
}

type StoredPerson = [country: CountryId, key: string, reference: string | null, whole: string, fields: string]

function* peopleIn(body: Buffer): Generator<MarkedPerson> {
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf('\n', from)
    const line = body.toString('utf8', from, end < 0 ? body.length : end)
    from = end < 0 ? body.length : end + 1
    for (const [country, key, reference, whole, fields] of JSON.parse(line) as StoredPerson[])
      yield { country, key, reference, whole, fields: Buffer.from(fields, 'base64url') }
  }
}

/** Removes a mark from the disk; nothing happens where it is not there. Throws a usage failure if it cannot. */
export async function removeMark(directory: string, place: MarkPlace, name: string): Promise<void> {
  await rm(fileOf(directory, place, name), { force: true }).catch((error: unknown) => {
    throw usage(`The mark ${name} could not be removed (${systemCode(error) ?? 'unknown'}).`)
  })
}

/** A fingerprint that is the same for all marks of one key. */
const keyMark = (fingerprint: Fingerprint) => fingerprint('the key of a mark')

/** The last line of a mark, which seals those before it: a file that was cut off or changed has another seal. */
const sealLine = (seal: Hmac) => `${seal.digest('base64url').slice(0, fingerprintLength)}\n`
