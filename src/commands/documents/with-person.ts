import type { Context } from '../../context/context.ts'
import { onFailure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { idText } from '../../model/records/identity.ts'
import { operations } from '../../model/resources/operations.ts'
import { chosenCountry, type Options } from '../cli/options.ts'
import { pathParameters } from '../cli/resource-verbs.ts'
import { candidateTargets } from '../cli/target.ts'
import { typedCommand } from '../kit/command-line.ts'
import { withoutMark } from '../kit/find/match-names.ts'
import { withRecord } from '../kit/find/with-record.ts'

/** The digits of a UUID or another hexadecimal id, or its beginning. */
const looksLikeId = /^(?=.*\d)[\da-f-]+…?$/i

interface PersonRules {
  readonly writes?: boolean
  /** A text that no list has is no id. */
  readonly mustBeListed?: boolean
  /** The document as it was typed: without a person, the hint says how to find whose it is. */
  readonly document?: string | undefined
}

/** Runs with the id of the person whom --employee names. Throws a usage failure without one. */
export async function withPerson(
  context: Context,
  options: Options,
  { writes = false, mustBeListed = false, document = '' }: PersonRules,
  run: (options: Options) => Promise<void>,
): Promise<void> {
  const { employee: word } = options
  if (word === undefined) {
    const field = looksLikeId.test(document) ? 'id' : 'name'
    const where = `${field}~${withoutMark(document)}`
    const search = typedCommand(context, ['documents', 'list', '--where', where])
    throw usage('Whose documents? Name the person with --employee <id>.', `To see whose it is: ${search}`)
  }
  const country = chosenCountry(options)
  // --id and --reference are about the document, not the person. One `get` will do for all countries: only the id is used.
  const person = {
    target: operations.candidates.get,
    list: candidateTargets.list,
    typed: word,
    options: country ? { [country.id]: true } : {},
    writes,
    mustBeListed,
    option: '--employee',
  }
  return withRecord(context, person, ({ id: employee, name }) => {
    if (name !== employee) context.writes.names.set(employee, name)
    return run({ ...options, employee })
  })
}

/** `passport.pdf of IE-1042`; undefined where the document cannot be read. Throws exit 5 where it does not exist. */
export async function describeDocument(
  context: Context,
  id: string,
  options: Options,
): Promise<string | undefined> {
  const client = await context.client()
  const parameters = pathParameters(options, id)
  const reply = await client.call(operations.documents.get, { parameters }).catch(
    onFailure((failure) => {
      if (failure.code === 'not-found' || failure.code === 'invalid-response') throw failure
    }),
  )
  if (!reply?.record) return undefined
  const name = idText(reply.record.name)
  if (name !== undefined) context.writes.names.set(id, name)
  return `${name ?? `the document ${id}`} of ${personIn(context, options)}`
}

/** The end of the question before an upload: `upload passport.pdf for IE-1042`. */
export const describeUpload = (context: Context, body: JsonObject, options: Options): string =>
  `upload ${idText(body.name) ?? 'a document'} for ${personIn(context, options)}`

/** The person as the command names them. */
const personIn = ({ writes }: Context, { employee = '' }: Options): string =>
  writes.names.get(employee) ?? `the person with the id ${employee}`
