import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { usage } from '../../errors.ts'
import { canonicalJson } from '../../files/json/stringify.ts'
import { privateJson } from '../../files/local/private-json.ts'
import { keyOf } from '../../model/natural-key.ts'
import type { RuleFinding } from './rule.ts'

/** The service of a finding. One that was accepted for a service is still reported for another. */
const placeShape = {
  profile: z.string(),
  origin: z.nullable(z.string()),
}

/** A finding that is kept quiet. Holds a reference, and nothing else of the person that could be read. */
const acceptedShape = z.object({
  ...placeShape,
  rule: z.string(),
  reference: z.string(),
  /** The last day on which it is quiet, as YYYY-MM-DD; `null`: for good, or until --again. */
  until: z.nullable(z.string()),
  at: z.string(),
  /** Without a day: digests of what was seen. Something else is reported. */
  seen: z.optional(z.array(z.string())),
})

const format = 1

const fileShape = z.object({ format: z.literal(format), accepted: z.array(acceptedShape) })

export type AcceptedAt = Readonly<z.infer<z.ZodMiniObject<typeof placeShape>>>
export type Accepted = Readonly<z.infer<typeof acceptedShape>>

function storeIn(directory: string) {
  const file = join(directory, 'accepted.json')
  const why = `${file} cannot be read: it is not the list of accepted findings. It was not changed.`
  const damaged = () => usage(why, 'Move it away.')
  return privateJson(file, fileShape, { what: 'the list of accepted findings', format, damaged })
}

/** Everything that was accepted, for every service. Throws a usage failure for a file that cannot be read. */
export const readAccepted = async (directory: string): Promise<readonly Accepted[]> =>
  (await storeIn(directory).read())?.accepted ?? []

/** Changes the list. Throws where it cannot be read or written. */
export const changeAccepted = (
  directory: string,
  change: (accepted: readonly Accepted[]) => readonly Accepted[],
): Promise<void> =>
  storeIn(directory).change((before) => ({ format, accepted: [...change(before?.accepted ?? [])] }))

type AcceptedOf = Pick<Accepted, 'profile' | 'origin' | 'rule' | 'reference'>

/** Whether two accepted findings are of one service, rule and person. */
export function isSameAccepted(one: AcceptedOf, other: AcceptedOf): boolean {
  return (
    one.profile === other.profile &&
    one.origin === other.origin &&
    one.rule === other.rule &&
    keyOf(one.reference) === keyOf(other.reference)
  )
}

/**
 * A digest of what was seen, and behind it one of the values that it is about: accepted for one wrong number,
 * another is reported. That of the values is cut to 18 bits, which thousands of numbers share: trying them all
 * does not tell which one somebody has.
 */
export function digestOf({ seen, same = seen, values = {}, about = [] }: RuleFinding): string {
  return digest(same).slice(0, 16) + digest(canonicalJson([values, ...about])).slice(0, 3)
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Whether a finding was accepted as it is. */
export const isAsSeen = ({ seen }: Accepted, finding: RuleFinding): boolean =>
  seen === undefined || seen.includes(digestOf(finding))

/** Whether it is still quiet on a day. */
export const isQuietOn = ({ until }: Accepted, day: string) => until === null || day <= until
