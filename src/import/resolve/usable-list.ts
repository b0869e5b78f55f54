import { Failure, usage } from '../../errors.ts'
import type { ImportService } from '../import-service.ts'
import { isDay } from '../rows/iso-day.ts'
import { partsOf } from '../rows/natural-key.ts'
import type { FilePlan } from '../rows/plan.ts'
import type { Scan } from './scan.ts'

/** Without the list it is not known who is there already, so nothing may be sent. */
export function unreadList(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid-response') return error
  return new Failure(
    error.code,
    `${error.message} Nothing was sent: an import has to know who is there already.`,
    {
      ...error.details,
      outcome: 'not-sent',
      retryable: true,
      hint: 'It may be changing right now: run the same command again. If it stays so, ask those who run the service.',
    },
  )
}

/** When an answer is lost, the row is looked up by its key: the list must show the key, in a form we can compare. */
export function assertShowsKey(
  service: ImportService,
  { entries }: FilePlan,
  { hasPlace, neverDay }: Scan,
): void {
  const { key } = service.kind
  if (!hasPlace) throw cannotBeLookedUp(service, `does not show ${key.item.join(', ')}`)
  const [first] = entries.values()
  const at = partsOf(first?.name ?? '').findIndex((part, index) => isDay(part) && neverDay[index])
  if (at >= 0) throw cannotBeLookedUp(service, `shows ${key.item[at]} in a form that is not a date`)
}

function cannotBeLookedUp({ list }: ImportService, why: string) {
  return usage(
    `This service cannot be imported into safely: its list (${list.path}) ${why}. Nothing was sent.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
