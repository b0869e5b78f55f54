import { usage } from '../../errors.ts'
import { isWrite, type Operation } from '../../model/records/operation.ts'
import { allOperations } from '../../model/resources/operations.ts'
import { type Fault, statusFault, usualFaults } from './faults.ts'

/** Gives the fault that the next request meets, if any; if several, the first. It counts, so each sandbox needs its own. */
export type FaultPlan = (operation: Operation) => Fault | undefined

/** A name may contain an equals sign, `status=503`. */
const specForm = /^(?<name>.+?)(?:=(?<how>first|every):(?<count>[1-9]\d*))?(?:@(?<scope>.*))?$/

/** Reads specs `<name>[=first:<n> or =every:<n>][@<operation>]`: always, and all, by default. Throws a usage failure. */
export function planFaults(specs: readonly string[], faults: readonly Fault[] = usualFaults): FaultPlan {
  const plans = specs.map((spec) => ({ ...parseFault(spec, faults), met: 0, struck: 0 }))
  return (operation) => {
    // Every fault counts every request that it could meet, so that faults do not change each other's turn.
    const due = plans.filter((each) => {
      if (!each.operations.includes(operation)) return false
      each.met += 1
      return each.how === 'every' ? each.met % each.count === 0 : each.struck < each.count
    })
    const [first] = due
    if (first) first.struck += 1
    return first?.fault
  }
}

function parseFault(spec: string, faults: readonly Fault[]) {
  const {
    name = '',
    how = 'first',
    count = Number.POSITIVE_INFINITY,
    scope,
  } = specForm.exec(spec)?.groups ?? {}
  const fault = faults.find((each) => each.name === name) ?? statusFault(name)
  if (!fault) {
    throw usage(
      `There is no fault ${spec}.`,
      `It is written <name>[@<operation>], or <name>=first:2@<operation>. The faults are: status=503, status=503-after-commit, ${faults.map(({ name }) => name).join(', ')}`,
    )
  }
  const operations = operationsIn(scope)
  if (operations.length === 0)
    throw usage(`There is no operation "${scope}".`, 'Use writes, reads, or one of: payroll routes list')
  return { fault, operations, how, count: Number(count) }
}

/** The operation of a request; undefined for unknown paths. */
export function operationAt(method: string, pathname: string): Operation | undefined {
  const fitting = allOperations.filter(
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
function operationsIn(scope: string | undefined): readonly Operation[] {
  if (scope === undefined) return allOperations
  if (scope === 'writes') return allOperations.filter(isWrite)
  if (scope === 'reads') return allOperations.filter((operation) => !isWrite(operation))
  return allOperations.filter(({ id }) => id === scope)
}
