import type { Context } from '../../../context/context.ts'
import type { Issue } from '../../../errors.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import { answerType } from '../../../model/records/operation.ts'
import { type Creation, creationOf, type ReadyCreation } from '../../cli/create-request.ts'
import type { Options } from '../../cli/options.ts'
import type { CreateVerb } from '../../cli/resource-verbs.ts'
import { confirmWrite, requireWritable } from '../confirm.ts'
import { answerFindings, sayDoubts } from '../doubts.ts'
import { dryRun } from '../dry-run.ts'
import { ownReference } from '../find/search-reference.ts'
import { assertFormOptions, givenBody, wantsForm } from '../input.ts'
import { askGuards } from './ask-guards.ts'
import { createdFields, reportCreated, sendCreate } from './send-create.ts'

/** Creates one record, from the form or from the input, and shows what the service returned. */
export async function runCreate(context: Context, verb: CreateVerb, options: Options): Promise<void> {
  const creation = creationOf(verb, options)
  const opensForm = wantsForm(context, options)
  assertFormOptions(options, opensForm)
  // Fails before the form if there is no key.
  await context.client()
  if (!options.dryRun) await requireWritable(context)
  await assertColumns(context, creation)
  const template =
    options.from === undefined
      ? undefined
      : await (await import('./create-from.ts')).copyFrom(context, creation)
  if (opensForm) return (await import('./create-by-form.ts')).createByForm(context, creation, template)
  const { body, doubts } = await givenBody(context, creation.type, options, template)
  await createGiven(context, { ...creation, body }, doubts)
}

/** Throws a usage failure for a column that is misspelt. One that only this service has is known when it answers. */
async function assertColumns({ options }: Context, { operation, list = operation, type }: Creation) {
  const columns = options.columns?.filter((name) => !Object.hasOwn(createdFields, name)) ?? []
  if (columns.length === 0) return
  const { knownColumns } = await import('../../../render/named-columns.ts')
  knownColumns(columns, [], (answerType(list) ?? type).fields)
}

/**
 * Creates a record that was given whole. `givenDoubts`: a value that was read with the day first, or with a century added.
 * `asksAlways`, `name`: as `confirmWrite` takes them; by itself the question names the record.
 */
export async function createGiven(
  context: Context,
  creation: ReadyCreation,
  givenDoubts: readonly Issue[],
  { asksAlways = false, name }: { readonly asksAlways?: boolean; readonly name?: () => Promise<string> } = {},
): Promise<void> {
  const { operation, type, parameters, options, body } = creation
  const findings = await askGuards(context, creation, 'create')
  const doubts = [...givenDoubts, ...(await answerFindings(context, options, findings))]
  if (options.dryRun) return dryRun(context, operation, { parameters, body }, { doubts })
  const asks = (await sayDoubts(context, type, doubts)) || asksAlways
  const reference = ownReference(creation)
  const whom = reference === undefined ? undefined : describeRecord(type, body, reference)
  const kind = whom?.startsWith(type.displayName) ? '' : `, ${type.displayName},`
  const ownName = async () => (whom === undefined ? undefined : `create ${whom}${kind}`)
  await confirmWrite(context, `create ${type.displayName}`, asks, name ?? ownName)
  const record = await sendCreate(context, creation)
  await reportCreated(context, { creation, record, doubts })
}
