import type { Run } from '../payroll.ts'
import { shownInLists } from './answer.ts'
import { at, differences, isNamed, leaves } from './compare.ts'
import { plain, read } from './exact-json.ts'
import { type Held, withoutNulls } from './records.ts'
import type { Second } from './second.ts'
import type { Kind } from './store.ts'
import type { Judgement } from './verdict.ts'
import { listed } from './views.ts'

/** A printed list has every record that the service lists, each as it was listed. */
export function judgeList(second: Second, kind: Kind, run: Run): Judgement {
  const expected = shownInLists(second, kind).map((id) => listed(second.shape, second.held, kind, id))
  const printed = read(run.out)
  const differ = differences(expected, printed)
  if (differ.length === 0) return { verdict: 'right', why: `${expected.length} printed` }
  return {
    verdict: 'wrong',
    why: `${expected.length} are listed, ${printed.length} printed; ${differ.slice(0, 5).join(' ')}`,
  }
}

/** An exported record is what is held, under the names of a request; what is left out is named. */
export function judgeExport(second: Second, kind: Kind, run: Run): Judgement {
  const rows = run.out.trim().split('\n').filter(Boolean).map(read)
  const ids = shownInLists(second, kind)
  if (rows.length !== ids.length)
    return { verdict: 'wrong', why: `${ids.length} are listed, ${rows.length} written` }
  const differ = rows.flatMap((row) => {
    const id = plain(row.id)
    if (!ids.includes(id)) return [`no record has the id ${id}`]
    const record =
      kind === 'payslips'
        ? listed(second.shape, second.held, kind, id)
        : withoutNulls(second.held[kind][id] as Held)
    return leaves(record).filter(
      (path) => differences(at(record, path), at(row, path), second.shape.numbersAsText).length > 0,
    )
  })
  const names = [...new Set(differ)]
  const told = names.every((path) => isNamed(path, run))
  if (names.length === 0) return { verdict: 'right', why: `${rows.length} written` }
  return { verdict: told ? 'told' : 'wrong', why: `not as held: ${names.slice(0, 8).join(' ')}` }
}
