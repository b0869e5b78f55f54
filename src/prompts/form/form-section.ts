import { fieldAt, type Leaf, leafFields } from '../../api/contract/fields/field-tree.ts'
import { type Section, sections } from '../../api/contract/fields/sections.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { type Json, type JsonObject, valueAt, withValueAt } from '../../json/path.ts'

/** Questions that belong together, under one heading. */
export interface FormSection {
  readonly title: string
  readonly questions: readonly Leaf[]
}

/** One question, and the room that it belongs to. */
export interface Question extends Leaf {
  readonly section: FormSection
}

/**
 * What a person has told the form so far: the values by path, over what was there before it. Null takes away what
 * was there.
 */
export type Answers = Readonly<Record<string, Json>>

/** The fields by section, in the order of the sections; those of no section under the record's own name. */
export function sectionsOf(type: RecordType): FormSection[] {
  const all = leafFields(type.fields)
  const inSection = (section?: Section) => all.filter(({ field }) => field.section === section)
  return [
    { title: ownTitle(type), questions: inSection() },
    ...(Object.keys(sections) as Section[]).map((section) => ({
      title: sections[section],
      questions: inSection(section),
    })),
  ].filter(({ questions }) => questions.length > 0)
}

/** The questions of a room, one after another. */
export function questionsIn(room: FormSection): Question[] {
  return room.questions.map((leaf) => ({ ...leaf, section: room }))
}

/** What is asked of everybody. */
export function essentialQuestions(rooms: readonly FormSection[]): Question[] {
  return rooms.flatMap(questionsIn).filter(({ field }) => field.essential)
}

/** How many questions of a room have an answer. */
export function countAnswered(room: FormSection, body: Json): number {
  return room.questions.filter((leaf) => hasAnswer(leaf, body)).length
}

export function hasAnswer({ path }: Leaf, body: Json): boolean {
  const value = valueAt(body, path.split('.'))
  return value !== undefined && value !== null && value !== '' && !isEmptyList(value)
}

/** The record to send: what was there, with the answers over it. */
export function bodyOf(type: RecordType, before: JsonObject, answers: Answers): JsonObject {
  return Object.entries(answers).reduce((body, [path, value]) => {
    const isGone = value === null && !fieldAt(type.fields, path)?.nullable
    const segments = path.split('.')
    return (isGone ? without(body, segments) : withValueAt(body, segments, value)) as JsonObject
  }, before)
}

/** The same record without the value at a path: the service is not sent it at all. */
function without(value: Json, [head, ...rest]: readonly string[]): Json {
  if (head === undefined || typeof value !== 'object' || value === null) return value
  const { [head]: inner, ...others } = value as JsonObject
  if (rest.length === 0 || inner === undefined) return others
  return { ...value, [head]: without(inner, rest) }
}

/** "a payment rate" as a heading: Payment rate. */
function ownTitle({ displayName: noun }: RecordType): string {
  const bare = noun.replace(/^an? /, '')
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

const isEmptyList = (value: Json) => Array.isArray(value) && value.length === 0
