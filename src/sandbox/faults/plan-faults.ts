import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { usage } from '../../errors.ts'
import { isWrite, type Operation } from '../../model/operations/operation.ts'
import { allOperations } from '../../model/operations/operations.ts'
import { type Exchange, type Fault, pageOf } from './fault.ts'
import { usualFaults } from './usual-faults.ts'

/** Whether a request meets the fault. `n` counts the requests that could meet it, from 1; `struck` those that did. */
type Rate = (n: number, struck: number) => boolean

const ratePattern = String.raw`(?:100|\d{1,2})(?:\.\d+)?%(?::\d+)?|1|first:[1-9]\d*`

/** `5%`: a share, the same at every start; `5%:7`: another. `first:2`: two that meet no other fault. */
function parseRate(text: string, name: string): Rate {
  const first = /^first:(\d+)$/.exec(text)?.[1]
  if (first !== undefined) return (_, struck) => struck < Number(first)
  const [, percent, sequence = ''] = /^(.+)%:?(.*)$/.exec(text) ?? []
  if (percent === undefined) return () => true
  return (n) => drawNumber(`${name}:${sequence}:${n}`) * 100 < Number(percent)
}

/** A number from 0 to below 1, the same for the same text. */
function drawNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** Decides which requests meet which fault. It counts requests, so each sandbox needs its own. */
export interface FaultPlan {
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: Exchange['sleep']
  /** Every operation of the service, one of which a request is. */
  readonly operations: readonly Operation[]
  /** The fault that the next request meets, if any; if several, the first. */
  readonly next: (request: Pick<Exchange, 'operation' | 'url'>) => Fault | undefined
}

/** A name may contain an equals sign, `status=503`; no name ends like a rate. */
const form = new RegExp(`^(?<name>.+?)(?:=(?<rate>${ratePattern}))?(?:@(?<scope>.*))?$`)

/** A fault that still waits does not keep a stopped sandbox alive. */
const sleepAlone: Exchange['sleep'] = (ms) => wait(ms, undefined, { ref: false })

/** Reads specs `<name>[=<rate>][@<operation>]`: always, and all, by default. Throws a usage failure. */
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
    next({ operation, url }) {
      // Every fault counts every request that it could strike, so faults do not change each other's draws.
      const drawn = plans.filter((each) => {
        if (!each.operations.includes(operation)) return false
        if (each.fault.laterPages && pageOf({ url }) < 2) return false
        each.met += 1
        return each.rate(each.met, each.struck)
      })
      const [first] = drawn
      if (first) first.struck += 1
      return first?.fault
    },
  }
}

function parseFault(spec: string, faults: readonly Fault[], all: readonly Operation[]) {
  const { name = '', rate = '1', scope: given } = form.exec(spec)?.groups ?? {}
  const fault = faults.find((each) => each.name === name)
  if (!fault) {
    throw usage(
      spec === '' ? 'A fault needs a name.' : `There is no fault ${spec}.`,
      `It is written <name>[=<rate>][@<operation>], with a rate of 5%, 1 or first:2. The faults are: ${faults.map(({ name }) => name).join(', ')}`,
    )
  }
  const scope = given ?? fault.usualScope
  const meant = operationsIn(scope, all)
  if (meant.length === 0) {
    const says = scope === '' ? 'An @ needs an operation after it.' : `There is no operation ${scope}.`
    throw usage(says, 'Use writes, reads, or one of: payroll routes list')
  }
  const operations = meant.filter((operation) => fault.on?.(operation) ?? true)
  if (operations.length === 0)
    throw usage(`${name} does not apply to ${scope}.`, 'What it does: payroll sandbox faults')
  return { fault, operations, rate: parseRate(rate, name) }
}

/** The operation of a request; undefined for unknown paths. */
export function operationOf(
  method: string,
  pathname: string,
  operations = allOperations,
): Operation | undefined {
  const fitting = operations.filter(
    (operation) => operation.method === method && fits(operation.path, pathname),
  )
  // In `/svc/candidates/ireland`, `ireland` is not an id.
  return fitting.find(({ path }) => path === pathname) ?? fitting[0]
}

function fits(path: string, pathname: string): boolean {
  const [segments, given] = [path.split('/'), pathname.split('/')]
  return (
    segments.length === given.length &&
    segments.every((segment, at) => segment.startsWith('{') || segment === given[at])
  )
}

/** The operations of the text after `@`: `writes`, `reads` or an id. Empty if it is wrong. */
function operationsIn(scope: string | undefined, all: readonly Operation[]): readonly Operation[] {
  if (scope === undefined) return allOperations
  if (scope === 'writes') return allOperations.filter(isWrite)
  if (scope === 'reads') return allOperations.filter((operation) => !isWrite(operation))
  return all.filter(({ id }) => id === scope)
}
