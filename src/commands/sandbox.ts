import { dirname } from 'node:path'
import type { Context } from '../context/context.ts'
import { defaults } from '../defaults.ts'
import { Interrupted, type StopSignal } from '../errors.ts'
import { countries, type OperationSuffix } from '../model/countries/countries.ts'
import { flag, integer, text, type ValuesOf } from '../model/fields/field.ts'
import type { Database } from '../sandbox/database/database.ts'
import { usualFaults } from '../sandbox/faults/faults.ts'
import type { Resource, Verb } from './cli/verb.ts'
import { confirmRemoval } from './kit/confirm.ts'

const servedFields = { baseUrl: text('Its address'), key: text('Its key') }

const resetFields = { reset: flag('Emptied') }

const peopleFields = Object.fromEntries(
  countries.map(({ operationSuffix, inPlace }) => [
    `candidates${operationSuffix}`,
    integer(`People ${inPlace}`),
  ]),
) as Record<`candidates${OperationSuffix}`, ReturnType<typeof integer>>

const seededFields = {
  ...peopleFields,
  paymentRates: integer('Payment rates'),
  timesheets: integer('Timesheets'),
  payslips: integer('Payslips'),
  documents: integer('Documents'),
}

const pathFields = { path: text('Path of the file') }

const serve: Verb = {
  name: 'serve',
  isLocal: true,
  summary: 'Run the sandbox as a server on 127.0.0.1, until Ctrl-C',
  options: ['port', 'fault'],
  notes: [
    'A fault is <name>[=<times>][@<operation>]. If several apply to a request, the first one wins.',
    ['status=503', 'answers 503, or any other status from 400 to 599; nothing is done'],
    ['status=503-after-commit', 'does what was asked, and answers 503'],
    ...usualFaults.map(({ name, summary }) => [name, summary] as const),
    ['times', 'first:2 (the first two requests) or every:20 (each twentieth); without it, all of them'],
    [
      'operation',
      'writes, reads, or the id of one operation, such as candidates.create (to list them: payroll routes list)',
    ],
  ],
  answer: { prints: 'json', shapes: [{ about: 'At its start.', fields: servedFields }] },
  examples: [
    'payroll sandbox serve',
    'payroll sandbox serve --port 0 --json',
    'payroll sandbox serve --fault "reset-after-commit=every:20@writes" --fault status=503=first:2@candidates.list',
  ],
  async run(context, { options }) {
    const [{ createSandbox, sandboxKey }, { serveSandbox }, { planFaults }] = await Promise.all([
      import('../sandbox/create-sandbox.ts'),
      import('../sandbox/serve.ts'),
      import('../sandbox/faults/plan-faults.ts'),
    ])
    const { now } = context.host
    const faults = planFaults(options.fault ?? [])
    const database = await open(context)
    const app = createSandbox({ database, key: sandboxKey, now })
    const { baseUrl, close } = await serveSandbox({ app, port: options.port ?? defaults.port, faults })
    // Its key is not a secret.
    context.host.secrets.reveal(sandboxKey)
    const { systemCommands } = await import('../files/local/system-commands.ts')
    const { setVariables, curl } = systemCommands(context.host.platform)
    const served: ValuesOf<typeof servedFields> = { baseUrl, key: sandboxKey }
    await context.output.value(
      served,
      `The sandbox listens on ${baseUrl} until Ctrl-C. In another terminal:\n` +
        `  ${setVariables({ PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey })}\n` +
        `  ${curl} -H "Authorization: ${sandboxKey}" "${baseUrl}/svc/candidates?page=1&size=20"\n`,
    )
    const signal = await new Promise<StopSignal>((resolve) => context.interruption.onNextSignal(resolve))
    await close()
    throw new Interrupted(signal, 'The sandbox was stopped.')
  },
}

const reset: Verb = {
  name: 'reset',
  isLocal: true,
  deletes: true,
  localEffect: 'deleted',
  summary: 'Delete every record in the sandbox, after a question',
  answer: { prints: 'json', shapes: [{ fields: resetFields }] },
  examples: [
    'payroll sandbox reset',
    'payroll sandbox reset --yes    # without the question, as a script needs it',
  ],
  async run(context) {
    const { resetDatabase } = await import('../sandbox/database/database.ts')
    const database = await open(context)
    const file = await databasePath(context)
    const question = `Delete every record in the sandbox (${file})?`
    await confirmRemoval(context, `delete every record in ${file}`, question)
    context.writes.changedHere()
    resetDatabase(database)
    const answer: ValuesOf<typeof resetFields> = { reset: true }
    await context.output.value(answer, 'The sandbox is empty.\n')
  },
}

const seed: Verb = {
  name: 'seed',
  isLocal: true,
  summary: 'Fill the sandbox with made-up people and their rates, timesheets, payslips and documents',
  options: ['payslips'],
  answer: { prints: 'json', shapes: [{ about: 'What was added.', fields: seededFields }] },
  examples: [
    'payroll sandbox seed && payroll --profile sandbox candidates list --ireland',
    'payroll sandbox seed --payslips 10000',
  ],
  async run(context, { options }) {
    const { seed } = await import('../sandbox/seed.ts')
    const added: ValuesOf<typeof seededFields> = seed(await open(context), {
      now: context.host.now,
      payslips: options.payslips,
    })
    const counts = Object.entries(seededFields).map(
      ([name, { label }]) =>
        `  ${String(added[name as keyof typeof added]).padStart(6)} ${label.replace(/^./, (letter: string) => letter.toLowerCase())}\n`,
    )
    await context.output.value({ ...added }, `Added:\n${counts.join('')}`)
  },
}

const path: Verb = {
  name: 'path',
  isLocal: true,
  summary: 'Show the file in which the sandbox keeps its records',
  answer: { prints: 'json', shapes: [{ fields: pathFields }] },
  examples: ['payroll sandbox path'],
  async run(context) {
    const file = await databasePath(context)
    const answer: ValuesOf<typeof pathFields> = { path: file }
    await context.output.value(answer, `${file}\n`)
  },
}

export const sandbox: Resource = { verbs: [serve, reset, seed, path] }

async function open(context: Context): Promise<Database> {
  const { openDatabase } = await import('../sandbox/database/database.ts')
  const { createDirectory } = await import('../files/local/private-directory.ts')
  const file = await databasePath(context)
  await createDirectory(dirname(file))
  return openDatabase(file)
}

async function databasePath(context: Context): Promise<string> {
  const { databaseFile } = await import('../sandbox/database/database.ts')
  return databaseFile(await context.directory())
}
