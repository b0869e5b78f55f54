import type { Context } from '../../../context/context.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import { creationOf } from '../../cli/create-request.ts'
import type { Options } from '../../cli/options.ts'
import type { CreateVerb } from '../../cli/resource-verbs.ts'
import type { Target } from '../../cli/target.ts'
import { confirmWrite, requireWritable } from '../confirm.ts'
import { sayDoubts } from '../doubts.ts'
import { dryRun } from '../dry-run.ts'
import { assertFormOptions, givenBody, wantsForm } from '../input.ts'
import { answerFindings } from '../update/write-record.ts'
import { judgeNew } from './create-guards.ts'
import { reportCreated, sendCreate } from './create-send.ts'
import { ownReference } from './same-reference.ts'

/** Creates one record, from the form or from the input, and shows what the service returned. */
export async function runCreate(
  context: Context,
  { verb, list }: { readonly verb: CreateVerb; readonly list?: Target | undefined },
  options: Options,
): Promise<void> {
  const creation = creationOf(verb, options, list)
  const { operation, type, parameters } = creation
  const mayAsk = wantsForm(context, options)
  assertFormOptions(options, mayAsk && !verb.asks)
  // Fails before the form if there is no key.
  await context.client()
  if (!options.dryRun) await requireWritable(context)
  const given = await verb.from?.(context, options)
  const asked = !given && mayAsk && options.from === undefined ? await verb.asks?.(context) : undefined
  const made = given ?? asked
  const template =
    made ??
    (options.from === undefined
      ? undefined
      : await (await import('./create-from.ts')).copyFrom(context, creation, list))
  if (!made && mayAsk) {
    const { createByForm } = await import('./create-by-form.ts')
    return createByForm(context, creation, template)
  }
  const { body, remarks } = await givenBody(context, type, options, template)
  if (options.unique) {
    const { assertUnique } = await import('./same-reference.ts')
    await assertUnique(context, creation, body)
  }
  const found = await judgeNew(context, creation, body, 'create')
  // Values read with the day first, or with a century added, are asked about like doubts.
  const doubts = [...remarks, ...(await answerFindings({ context, options, said: new Set() }, found))]
  if (options.dryRun) return dryRun(context, operation, { parameters, body }, { doubts })
  const what = `create ${type.displayName}`
  const when = (await sayDoubts(context, type, doubts)) ?? (asked && 'always')
  const reference = ownReference(creation, body)
  const whom = reference === undefined ? undefined : describeRecord(type, body, reference)
  const isNamed = whom !== undefined && !whom.startsWith(type.displayName)
  await confirmWrite(context, what, when, async () => {
    const named = await verb.describe?.(context, body, options)
    return named ?? (isNamed ? `create ${whom}, ${type.displayName},` : undefined)
  })
  const record = await sendCreate(context, creation, body)
  await reportCreated(context, { creation, body, record, doubts })
}
