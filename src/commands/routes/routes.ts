import { routesInForce } from '../../context/routes-in-force.ts'
import { usage } from '../../errors.ts'
import { anyObject, array, choice, flag, text, type ValuesOf } from '../../model/fields/field.ts'
import type { Method, Operation } from '../../model/records/operation.ts'
import { allOperations, operationById } from '../../model/resources/operations.ts'
import {
  applyCorrection,
  type Correction,
  correctionText,
  readCorrection,
} from '../../model/resources/route-correction.ts'
import type { Options } from '../cli/options.ts'
import type { Argument, Resource, Verb } from '../cli/verb.ts'
import { check } from './check.ts'
import { changeRoutes, correctionsOf, storedName } from './stored-corrections.ts'

const operationArgument: Argument = {
  name: 'operation',
  summary: 'its id, as routes list shows it, such as payslips.list',
}

const routeFields = {
  operation: text('Id of the operation'),
  method: text('Method'),
  path: text('Path'),
  known: choice('How well it is known', ['documented', 'method', 'name']),
  corrected: flag('Whether it was corrected'),
  assumes: array('What is guessed of it', text('')),
  title: text('What it does'),
}

const exportedFields = {
  prefix: text('First segment of every path'),
  routes: anyObject('Corrections, by the id of the operation'),
}

const list: Verb = {
  name: 'list',
  isLocal: true,
  summary: `List the ${allOperations.length} operations with method and path, and whether each path is documented or a guess`,
  answer: { prints: 'json', shapes: [{ list: true, fields: routeFields }] },
  examples: [
    'payroll routes list',
    'payroll routes list --json | jq -r \'.[] | select(.known != "documented").path\'',
  ],
  async run(context) {
    const corrections = await correctionsOf(context)
    const rows = allOperations.map((operation): ValuesOf<typeof routeFields> => {
      const { id, title, known, assumes = [] } = operation
      const { method, path } = applyCorrection(operation, corrections)
      return { operation: id, method, path, known, corrected: id in corrections, assumes, title }
    })
    await context.output.list(rows, {
      columns: ['operation', 'method', 'path', 'known', 'corrected', 'assumes'],
    })
  },
}

const set: Verb = {
  name: 'set',
  isLocal: true,
  localEffect: 'changed',
  summary: 'Correct the method, the path or the parameters of an operation for the profile in use',
  arguments: [operationArgument, { name: 'route', summary: "method and path: 'GET /svc/payslips'" }],
  options: ['parameter', 'bodyAs'],
  answer: { prints: 'nothing' },
  examples: [
    'payroll routes set payslips.list "GET /svc/payslips"',
    'payroll routes set auth.token "POST /svc/tokens" --parameter code=authCode --body-as json',
  ],
  notes: [
    'The method must suit the operation. To read: GET. To create or update: POST, PUT or PATCH. To delete: DELETE or POST.',
    'The path must contain each {id} of the operation exactly once.',
  ],
  async run(context, { arguments: { operation = '', route = '' }, options }) {
    await storedName(context)
    const correction = correctionFor(operation, route, options)
    await changeRoutes(context, (routes) => ({ ...routes, [operation]: correction }))
    const correctionLine = correctionText(
      applyCorrection(operationNamed(operation), { [operation]: correction }),
    )
    context.note(`${operation} now uses ${correctionLine}.`)
  },
}

const reset: Verb = {
  name: 'reset',
  isLocal: true,
  deletes: true,
  localEffect: 'changed',
  summary: 'Undo the correction of one operation, or all corrections',
  arguments: [{ ...operationArgument, optional: true }],
  answer: { prints: 'nothing' },
  examples: ['payroll routes reset payslips.list', 'payroll routes reset'],
  async run(context, { arguments: { operation } }) {
    // Stored corrections may name operations that do not exist: they can be reset too.
    if (operation !== undefined && !Object.hasOwn((await context.profile()).routes, operation))
      operationNamed(operation)
    await changeRoutes(context, ({ [operation ?? '']: _one, ...others }) =>
      operation === undefined ? {} : others,
    )
    context.note(
      operation === undefined
        ? 'All operations use their default routes again.'
        : `${operation} uses its default route again.`,
    )
  },
}

const exported: Verb = {
  name: 'export',
  isLocal: true,
  summary: 'Print the corrections of the profile in use, for the PAYROLL_ROUTES of a colleague',
  answer: { prints: 'json', shapes: [{ fields: exportedFields }] },
  examples: ['payroll routes export > routes.json'],
  async run(context) {
    const { prefix } = routesInForce(await context.profile())
    const answer: ValuesOf<typeof exportedFields> = { prefix, routes: await correctionsOf(context) }
    await context.output.value(answer)
  },
}

export const routes: Resource = { verbs: [list, set, check, reset, exported] }

function operationNamed(id: string): Operation {
  const operation = operationById(id)
  if (operation) return operation
  throw usage(`There is no operation ${id}.`, 'To list the operations: payroll routes list')
}

/** The correction that was typed. Throws for a route that does not suit the operation. */
function correctionFor(id: string, text: string, { parameter = [], bodyAs: encoding }: Options): Correction {
  const operation = operationNamed(id)
  const [method = '', ...rest] = text.trim().split(/\s+/)
  const path = rest.join(' ')
  const pairs = parameter.map((each) => each.split('='))
  const isPairs = pairs.every((each) => each.length === 2)
  const more = {
    ...(pairs.length > 0 && { names: Object.fromEntries(pairs) }),
    ...(encoding && { encoding }),
  }
  const isPlain = Object.keys(more).length === 0
  const correction: Correction = isPlain ? `${method} ${path}` : { method: method as Method, path, ...more }
  const usable = isPairs ? readCorrection(operation, correction) : 'expected --parameter code=authCode'
  if (typeof usable === 'string')
    throw usage(`This route cannot be used for ${id}: ${usable}.`, 'To see the routes: payroll routes list')
  return correction
}
