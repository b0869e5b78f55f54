import { differences } from '../api/contract/mapping/compare-stored.ts'
import { valueInResponse } from '../api/contract/mapping/field-mapping.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import { properName } from '../api/contract/mapping/record-name.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { idOf } from '../api/contract/records/identity.ts'
import type { FieldPaths, RecordType } from '../api/contract/records/record-type.ts'
import { answeredIds, otherReference } from '../api/outcome/same-record.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import type { Options } from '../cli/options.ts'
import { pathParameters, type UpdateVerb } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import { lookupCommand, type Write } from './command-line.ts'
import { searchLists } from './search-lists.ts'

/** One update: of which record, and how it is read and sent. */
export interface UpdatePlan extends Write {
  readonly context: Context
  readonly id: string
  readonly reads: Operation
  /** The record as it is sent. */
  readonly type: RecordType
  /** The command that shows the record, with more options where they are given. */
  readonly look: (...options: readonly string[]) => Promise<string>
}

/** The update that the options choose. Throws a usage failure for what does not fit together. */
export function planUpdate(
  context: Context,
  verb: Pick<UpdateVerb, 'operation' | 'reads'>,
  id: string,
  options: Options,
): UpdatePlan {
  const operation = chooseOperation(verb.operation, options)
  const { requestRecord } = operation
  if (!requestRecord) throw new TypeError(`${operation.id} sends nothing`)
  const parameters = pathParameters(verb.operation, options, id)
  const write = { target: verb.operation, operation, parameters }
  return {
    ...write,
    context,
    id,
    reads: chooseOperation(verb.reads, options),
    type: requestRecord,
    look: (...more) => lookupCommand(context, write, ...more),
  }
}

/** Reads the record that is being updated. Throws as a read does. */
export async function readRecord(
  { context, reads, type, parameters }: UpdatePlan,
  how: { readonly unambiguous?: true } = {},
): Promise<WholeRecord> {
  return readWholeRecord(await context.client(), reads, type, { parameters, ...how })
}

/**
 * Reads it, and refuses one that cannot be sent back whole: a field that is not sent may be cleared. Throws a Failure
 * (exit 10) that names what has no place.
 */
export async function readWhole(plan: UpdatePlan): Promise<WholeRecord> {
  const whole = await readRecord(plan, { unambiguous: true })
  if (whole.misfits.length === 0) return whole
  throw new Failure(
    'invalid-response',
    `The record ${plan.id} came back in a form that cannot be sent back without losing part of it.`,
    {
      outcome: 'not-sent',
      issues: whole.misfits,
      hint: `To see what it returned: ${await plan.look('--json')}`,
    },
  )
}

/**
 * Throws a Failure (exit 10) unless a record that is to be sent back is the one that was meant. An answer for another id was
 * refused when it came; one without any id is held against what the list has under the id: the reference, or both names,
 * must be the same, and no field that both have may differ. One that was named by its reference, `typed`, has to have it.
 */
export async function assertIdentified(
  plan: UpdatePlan,
  list: Target | undefined,
  { record, body }: WholeRecord,
  options: Options,
  typed: string,
): Promise<void> {
  const { context, type, id, parameters } = plan
  const isById = id.toLowerCase().startsWith(typed.toLowerCase())
  const shown = type.reference && idOf({ id: valueInResponse(record, type.reference) })
  if (!isById && shown !== undefined && otherReference(typed, shown) !== undefined) {
    throw new Failure(
      'invalid-response',
      `In the list ${typed} is ${id}, but the record that the service returned for ${id} is ${shown}.`,
      { outcome: 'not-sent', hint: `To see what it returned: ${await plan.look('--json')}` },
    )
  }
  if (answeredIds(type, record).length > 0) return
  const { id: _, ...others } = parameters
  const lists = list ? [{ operation: chooseOperation(list, options) }] : []
  const isMeant = (item: JsonObject) => answeredIds(type, item).includes(id)
  const listed = await searchLists(context, lists, isMeant, { parameters: others }).catch(
    (error: unknown) => {
      if (error instanceof Failure) return []
      throw error
    },
  )
  const [match] = listed
  if (match && listed.length === 1 && isSameRecord(match.item)) return
  throw new Failure(
    'invalid-response',
    `The answer for ${id} has no id, and ${match ? 'is not what the list has under this id' : 'nothing else shows which record it is'}.`,
    { outcome: 'not-sent', hint: `To see what it returned: ${await plan.look('--json')}` },
  )

  function isSameRecord(item: JsonObject): boolean {
    const names = properName(type)
    const isNamed = type.reference ? isSame(item, type.reference) : undefined
    const hasBothNames = names.length > 0 && names.every((paths) => isSame(item, paths) === true)
    const differs = differences(mapRecord(type, item).body, body).some(
      (each) => each.before !== undefined && each.after !== undefined,
    )
    return (isNamed ?? hasBothNames) && !differs
  }

  /** Undefined where one of the two lacks it. */
  function isSame(item: JsonObject, paths: FieldPaths): boolean | undefined {
    const [listedText, text] = [item, record].map((each) => idOf({ id: valueInResponse(each, paths) }))
    if (listedText === undefined || text === undefined) return undefined
    return otherReference(listedText, text) === undefined
  }
}
