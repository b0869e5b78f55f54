import type { JsonObject } from '../files/json/path.ts'
import { type MappedRecord, mapRecord } from '../model/mapping/map-record.ts'
import type { Operation } from '../model/operations/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { CallRequest, Client } from './client.ts'

/** A record as the service answered it, and as it would be sent. */
export interface WholeRecord extends MappedRecord {
  readonly record: JsonObject
  readonly etag?: string | undefined
}

/** Reads a record to be changed, as `type` is sent. `allowedMissing`: objects that may be lost. Throws as a read. */
export async function readWholeRecord(
  client: Client,
  reads: Operation,
  type: RecordType,
  {
    allowedMissing,
    ...request
  }: Pick<CallRequest, 'parameters' | 'unambiguous'> & {
    readonly allowedMissing?: readonly string[] | undefined
  },
): Promise<WholeRecord> {
  const { record = {}, etag } = await client.call(reads, request)
  return { record, ...mapRecord(type, record, allowedMissing), etag }
}
