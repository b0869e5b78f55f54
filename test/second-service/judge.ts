import type { Run } from '../payroll.ts'
import { shownInLists } from './answer.ts'
import type { Case } from './cases.ts'
import { at, differences, isNamed, leaves, withNewRecordNamed } from './compare.ts'
import { plain, read } from './exact-json.ts'
import type { Judgement } from './expected.ts'
import { type Held, withoutNulls } from './records.ts'
import type { Second } from './second.ts'
import type { Holdings, Kind } from './store.ts'
import { listed } from './views.ts'

/** Compares what the service holds, and what was printed, with what was asked. The exit code is only a claim. */
export function judge(second: Second, tried: Case, id: string, run: Run, saved?: string): Judgement {
  if (run.code === 1) return { verdict: 'wrong', why: 'a bug of its own' }
  const asked = structuredClone(second.before)
  tried.ask?.(asked, id)
  const { holdings, newId } = withNewRecordNamed(second.before, second.held, tried.kind)
  const loosely = second.shape.numbersAsText
  const moved = differences(second.before, holdings, loosely)
  const missing = differences(asked, holdings, loosely)
  if (run.code !== 0 && saved !== undefined) return { verdict: 'wrong', why: 'it failed, and wrote a file' }
  if (run.code !== 0) return judgeFailure(second, run, moved, missing)
  if (tried.does === 'raw read' || tried.does === 'raw write') return judgeRaw(second, run, missing)
  if (missing.length > 0) return judgeLoss(tried, run, asked, holdings, missing)
  if (tried.does === 'list') return judgeList(second, tried.kind, run)
  if (tried.does === 'export') return judgeExport(second, tried.kind, run)
  if (tried.does === 'status') return judgeStatus(second, run)
  if (tried.does === 'download') return judgeDownload(second, id, saved)
  if (tried.does === 'connect') return judgePrinted(second, read(run.out))
  return judgeRecord(second, tried, tried.does === 'create' ? newId : id, run)
}

function judgeFailure(second: Second, run: Run, moved: string[], missing: string[]): Judgement {
  const outcome = run.err.trimEnd().endsWith('}') ? run.error().outcome : null
  const sent = second.requests.filter(({ method }) => method !== 'GET').length
  const why = `says ${outcome} (${run.code}); ${sent} writes sent; moved: ${moved.join(' ') || 'nothing'}`
  // Only exit 8 says that it does not know; every other code says that nothing was applied.
  if (outcome === 'unknown' && sent > 0 && run.code === 8) return { verdict: 'uncertain', why }
  if (outcome === 'applied') return { verdict: sent > 0 && missing.length === 0 ? 'told' : 'wrong', why }
  if (outcome === 'not-sent' && sent > 0) return { verdict: 'wrong', why }
  const waiting = second.shape.queued && sent > 0
  return { verdict: moved.length === 0 && !waiting ? 'refused' : 'wrong', why }
}

/** What an update loses is told when each field that is gone is named. */
function judgeLoss({ does }: Case, run: Run, asked: Holdings, held: Holdings, missing: string[]): Judgement {
  const only = missing.every((path) => at(asked, path) !== undefined && at(held, path) === undefined)
  const gone = missing.flatMap((path) => leaves(at(asked, path), path))
  const told = does === 'update' && only && gone.every((path) => isNamed(inRecord(path), run))
  return { verdict: told ? 'told' : 'wrong', why: `exit 0, held otherwise than asked: ${missing.join(' ')}` }
}

/** A path of all that is held begins with the kind and the id. */
const inRecord = (path: string) => path.split('.').slice(2).join('.')

function judgeRaw(second: Second, run: Run, missing: string[]): Judgement {
  const printed = differences(second.replies.at(-1)?.body ?? null, read(run.out || 'null'))
  if (printed.length > 0) return { verdict: 'wrong', why: `not printed as answered: ${printed.join(' ')}` }
  if (missing.length > 0)
    return { verdict: 'told', why: `the answer is printed, and not done: ${missing.join(' ')}` }
  return { verdict: 'right', why: 'printed as answered' }
}

function judgeStatus(second: Second, run: Run): Judgement {
  const { accepted } = run.json()
  const answered = !(second.shape.errorBody && second.readsGoWrong)
  return { verdict: (accepted === true) === answered ? 'right' : 'wrong', why: `accepted: ${accepted}` }
}

function judgeDownload({ held }: Second, id: string, saved: string | undefined): Judgement {
  const right = saved !== undefined && saved === held.documents[id]?.content
  return {
    verdict: right ? 'right' : 'wrong',
    why: right ? 'the bytes of this document' : 'other bytes, or none',
  }
}

/** One record, or the few words that stand for it, is printed: what was answered, and of the right id. */
function judgeRecord(second: Second, tried: Case, id: string | undefined, run: Run): Judgement {
  // What payroll says of the write stands beside what the service answered.
  const { warnings: _, ...printed } = read(run.out || '{}')
  const inner = printed.id === undefined ? (Object.values(printed)[0] as any) : printed
  const shown = inner?.id ?? null
  if (shown === null ? !mayLackId(second, tried) : plain(shown) !== id)
    return { verdict: 'wrong', why: `printed the id ${shown}, and it is ${id}` }
  if (shown === null && tried.command.includes('--find')) return { verdict: 'told', why: 'found no id' }
  const brief = shown === null || ['created', 'updated', 'deleted'].some((word) => printed[word] === true)
  if (brief) return { verdict: 'right', why: 'held as asked, and said so' }
  return judgePrinted(second, printed)
}

function judgePrinted({ replies, shape, readsGoWrong }: Second, printed: unknown): Judgement {
  if (shape.errorBody && readsGoWrong) return { verdict: 'wrong', why: 'an error is printed as an answer' }
  const answered = replies.flatMap(({ body }) => parts(body))
  if (!answered.some((body) => differences(body, printed).length === 0))
    return { verdict: 'wrong', why: 'what is printed was never answered' }
  return { verdict: 'right', why: 'what was asked, and printed as answered' }
}

/** interface.md: a UK candidate is answered without a body. An answer to a PUT may hold no record either. */
function mayLackId({ shape }: Second, { kind, does }: Case): boolean {
  return does === 'update' ? shape.putAnswers !== undefined : does === 'create' && kind === 'uk'
}

/** An answer, and what is in it, three levels down. */
function parts(body: any, levels = 3): unknown[] {
  if (body === null || typeof body !== 'object') return []
  return [body, ...(levels > 0 ? Object.values(body).flatMap((part) => parts(part, levels - 1)) : [])]
}

/** A printed list has every record that the service lists, each as it was listed. */
function judgeList(second: Second, kind: Kind, run: Run): Judgement {
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
function judgeExport(second: Second, kind: Kind, run: Run): Judgement {
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
