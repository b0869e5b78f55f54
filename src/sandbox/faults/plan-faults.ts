import type { Operation } from '../../api/contract/operations/operation.ts'
import { usage } from '../../errors.ts'
import { faultNames, faults } from './all-faults.ts'
import { type Exchange, type Fault, pageOf } from './fault.ts'
import { parseRate, type Rate, ratePattern } from './fault-rate.ts'
import { operationsIn } from './fault-scope.ts'

/** Decides which requests meet which fault. It counts requests, so each sandbox needs its own. */
export interface FaultPlan {
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number
  /** The fault that the next request meets, if any; if several, the first. */
  readonly next: (request: Pick<Exchange, 'operation' | 'url'>) => Fault | undefined
}

interface Planned {
  readonly fault: Fault
  readonly operations: readonly Operation[]
  readonly rate: Rate
}

/** A name may contain an equals sign, `status=503`; no name ends like a rate. */
const form = new RegExp(`^(?<name>.+?)(?:=(?<rate>${ratePattern}))?(?:@(?<scope>.*))?$`)

/**
 * Reads specs such as `reset-after-commit=5%@writes`: `<name>[=<rate>][@<operation>]`. By default a fault happens
 * always, and to every operation that it can happen to. Throws a usage failure.
 */
export function planFaults(specs: readonly string[], now: () => number): FaultPlan {
  const counted = specs.map((spec) => ({ ...parseFault(spec), met: 0, struck: 0 }))
  return {
    now,
    next({ operation, url }) {
      // Every fault counts every request that it could strike, so faults do not change each other's draws.
      const drawn = counted.filter((each) => {
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

function parseFault(spec: string): Planned {
  const { name = '', rate = '1', scope: given } = form.exec(spec)?.groups ?? {}
  const fault = faults.find((each) => each.name === name)
  if (!fault) {
    throw usage(
      spec === '' ? 'A fault needs a name.' : `There is no fault ${spec}.`,
      `It is written <name>[=<rate>][@<operation>], with a rate of 5%, 1 or first:2. The faults are: ${faultNames.join(', ')}`,
    )
  }
  const scope = given ?? fault.usualScope
  const meant = operationsIn(scope)
  if (meant.length === 0) {
    const says = scope === '' ? 'An @ needs an operation after it.' : `There is no operation ${scope}.`
    throw usage(says, 'Use writes, reads, consent, or one of: payroll routes list')
  }
  const operations = meant.filter((operation) => fault.on?.(operation) ?? true)
  if (operations.length === 0)
    throw usage(`${name} does not apply to ${scope}.`, 'What it does: payroll sandbox faults')
  return { fault, operations, rate: parseRate(rate, name) }
}
