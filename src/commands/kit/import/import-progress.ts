import type { Context } from '../../../context/context.ts'
import { formatDuration } from '../../../formats/duration.ts'
import type { ImportEvent } from '../../../import/import-event.ts'
import type { Plan } from '../../../import/plan-import.ts'
import type { State } from '../../../import/rows/row-state.ts'
import { isDumbTerminal } from '../../../render/text/style.ts'

/** Receives the events of an import until it ends. */
interface Watcher {
  readonly onEvent: (event: ImportEvent) => void
  readonly end: () => void
}

/** Shows on a terminal how far an import is; elsewhere shows nothing. */
export async function watched(context: Context, { ready, file }: Plan): Promise<Watcher> {
  const { interactive, options, host } = context
  if (!interactive || options.quiet || isDumbTerminal(host.env)) return { onEvent: () => {}, end: () => {} }
  const { liveLine } = await import('../../../render/progress.ts')
  const line = liveLine(host.stderr)
  const total = ready + file.doubtful.size
  const started = host.monotonicNow()
  const counts: Partial<Record<State, number>> = {}
  let doing = ''
  const show = () =>
    line.show(textOf(counts, total, doing ? undefined : host.monotonicNow() - started) + doing)
  show()
  return {
    onEvent(event) {
      doing = doingOf(event) ?? ''
      if (event.type === 'moved') {
        counts[event.from] = (counts[event.from] ?? 0) - 1
        counts[event.entry.state] = (counts[event.entry.state] ?? 0) + 1
      }
      show()
    },
    end: line.end,
  }
}

/** "120 of 400 sent, 35 a second, 8 seconds left; 2 refused, 1 being checked". */
function textOf(counts: Partial<Record<State, number>>, total: number, ms: number | undefined): string {
  const { created = 0, refused = 0, ambiguous = 0 } = counts
  const done = created + refused
  const rate = ms === undefined ? 0 : done / (ms / 1000)
  const left = rate > 0 ? ((total - done) / rate) * 1000 : undefined
  const more = [refused > 0 && `${refused} refused`, ambiguous > 0 && `${ambiguous} being checked`]
  const speed = left === undefined ? '' : `, ${Math.round(rate)} a second, ${formatDuration(left)} left`
  const rest = more.filter((each) => each !== false).join(', ')
  return `${done} of ${total} sent${speed}${rest && `; ${rest}`}`
}

function doingOf(event: ImportEvent): string | undefined {
  switch (event.type) {
    case 'resting':
      return ` (the service asks to wait ${formatDuration(event.ms)})`
    case 'settling':
      return ` (waiting ${formatDuration(event.ms)} for late requests to be applied)`
    case 'checking':
      return ' (looking for these rows on the service)'
    case 'others':
      return ' (waiting for other computers that are working on some of these rows)'
    case 'verifying':
      return ' (comparing with the service)'
    case 'moved':
      return undefined
  }
}
