import type { CallEvent, Client } from '../../api/client.ts'
import type { Reply } from '../../api/outcome/interpret-response.ts'
import type { Context } from '../../context/context.ts'
import { type Access, isOver } from '../../credentials/profile.ts'
import { Failure } from '../../errors.ts'
import { systemCommands } from '../../files/local/system-commands.ts'
import { operations } from '../../model/operations/operations.ts'
import { formatDuration } from '../../text/duration.ts'
import { attempt, type DoctorFinding, ok, problem, problemOf, reason, skipped, warning } from './finding.ts'

const timeoutMs = 30_000

/** A slow answer does not explain a greater difference: one of the clocks is wrong. In milliseconds. */
const largestDifference = 60_000

interface LastAnswer {
  readonly event: Extract<CallEvent, { type: 'answer' }>
  readonly now: number
}

export type ServiceFindings = Readonly<Record<'service' | 'access' | 'clock', DoctorFinding>>

/**
 * Reads one record of one list, to see whether the service is reached, accepts the key and has the same time.
 */
export async function checkService(context: Context, access: Access): Promise<ServiceFindings> {
  if (access.kind === 'sandbox') return notAsked('not needed: the sandbox runs inside this tool')
  const { token } = access
  if (token?.refresh !== undefined && isOver(token, context.host.now()))
    return notAsked(
      'not asked: the access token has expired, and the next command that needs it refreshes it',
    )
  let lastAnswer: LastAnswer | undefined
  const client = await attempt(() =>
    context.clientOf(access, {
      note: () => {},
      // The doctor changes nothing, so the token is not refreshed.
      refresh: false,
      // Few attempts: a person waits, and asks how things are now.
      attempts: 3,
      ...(context.options.timeout === undefined && { timeoutMs: timeoutMs }),
      onEvent(event) {
        if (event.type === 'request') lastAnswer = undefined
        if (event.type === 'answer') lastAnswer = { event, now: context.host.now() }
      },
    }),
  )
  if (client instanceof Failure) return notAsked(`not asked: ${reason(client)}`)
  const reply = await attempt(() => readOne(client))
  return { ...findingsOf(reply, lastAnswer), clock: compareClocks(lastAnswer) }
}

function notAsked(why: string): ServiceFindings {
  const after = skipped('the service was not asked')
  return { service: skipped(why), access: after, clock: after }
}

function readOne(client: Client): Promise<Reply> {
  return client.call(operations.candidates.list, { query: { page: 1, size: 1 } })
}

function findingsOf(
  reply: Reply | Failure,
  lastAnswer: LastAnswer | undefined,
): Omit<ServiceFindings, 'clock'> {
  const answered = lastAnswer && describeAnswer(lastAnswer)
  const access = skipped('the service did not say')
  if (!(reply instanceof Failure)) {
    const isList = typeof reply.page === 'object'
    if (isList) return { service: ok(answered ?? 'answered'), access: ok('the key is accepted') }
    return { service: problem('usage', `${answered}, but did not return a list`, hintOfAddress), access }
  }
  if (reply.code === 'auth') return { service: ok(answered ?? 'answered'), access: problemOf(reply) }
  if (reply.code === 'temporary') return { service: problemOf(reply), access }
  const { hint = hintOfAddress, status = 0 } = reply.details
  // Another service may be at this address: it refuses a plain list, or answers with a web page.
  const isNo =
    (reply.code === 'refused' && status !== 404 && status !== 405) || (status >= 200 && status < 300)
  return { service: problem('usage', reason(reply), isNo ? hintOfAddress : hint), access }
}

const hintOfAddress = 'Check the base address and its prefix: payroll profiles show'

const describeAnswer = ({ event: { method, path, status, ms } }: LastAnswer) =>
  `${method} ${path} answered ${status} in ${Math.round(ms)} ms`

/** Compares the Date of the answer (RFC 9110, 6.6.1) with the clock of this computer, by which a payroll is dated. */
function compareClocks(lastAnswer: LastAnswer | undefined): DoctorFinding {
  const date = lastAnswer?.event.date
  if (lastAnswer === undefined || date === undefined) return skipped('the service did not send its time')
  const behind = date - lastAnswer.now
  if (Math.abs(behind) <= largestDifference) return ok('agrees with the service to the minute')
  return warning(
    `this computer is ${formatDuration(Math.abs(behind))} ${behind > 0 ? 'behind' : 'ahead of'} the service`,
    `Set the clock, for example: ${systemCommands().setClock}`,
  )
}
