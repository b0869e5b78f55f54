import type { Fields } from '../../../api/contract/fields/field.ts'
import type { Context } from '../../../context/context.ts'
import type { Json } from '../../../json/path.ts'
import type { Options } from '../declare/options.ts'
import { assertThere, type ChosenField, chooseField } from './chosen-field.ts'
import { readCondition } from './condition.ts'
import { watchValues } from './known-values.ts'
import { sortItems } from './sort-items.ts'

type Pages = AsyncIterable<readonly Json[]>

/** With more items than this, sorting is said to take memory. */
const manyItems = 100_000

/**
 * What `--where`, `--sort` and `--limit` leave of a list, in pages as they come; sorted, as one page at the end. Throws
 * a usage failure at once for what cannot be carried out on a record with these fields.
 */
export function selectItems(
  context: Context,
  fields: Fields,
  { where = [], sort, limit = Number.POSITIVE_INFINITY }: Options,
): (pages: Pages) => AsyncGenerator<readonly Json[]> {
  const conditions = where.map((text) => readCondition(fields, text, context.today()))
  const isDescending = sort?.startsWith('-') ?? false
  const order = sort === undefined ? undefined : chooseField(fields, sort.replace(/^[-+]/, ''))
  const named = [...conditions.map(({ field }) => field), ...(order ? [order] : [])]
  return async function* select(pages) {
    const watch = watchFields(named, fields)
    const values = watchValues(conditions)
    let found = 0
    const kept: Json[] = []
    let left = limit
    for await (const items of pages) {
      watch.look(items)
      if (found === 0) values.look(items)
      const fitting = items.filter((item) => conditions.every(({ field, holds }) => holds(field.read(item))))
      found += fitting.length
      if (order) {
        if (kept.length <= manyItems && kept.length + fitting.length > manyItems)
          context.warn(`more than 100,000 items: --sort holds all of them in memory.`)
        for (const item of fitting) kept.push(item)
        continue
      }
      if (fitting.length > 0) yield fitting.slice(0, left)
      left -= fitting.length
      if (left <= 0) return
    }
    if (order) yield sortItems(kept, order, isDescending).slice(0, limit)
    for (const text of watch.doubts()) context.warn(text)
    if (found === 0) for (const text of values.remarks()) context.note(text)
  }
}

/** Watches whether the fields that are compared are in the list: a condition on one that is not finds nothing. */
function watchFields(named: readonly ChosenField[], fields: Fields) {
  const unseen = new Set(named)
  let isFirst = true
  return {
    look(items: readonly Json[]): void {
      if (items.length === 0) return
      if (isFirst) for (const field of named) assertThere(field, items, fields)
      isFirst = false
      for (const field of unseen)
        if (items.some((item) => field.read(item) !== undefined)) unseen.delete(field)
    },
    /** What a person should know who wonders why nothing was found. */
    doubts(): string[] {
      const undeclared = named.filter(({ isDeclared }) => !isDeclared)
      return isFirst
        ? undeclared.map(
            ({ name }) => `the list is empty, so it is not known whether it has a field ${name}.`,
          )
        : [...unseen].map(({ name }) => `no item of this list has a value of ${name}.`)
    },
  }
}
