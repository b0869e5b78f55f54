import type { CallEvent } from '../../api/client.ts'
import type { Reply } from '../../api/outcome/interpret-response.ts'
import { readOne } from '../../api/pages.ts'
import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import type { Access } from '../../credentials/profile.ts'
import { asFailure, Failure, isTemporary, joinHints } from '../../errors.ts'
import { formatDuration } from '../../text/duration.ts'
import {
  asReason,
  type DoctorFinding,
  ofSandbox,
  ok,
  problem,
  problemOf,
  skipped,
  warning,
} from './finding.ts'

const timeoutMs = 30_000

/** A clock that is only a few minutes wrong changes no day. */
const mostAwayMs = 10 * 60_000

type LastAnswer = Extract<CallEvent, { type: 'answer' }>

export type ServiceFindings = Readonly<Record<'service' | 'access', DoctorFinding>>

/**
 * Reads one record of one list, to see whether the service is reached and accepts the key. Throws where the sandbox cannot
 * run.
 */
export async function checkService(context: Context, access: Access): Promise<ServiceFindings> {
  if (access.kind === 'sandbox') {
    const { databaseFile, tryDatabase } = await import('../../sandbox/database/database.ts')
    await tryDatabase(databaseFile(await context.directory()))
    return { service: ok('the sandbox can run'), access: ofSandbox }
  }
  const country = await configuredCountry({ profile: async () => access })
  let lastAnswer: LastAnswer | undefined
  const client = await context.clientOf(access, {
    note: () => {},
    // The doctor changes nothing, so the token is not refreshed.
    refresh: false,
    // Few attempts: a person waits, and asks how things are now.
    attempts: 3,
    ...(context.options.timeout === undefined && { timeoutMs: timeoutMs }),
    onEvent(event) {
      if (event.type === 'request') lastAnswer = undefined
      if (event.type === 'answer') lastAnswer = event
    },
  })
  const reply = await readOne(client, country).catch(asFailure)
  const findings = serviceFindings(reply, lastAnswer, access.token?.refresh !== undefined)
  const away = lastAnswer?.clock === undefined ? 0 : lastAnswer.clock - context.host.now()
  if (findings.service.status !== 'ok' || Math.abs(away) < mostAwayMs) return findings
  const sentence = `${findings.service.found}; the clock of this computer is ${formatDuration(Math.abs(away))} ${away > 0 ? 'slow' : 'fast'}`
  const hint = 'Put the clock right: days, tax weeks and the end of a sign-in are told by it.'
  return { ...findings, service: warning(sentence, hint) }
}

function serviceFindings(
  reply: Reply | Failure,
  lastAnswer: LastAnswer | undefined,
  isRefreshed: boolean,
): ServiceFindings {
  const answer = lastAnswer ? answerInWords(lastAnswer) : 'answered'
  const access = skipped('the service did not say')
  if (!(reply instanceof Failure)) {
    if (typeof reply.page === 'object') return { service: ok(answer), access: ok('the key is accepted') }
    const hint = joinHints(hintOfAddress, reply.hint?.())
    return { service: problem('usage', `${answer}, but did not return a list`, hint), access }
  }
  if (reply.code === 'auth' && !reply.details.isPage) {
    if (!isRefreshed || reply.details.status !== 401) return { service: ok(answer), access: problemOf(reply) }
    const says = `${asReason(reply)}; the next command refreshes the access token`
    const { hint: ofKey } = reply.details
    const hint = joinHints('To try that: payroll auth status', ofKey && `If that fails: ${ofKey}`)
    return { service: ok(answer), access: warning(says, hint) }
  }
  if (isTemporary(reply.code)) return { service: problemOf(reply), access }
  const { hint = hintOfAddress, status = 0 } = reply.details
  // Another service may be at this address: it refuses a plain list, or answers with a web page.
  const isNo =
    (reply.code === 'refused' && status !== 404 && status !== 405) || (status >= 200 && status < 300)
  return { service: problem('usage', asReason(reply), isNo ? hintOfAddress : hint), access }
}

const hintOfAddress = 'Check the base address and its prefix: payroll profiles show'

const answerInWords = ({ method, path, status, ms }: LastAnswer) =>
  `${method} ${path} answered ${status} in ${Math.round(ms)} ms`
