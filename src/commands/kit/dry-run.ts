import type { CallRequest } from '../../api/client.ts'
import { isTerminal } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { authorizationOf } from '../../credentials/authorization.ts'
import type { Issue } from '../../errors.ts'
import { anyObject, anything, array, flag, object, text, type ValuesOf } from '../../model/fields/field.ts'
import type { Operation } from '../../model/records/operation.ts'
import { foldMessage } from '../../render/text/fold-message.ts'
import { warningsOf } from './doubts.ts'
import { type ChangeAsData, changeFields } from './show-changes.ts'

/** The answer of a dry run: the request that would be sent. Its members are null where nothing would change. */
export const dryRunFields = {
  dryRun: flag('Nothing was sent'),
  method: text('Method', { nullable: true }),
  url: text('Address', { nullable: true }),
  headers: anyObject('Headers, without the key'),
  body: anything('Body'),
  changes: array('What an update would change', object('', changeFields)),
  warnings: array('Doubts', object('', { path: text('Path of the field'), message: text('Message') })),
}

type DryRun = ValuesOf<typeof dryRunFields>

/** What a dry run says besides the request. */
interface DryRunWords {
  /** How typed values were understood, and what is doubted: of an update, what it adds. */
  readonly doubts: readonly Issue[]
  /** The changes of an update, as data and as lines for a person. */
  readonly changes?: readonly ChangeAsData[]
  readonly lines?: readonly string[]
}

/** Prints the request without the key. */
export async function dryRun(
  context: Context,
  operation: Operation,
  request: CallRequest,
  { doubts, changes = [], lines }: DryRunWords,
): Promise<void> {
  const { stdout } = context.host
  const columns = isTerminal(stdout) ? stdout.columns : undefined
  const [client, profile] = await Promise.all([context.client(), context.profile()])
  const { method, url, headers, body } = client.prepare(operation, request)
  const text = lines && ['This would change:', ...lines, 'Nothing was sent.']
  const answer: DryRun = {
    dryRun: true,
    method,
    url,
    headers: { [authorizationOf(profile).header]: '[redacted]', ...headers },
    body: body ?? null,
    changes,
    warnings: [],
    ...warningsOf(context, doubts),
  }
  await context.output.value(answer, text && `${text.map((line) => foldMessage(line, columns)).join('\n')}\n`)
  if (!text && context.output.format.isForPerson) context.note('Nothing was sent.')
}

/** Prints the dry run of an update that changes nothing: there is no request. */
export async function dryRunOfNothing({ output }: Context): Promise<void> {
  const nothing = { method: null, url: null, headers: {}, body: null, changes: [], warnings: [] }
  const answer: DryRun = { dryRun: true, ...nothing }
  await output.value(answer, 'Nothing would change, and nothing was sent.\n')
}
