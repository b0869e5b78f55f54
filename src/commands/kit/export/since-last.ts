import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { onFailure, usage } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { privateJson } from '../../../files/local/private-json.ts'
import { systemCommands } from '../../../files/local/system-commands.ts'
import { idOf, idText } from '../../../model/records/identity.ts'
import { isShortName } from '../../../text/words.ts'

const format = 1

/** The list that a bookmark is for. It cannot be used for another service. */
const placeShape = {
  profile: z.string(),
  origin: z.string(),
  /** The path of the base URL. */
  base: z.string(),
  /** A digest of the API key, if there is one. */
  account: z.optional(z.string()),
  /** The operation: `payslips.list`. */
  operation: z.string(),
}

const fileShape = z.object({ version: z.literal(format), ...placeShape, seen: z.array(z.string()) })

type BookmarkPlace = Readonly<z.infer<z.ZodMiniObject<typeof placeShape>>>

/** Remembers which records earlier runs with the same name have written. */
export interface ExportBookmark {
  /** Whether it was saved with another key: the company's new key, or another company's. */
  readonly isOfOtherKey: boolean
  /** Forgets what earlier readings of this run showed. */
  begin(): void
  /** Whether a record is new. Remembers it, so the next call returns false. */
  isNew(record: JsonObject): boolean
  /** Saves the new records of the last reading, once they are written. Throws a Failure if it cannot. */
  keep(): Promise<void>
}

/** Opens a bookmark, a digest of each record. Throws a usage failure for one of another service, or a damaged one. */
export async function openBookmark(
  directory: string,
  name: string,
  place: BookmarkPlace,
): Promise<ExportBookmark> {
  if (!isShortName(name))
    throw usage(
      '--since-last takes a name of letters, digits, hyphens and underscores, such as --since-last nightly.',
    )
  const file = join(directory, 'bookmarks', `${name}.json`)
  const store = privateJson(file, fileShape, {
    what: 'the bookmark',
    format,
    name: 'version',
    damaged: (code) =>
      code === undefined
        ? usage(
            `The bookmark ${file} is damaged. It was left as it is.`,
            `To start again, with every record as new: ${systemCommands().moveAside(file)}`,
          )
        : usage(`The bookmark ${file} cannot be read (${code}).`),
  })
  const bookmark = await store.read()
  const [theirs, ours] = [bookmarkParts(bookmark ?? place), bookmarkParts(place)]
  const other = theirs.findIndex((each, at) => each !== ours[at])
  if (other >= 0)
    throw usage(
      `The bookmark ${name} is for ${theirs[other]}, not for ${ours[other]}. Nothing was written.`,
      'Choose another name for --since-last.',
    )
  let idsSeen = new Set(bookmark?.seen)
  /** The records without an id of this reading: two that are equal are two payslips. */
  let idsNow = new Set<string>()
  return {
    isOfOtherKey: bookmark?.account !== undefined && bookmark.account !== place.account,
    begin() {
      idsSeen = new Set(bookmark?.seen)
      idsNow = new Set()
    },
    isNew(record) {
      const id = idOf(record)
      let digest = digestOfExported(id ?? stringifyJson(record))
      while (id === undefined && idsNow.has(digest)) digest = digestOfExported(digest)
      idsNow.add(digest)
      const isNew = !idsSeen.has(digest) && !(id !== undefined && idsSeen.has(digestWithout(id, record)))
      idsSeen.add(digest)
      return isNew
    },
    keep: () =>
      store.write({ version: format, ...place, seen: [...idsSeen] }).catch(
        onFailure((failure) => {
          const message = `${failure.message} The records were exported, and do not count as such: the next run exports them again.`
          throw failure.with({ message })
        }),
      ),
  }
}

const bookmarkParts = ({ origin, base, profile, operation }: BookmarkPlace): readonly string[] => [
  origin + base,
  profile,
  operation,
]

/** As a record was known whose id has another name, while that was not read as one; else the digest of its id. */
function digestWithout(id: string, { id: _, ...others }: JsonObject): string {
  const isNamedOtherwise = Object.values(others).some((value) => idText(value) === id)
  return digestOfExported(isNamedOtherwise ? stringifyJson(others) : id)
}

/** A digest of 96 bits of what tells a record from others: matches by chance are practically impossible. */
function digestOfExported(identity: string): string {
  return createHash('sha256').update(identity).digest('base64url').slice(0, 16)
}
