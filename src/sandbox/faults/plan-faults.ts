import { setTimeout as wait } from 'node:timers/promises'
import { usage } from '../../errors.ts'
import { isWrite, type Operation } from '../../model/records/operation.ts'
import { allOperations } from '../../model/resources/operations.ts'
import type { Exchange, Fault } from './fault.ts'
import { statusFault, usualFaults } from './usual-faults.ts'

/** Decides which requests meet which fault. It counts requests, so each sandbox needs its own. */
export interface FaultPlan {
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: Exchange['sleep']
  /** Every operation of the service, one of which a request is. */
  readonly operations: readonly Operation[]
  /** The fault that the next request meets, if any; if several, the first. */
  readonly next: (request: Pick<Exchange, 'operation'>) => Fault | undefined
}

/** A name may contain an equals sign, `status=503`. */
const specForm = /^(?<name>.+?)(?:=(?<how>first|every):(?<count>[1-9]\d*))?(?:@(?<scope>.*))?$/

/** A fault that still waits does not keep a stopped sandbox alive. */
const sleepAlone: Exchange['sleep'] = (ms) => wait(ms, undefined, { ref: false })

/** Reads specs `<name>[=first:<n> or =every:<n>][@<operation>]`: always, and all, by default. Throws a usage failure. */
export function planFaults(
  specs: readonly string[],
  {
    now,
    sleep = sleepAlone,
    faults = usualFaults,
    operations = allOperations,
  }: Pick<FaultPlan, 'now'> & {
    readonly sleep?: Exchange['sleep'] | undefined
    readonly faults?: readonly Fault[]
    readonly operations?: readonly Operation[]
  },
): FaultPlan {
  const plans = specs.map((spec) => ({ ...parseFault(spec, faults, operations), met: 0, struck: 0 }))
  return {
    now,
    sleep,
    operations,
    next({ operation }) {
      // Every fault counts every request that it could meet, so that faults do not change each other's turn.
      const due = plans.filter((each) => {
        if (!each.operations.includes(operation)) return false
        each.met += 1
        return each.how === 'every' ? each.met % each.count === 0 : each.struck < each.count
      })
      const [first] = due
      if (first) first.struck += 1
      return first?.fault
    },
  }
}

function parseFault(spec: string, faults: readonly Fault[], all: readonly Operation[]) {
  const {
    name = '',
    how = 'first',
    count = Number.POSITIVE_INFINITY,
    scope: scopeText,
  } = specForm.exec(spec)?.groups ?? {}
  const fault = faults.find((each) => each.name === name) ?? statusFault(name)
  if (!fault) {
    throw usage(
      `There is no fault ${spec}.`,
      `It is written <name>[@<operation>], or <name>=first:2@<operation>. The faults are: status=503, status=503-after-commit, ${faults.map(({ name }) => name).join(', ')}`,
    )
  }
  const scope = scopeText ?? fault.usualScope
  const inScope = operationsIn(scope, all)
  if (inScope.length === 0) {
    const says = scope === '' ? 'An @ needs an operation after it.' : `There is no operation ${scope}.`
    throw usage(says, 'Use writes, reads, or one of: payroll routes list')
  }
  const operations = inScope.filter((operation) => fault.on?.(operation) ?? true)
  if (operations.length === 0) throw usage(`${name} does not apply to ${scope}.`)
  return { fault, operations, how, count: Number(count) }
}

/** The operation of a request; undefined for unknown paths. */
export function operationAt(
  method: string,
  pathname: string,
  operations = allOperations,
): Operation | undefined {
  const fitting = operations.filter(
    (operation) => operation.method === method && fitsPath(operation.path, pathname),
  )
  // In `/svc/candidates/ireland`, `ireland` is not an id.
  return fitting.find(({ path }) => path === pathname) ?? fitting[0]
}

function fitsPath(path: string, pathname: string): boolean {
  const [segments, names] = [path.split('/'), pathname.split('/')]
  return (
    segments.length === names.length &&
    segments.every((segment, at) => segment.startsWith('{') || segment === names[at])
  )
}

/** The operations of the text after `@`: `writes`, `reads` or an id. Empty if it is wrong. */
function operationsIn(scope: string | undefined, operations: readonly Operation[]): readonly Operation[] {
  if (scope === undefined) return allOperations
  if (scope === 'writes') return allOperations.filter(isWrite)
  if (scope === 'reads') return allOperations.filter((operation) => !isWrite(operation))
  return operations.filter(({ id }) => id === scope)
}
