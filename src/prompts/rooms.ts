import { type Json, type JsonObject, valueAt, withValueAt } from '../api/contract/path.ts'
import type { RecordType } from '../api/contract/record.ts'
import { type Section, sections } from '../api/contract/sections.ts'
import { type Leaf, leaves } from '../api/contract/walk.ts'

/** Questions that belong together, under one heading. */
export interface Room {
  readonly title: string
  readonly questions: readonly Leaf[]
}

/** What a person has told the form so far: the values by path, over what was there before it. */
export type Answers = Readonly<Record<string, Json>>

/** The fields by section, in the order of the sections; those of no section under the record's own name. */
export function roomsOf(type: RecordType): Room[] {
  const all = leaves(type.fields)
  const inSection = (section?: Section) => all.filter(({ field }) => field.section === section)
  return [
    { title: ownTitle(type), questions: inSection() },
    ...(Object.keys(sections) as Section[]).map((section) => ({
      title: sections[section],
      questions: inSection(section),
    })),
  ].filter(({ questions }) => questions.length > 0)
}

/** The same rooms with only what is asked of everybody. */
export function essentialsOf(rooms: readonly Room[]): Room[] {
  return rooms
    .map(({ title, questions }) => ({ title, questions: questions.filter(({ field }) => field.essential) }))
    .filter(({ questions }) => questions.length > 0)
}

/** How many questions of a room have an answer. */
export function answeredIn(room: Room, body: Json): number {
  const given = room.questions.map(({ path }) => valueAt(body, path.split('.')))
  return given.filter((value) => value !== undefined && value !== null && value !== '' && !isEmptyList(value))
    .length
}

/** The record to send: what was there, with the answers over it. */
export function bodyOf(before: JsonObject, answers: Answers): JsonObject {
  return Object.entries(answers).reduce(
    (body, [path, value]) => withValueAt(body, path.split('.'), value) as JsonObject,
    before,
  )
}

/** "a payment rate" as a heading: Payment rate. */
function ownTitle({ noun }: RecordType): string {
  const bare = noun.replace(/^an? /, '')
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

const isEmptyList = (value: Json) => Array.isArray(value) && value.length === 0
