import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { Verb } from '../kit/declare/verb.ts'
import { checkJournal } from './check-journal.ts'
import { checkProfile } from './check-profile.ts'
import { sandboxCheck } from './check-sandbox.ts'
import { checkService } from './check-service.ts'
import { checkStore } from './check-store.ts'
import { type Check, causes } from './doctor-check.ts'
import { report } from './doctor-report.ts'
import { certificates, proxy, verification } from './environment.ts'
import { installation } from './installation.ts'
import { drafts, imports, leftovers } from './local-data.ts'

/** `doctor`: looks at everything that a command depends on, and changes nothing. */
export const doctor: Verb = {
  name: 'doctor',
  summary:
    'Check the set-up: where each value comes from, and what is wrong. Changes nothing. ' +
    'Ends with exit code 0 without a problem, else with 2 (settings), 4 (key) or 7 (the service cannot be reached)',
  examples: [
    'payroll doctor',
    'payroll doctor --profile production --json',
    'payroll doctor --json | jq \'.checks[] | select(.status == "problem")\'',
  ],
  async run(context) {
    const checks = await examine(context)
    const worst = causes.find((cause) => checks.some(({ code }) => code === cause))
    await show(context, checks, worst === undefined)
    if (worst === undefined) return
    // The report is complete, although the run ends with a failure.
    await context.finish()
    const names = checks.filter(({ status }) => status === 'problem').map(({ name }) => name)
    throw new Failure(worst, `Problems found: ${names.join(', ')}.`, {
      retryable: worst === 'temporary',
      hint: 'The report above says what to do about each.',
    })
  },
}

async function examine(context: Context): Promise<readonly Check[]> {
  const { env } = context.host
  const store = await checkStore(context)
  const inForce = await checkProfile(context, store.settings)
  return [
    ...installation(context),
    ...store.checks,
    ...inForce.checks,
    proxy(context),
    await certificates(env),
    verification(env),
    await drafts(store.directory),
    await imports(store.directory),
    await leftovers(store.directory),
    await checkJournal(context, inForce.profile, store.settings),
    sandboxCheck(inForce.profile),
    ...(await checkService(context, inForce.profile)),
  ]
}

function show({ output, options, host }: Context, checks: readonly Check[], allWell: boolean): Promise<void> {
  const rows = checks.map(({ name, status, found, from = null, hint = null }) => ({
    name,
    status,
    found,
    from,
    hint,
  }))
  const answer = { ok: allWell, checks: rows }
  if (output.format !== 'table' || options.query !== undefined) return output.record(answer)
  return output.value(answer, report(checks, output.style, host.stdout.columns))
}
