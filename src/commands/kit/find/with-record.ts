import type { Context } from '../../../context/context.ts'
import { Failure, onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import type { RecordName } from './choose-meant.ts'
import { type Found, type FoundRecord, type NamedRecord, readName } from './named-record.ts'

/**
 * Uses the record that a text names, in the lists of all countries that the options allow. For reading, a name or
 * the beginning of an id is enough. No list is read for a text that can only be an id. Throws the service's 404,
 * exit 5 or 6 as choose-meant.ts says, exit 2 for another country's record, and exit 10 where a write cannot rely
 * on the list.
 */
export async function withRecord<T>(
  context: Context,
  record: NamedRecord,
  use: (found: FoundRecord) => Promise<T>,
  recordIn?: (used: T) => JsonObject,
): Promise<T> {
  const { list, options, writes } = record
  const { typed, meaning } = meaningOf(record)
  const asId: FoundRecord = { id: typed, options, name: typed }
  if (!list || meaning === 'id' || isNoName(typed)) return use(asId)
  const named = { ...record, typed, meaning, list }
  const isSurelyId = meaning === undefined && surelyAnId.test(typed)
  // Not for a write, because another record may have the reference by now, and only the list shows that.
  if (recordIn && !isSurelyId && !writes) {
    const { readRemembered } = await import('./find-record.ts')
    const remembered = await readRemembered(context, named, use, recordIn)
    if (remembered !== undefined) return remembered
  }
  const findInLists = async (notThere?: Failure) =>
    (await import('./find-record.ts')).findInLists(context, named, notThere)
  let found: Found = isSurelyId ? { record: asId, instead: findInLists } : await findInLists()
  while (found.instead) {
    const used = await use(found.record).catch(keepNotFound(writes || isSurelyId))
    if (!(used instanceof Failure)) return used
    found = await found.instead(used)
  }
  return use(found.record)
}

/** Where ids have a form of their own, some services call another text invalid. `isExact`: only a 404 says that it is none. */
const keepNotFound = (isExact: boolean) =>
  onFailure((failure) => {
    const { status = 0 } = failure.details
    if (status !== 404 && (isExact || (status !== 400 && status !== 422))) throw failure
    return failure
  })

function meaningOf({ typed, options, option }: NamedRecord): Pick<RecordName, 'typed' | 'meaning'> {
  const meaning =
    option !== undefined ? undefined : options.id ? 'id' : options.reference ? 'reference' : undefined
  return meaning ? { typed, meaning } : readName(typed)
}

/** Whether a text cannot be a reference: it has no letter, digit, hyphen or underscore. */
const isNoName = (text: string) => !/[\p{L}\p{N}_-]/u.test(text)

/** A UUID, or a hexadecimal id as databases make them. No agency writes such references, so no list has to be read. */
const surelyAnId =
  /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)([\da-f]{24}|[\da-f]{32}))$/i
