import type { Operation } from '../../api/contract/operations/operation.ts'
import { allOperations } from '../../api/contract/operations/operations.ts'
import {
  type Correction,
  corrected,
  correctionText,
  readCorrection,
  unconfirmedRead,
} from '../../api/contract/operations/route-correction.ts'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import type { Argument, Resource, Verb } from '../kit/declare/verb.ts'
import { imported } from './import-routes.ts'
import { agree, changeProfile, correctionsOf, storedName } from './stored-corrections.ts'

const operationArgument: Argument = { name: 'operation', summary: 'as routes list names it: payslips.list' }

const list: Verb = {
  name: 'list',
  summary: 'List the 27 operations: method, path, and how well each is known',
  examples: [
    'payroll routes list',
    'payroll routes list --json | jq -r \'.[] | select(.known != "documented").path\'',
  ],
  async run(context) {
    const corrections = await correctionsOf(context)
    const rows = allOperations.map((operation) => {
      const { id, title, known, assumes = [] } = operation
      const { method, path } = corrected(operation, corrections)
      return { operation: id, method, path, known, corrected: id in corrections, assumes, title }
    })
    await context.output.list(rows, {
      columns: ['operation', 'method', 'path', 'known', 'corrected', 'assumes'],
    })
  },
}

const set: Verb = {
  name: 'set',
  summary: 'Correct the route of an operation, for the profile in force',
  arguments: [operationArgument, { name: 'route', summary: "method and path: 'GET /svc/payslips'" }],
  examples: ["payroll routes set payslips.list 'GET /svc/payslips'"],
  notes: [
    'The method keeps the nature of the operation: a read is GET, or a POST that you confirm to be a read (with --yes',
    'where nobody can be asked); a create or an update is POST, PUT or PATCH; a deletion is DELETE or POST.',
    'Each identifier of the operation stands in the path once.',
  ],
  async run(context, { arguments: { operation: id = '', route = '' } }) {
    await storedName(context)
    const correction = await correctionFor(context, id, route)
    await changeProfile(context, (profile) => ({
      ...profile,
      routes: { ...profile.routes, [id]: correction },
    }))
    const kept = typeof correction === 'string' ? correction : `POST ${correction.path}, a read,`
    context.note(`${id} is ${kept} now.`)
  },
}

const reset: Verb = {
  name: 'reset',
  summary: 'Take back the correction of one operation, or all of them',
  arguments: [{ ...operationArgument, optional: true }],
  examples: ['payroll routes reset payslips.list', 'payroll routes reset'],
  async run(context, { arguments: { operation: id } }) {
    // What is stored may have come from elsewhere, and have names that there are no operations for.
    if (id !== undefined && !Object.hasOwn((await context.profile()).routes, id)) operationOf(id)
    await changeProfile(context, (profile) => {
      const { [id ?? '']: _one, ...others } = profile.routes ?? {}
      return { ...profile, routes: id === undefined ? {} : others }
    })
    context.note(
      id === undefined
        ? 'All routes are those of the catalogue again.'
        : `${id} is as in the catalogue again.`,
    )
  },
}

const exported: Verb = {
  name: 'export',
  summary: 'Print the corrections of the profile in force, for a colleague',
  examples: ['payroll routes export > routes.json'],
  async run(context) {
    const { prefix } = await context.profile()
    await context.output.value({ prefix, routes: await correctionsOf(context) })
  },
}

export const routes: Resource = { verbs: [list, set, reset, exported, imported] }

function operationOf(id: string): Operation {
  const operation = allOperations.find((each) => each.id === id)
  if (operation) return operation
  throw usage('There is no such operation.', 'payroll routes list')
}

/**
 * A route as it is kept. A POST for a read is asked about first. Throws a usage failure for one that would make
 * another operation of it.
 */
async function correctionFor(context: Context, id: string, text: string): Promise<Correction> {
  const operation = operationOf(id)
  const read = unconfirmedRead(operation, text)
  if (read) {
    const what = `${id} reads. Does ${read.method} ${read.path} only read too, and change nothing?`
    await agree(context, what, `${id} reads, and a POST may change something.`)
    return read
  }
  const route = readCorrection(operation, text)
  if (typeof route !== 'string') return correctionText(route)
  throw usage(`That is not a route of ${id}: ${route}. Nothing was changed.`, 'payroll routes list')
}
