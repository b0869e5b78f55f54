import type { JsonObject } from '../files/json/path.ts'
import { type MappedRecord, mapRecord } from '../model/mapping/map-record.ts'
import type { Operation } from '../model/records/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { Client } from './client.ts'
import type { Parameters } from './route-path.ts'

/** A record as the service answered it, and as it would be sent. */
export interface WholeRecord extends MappedRecord {
  readonly record: JsonObject
  readonly etag?: string | undefined
}

/** Which record is read, and as what it is sent. */
export interface ReadableRecord {
  readonly get: Operation
  readonly type: RecordType
  readonly parameters: Parameters
  /** Objects of a record that have no place in a request, and that somebody allowed to be lost. */
  readonly allowedMissing?: readonly string[] | undefined
}

/** Reads a record in the form of a request. Throws as a read. */
export async function readWholeRecord(
  client: Client,
  { get, type, parameters, allowedMissing }: ReadableRecord,
): Promise<WholeRecord> {
  const { record = {}, etag } = await client.call(get, { parameters })
  return { record, ...mapRecord(type, record, allowedMissing), etag }
}
