import { type MappedRecord, mapRecord } from '../../../api/contract/mapping/map-record.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'
import type { UpdatePlan } from './update-plan.ts'

/** A record as the service answered it, and as it would be sent. */
export interface WholeRecord extends MappedRecord {
  readonly record: JsonObject
  readonly etag?: string
}

/** Reads the record that is being updated. Throws as a read does. */
export async function readRecord(
  { context, reads, type, parameters }: UpdatePlan,
  how: { readonly unambiguous?: true } = {},
): Promise<WholeRecord> {
  let tag: { readonly etag?: string } = {}
  const client = await context.client()
  const onHead = ({ etag }: { readonly etag?: string }) => {
    tag = etag === undefined ? {} : { etag }
  }
  const record = (await client.record(reads, { parameters, onHead, ...how })) ?? {}
  return { record, ...mapRecord(type, record), ...tag }
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
    `The record ${plan.id} came back in a form that cannot be sent back without losing part of it. Nothing was sent.`,
    {
      outcome: 'not-sent',
      issues: whole.misfits,
      hint: `To see what it returned: ${await plan.look('--json')}`,
    },
  )
}
