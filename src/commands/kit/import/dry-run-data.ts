import type { Context } from '../../../context/context.ts'
import { mostListed, type RowFinding } from '../../../import/findings.ts'
import type { ImportJob } from '../../../import/job.ts'
import { countsOf, heldFindings, type Plan } from '../../../import/plan.ts'
import {
  anything,
  array,
  flag,
  integer,
  number,
  object,
  text,
  type ValuesOf,
} from '../../../model/fields/field.ts'
import { keyOf } from '../../../model/natural-key.ts'
import { firstValue, isHidden } from './preview.ts'

const finding = object('', {
  row: integer('Row', { help: '0: it is about something else, which the path names.' }),
  path: text('Path of the field'),
  message: text('Message'),
})

const plannedChangeFields = {
  create: integer('To create'),
  update: integer('To change'),
  unchanged: integer('Equal already'),
  held: integer('Held back'),
  changes: array(
    'The first hundred changes',
    object('', {
      row: integer('Row'),
      reference: text('Reference'),
      name: text('Name'),
      path: text('Path of the field'),
      from: anything('Old value'),
      to: anything('New value'),
      held: flag('The row is held back', { optional: true }),
    }),
  ),
  changeCount: integer('All changes'),
}

const planFields = {
  rows: integer('Rows'),
  ready: integer('Ready to send'),
  invalid: array('The first hundred errors', finding),
  warnings: array('The first hundred doubts', finding),
  columns: array(
    'What each column fills',
    object('', {
      column: text('Column'),
      heading: text('Heading'),
      path: text('Path of the field', { nullable: true }),
      first: text('First value'),
      sum: number('Sum of its numbers', { optional: true }),
    }),
    { optional: true },
  ),
  invalidCount: integer('All errors'),
  warningCount: integer('All doubts'),
}

/** The two forms of a dry run's answer: without and with --update. */
export const plannedForms = [planFields, { ...planFields, ...plannedChangeFields }] as const

/** A dry run as data. It counts rows, as the summary of an import does; several rows may be one record. */
export function planAsData({ reveal }: Context, { source, service, rules }: ImportJob, plan: Plan) {
  const { rows, wrong, doubts, notes, changes, entries } = plan
  const { rows: counts } = countsOf(plan)
  const held = heldFindings(entries.values())
  // With --strict, what many rows do alike is wrong with none of them, and nothing is sent.
  const refused = rules.strict ? changes.shapes : []
  const isRefused = ({ row, message }: RowFinding) =>
    row === 0 && refused.some((each) => each.message === message)
  const doubtful = doubts.first.filter((each) => !isRefused(each))
  const listFinding = ({ row, path, message }: RowFinding) => ({ row, path, message })
  const ofChanges: ValuesOf<typeof plannedChangeFields> | undefined = service.change && {
    create: counts.create,
    update: counts.change,
    unchanged: counts.unchanged + counts.updatedEarlier,
    held: counts.held,
    changes: changes.listed.slice(0, mostListed).map(({ field: _, about: _about, ...change }) => {
      const isHeld = entries.get(keyOf(change.reference))?.state === 'held'
      return { ...change, ...(isHeld && { held: true }) }
    }),
    changeCount: changes.count,
  }
  const data: ValuesOf<typeof planFields> = {
    rows,
    ready: refused.length > 0 ? 0 : counts.create + counts.change,
    ...ofChanges,
    invalid: [...refused, ...wrong.first].slice(0, mostListed).map(listFinding),
    warnings: [...held.first, ...doubtful, ...notes.first].slice(0, mostListed).map(listFinding),
    ...(source.shown && {
      columns: source.shown.map((column) => ({
        column: column.letters,
        heading: column.name,
        path: column.path ?? null,
        first: firstValue(column, reveal),
        ...(column.sum !== undefined && !isHidden(column, reveal) && { sum: Number(column.sum.toFixed(4)) }),
      })),
    }),
    invalidCount: wrong.count + refused.length,
    warningCount: held.count + doubts.count - refused.length + notes.count,
  }
  return data
}
