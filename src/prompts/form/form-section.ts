import { type Json, type JsonObject, valueAt, withoutValueAt, withValueAt } from '../../files/json/path.ts'
import { type Law, type Section, sections } from '../../model/fields/field.ts'
import { fieldAt, isEmpty, type Leaf, leafFields } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { presetOf } from '../../model/values/fill-kind.ts'
import { capital } from '../../text/words.ts'

/** Questions that belong together, under one heading. */
export interface FormSection {
  readonly title: string
  readonly questions: readonly Leaf[]
}

/** One question, and the section that it belongs to. */
export interface Question extends Leaf {
  readonly section: FormSection
  /** The path of the question whose answer leads to this one. */
  readonly follows?: string
}

/** Values by path, to be laid over the record from before the form. Null removes a value. */
export type Answers = Readonly<Record<string, Json>>

/** The fields by section, in the order of the sections; fields without one come first, under the record's name. */
export function sectionsOf(type: RecordType): FormSection[] {
  const all = leafFields(type.fields)
  const inSection = (section?: Section) => all.filter(({ field }) => field.section === section)
  return [
    { title: capital(type.displayName.replace(/^an? /, '')), questions: inSection() },
    ...(Object.keys(sections) as Section[]).map((section) => ({
      title: sections[section],
      questions: inSection(section),
    })),
  ].filter(({ questions }) => questions.length > 0)
}

/** The questions under a heading. */
export function questionsIn(section: FormSection): Question[] {
  return section.questions.filter(({ field }) => !field.machine).map((leaf) => ({ ...leaf, section }))
}

/** The questions that a form begins with. */
export function essentialQuestions(all: readonly FormSection[]): Question[] {
  return all.flatMap(questionsIn).filter(({ field }) => field.essential)
}

export function hasAnswer({ path }: Leaf, body: Json): boolean {
  return !isEmpty(valueAt(body, path.split('.')))
}

/** Whether nothing was answered that Enter alone would not have answered too. */
export function isUntouched(sections: readonly FormSection[], body: Json, law: Law): boolean {
  return sections
    .flatMap(({ questions }) => questions)
    .every(
      (leaf) => !hasAnswer(leaf, body) || valueAt(body, leaf.path.split('.')) === presetOf(leaf, body, law),
    )
}

/** The record to send: the one from before, with the answers laid over it. */
export function bodyOf(type: RecordType, before: JsonObject, answers: Answers): JsonObject {
  return Object.entries(answers).reduce((body, [path, value]) => {
    const isRemoved = value === null && !fieldAt(type.fields, path)?.nullable
    const segments = path.split('.')
    return (isRemoved ? withoutValueAt(body, segments) : withValueAt(body, segments, value)) as JsonObject
  }, before)
}
