import type { Operation } from '../../src/model/operations/operation.ts'
import { operations } from '../../src/model/operations/operations.ts'
import { payroll, type Run } from '../payroll.ts'
import { startFaultySandbox } from '../start-sandbox.ts'

/** A kind of operation: what is typed, and how to see on a sound service whether it was carried out. */
interface Kind {
  readonly operation: Operation
  readonly argv: (ids: Ids) => readonly string[]
  readonly held?: (ask: Ask, ids: Ids) => Promise<boolean>
}

interface Ids {
  readonly rate: string
  readonly employee: string
  readonly document: string
}

/** Asks the service behind its faults. */
type Ask = (path: string) => Promise<any>

const reference = 'ZZ-FAULT-1'
const create = ['candidates', 'create', '--incomplete', '--set', `generalSetting.agencyRef=${reference}`]
const holdsReference = (ending: string) => async (ask: Ask) => {
  const { data } = await ask(`candidates${ending}?size=100`)
  return data.filter((item: { agencyRef?: string }) => item.agencyRef === reference).length === 1
}

export const kinds = {
  create: {
    operation: operations.candidates.create,
    argv: () => create,
    held: holdsReference(''),
  },
  one: { operation: operations.paymentRates.get, argv: ({ rate }) => ['payment-rates', 'get', rate] },
  list: { operation: operations.payslips.list, argv: () => ['payslips', 'list'] },
  createIreland: {
    operation: operations.candidates.createIreland,
    argv: () => [...create, '--ireland'],
    held: holdsReference('/ireland'),
  },
  update: {
    operation: operations.paymentRates.update,
    argv: ({ rate }) => ['payment-rates', 'update', rate, '--set', 'description=Faulty'],
    held: async (ask, { rate }) => (await ask(`payment-rate/${rate}`)).data.description === 'Faulty',
  },
  delete: {
    operation: operations.documents.delete,
    argv: ({ employee, document }) => ['documents', 'delete', document, '--employee', employee, '--yes'],
    held: async (ask, { employee, document }) => {
      const { data } = await ask(`employees/${employee}/documents`)
      return !data.some(({ id }: { id: string }) => id === document)
    },
  },
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

/** How many payslips there are: three pages. */
export const payslips = 250

export interface RunWithFault {
  readonly run: Run
  /** How often the operation was asked for. */
  readonly requests: number
  /** Whether the service holds what was asked for, once all is quiet. */
  readonly held: boolean | undefined
}

/** Runs the command of a kind against the sandbox on a real socket, with one fault in its way. */
export async function runWithFault(fault: string, name: KindName, options: string[]): Promise<RunWithFault> {
  const kind: Kind = kinds[name]
  const faults = [`${fault}@${kind.operation.id}`]
  const seeded = name === 'list' ? payslips : 1
  const { call, asked, finishFaults, env } = await startFaultySandbox(faults, { seeded })
  const ask: Ask = async (path) => (await call('GET', `/svc/${path}`)).json()
  const records = await (ids.get(seeded) ?? idsOf(ask))
  ids.set(seeded, records)
  const run = await payroll(['--json', ...options, ...kind.argv(records)], { env })
  await finishFaults()
  const requests = asked.filter((operation) => operation === kind.operation).length
  return { run, requests, held: await kind.held?.(ask, records) }
}

/** Every sandbox with so many payslips begins as a copy of the same records, so they are looked for once. */
const ids = new Map<number, Ids>()

async function idsOf(ask: Ask): Promise<Ids> {
  const rate = (await ask('payment-rate')).data[0].id
  for (const { id: employee } of (await ask('candidates?size=100')).data) {
    const [document] = (await ask(`employees/${employee}/documents`)).data
    if (document) return { rate, employee, document: document.id }
  }
  throw new Error('nobody has a document')
}
