import { corrected, parseRoute } from '../api/contract/correction.ts'
import type { Operation } from '../api/contract/operation.ts'
import { allOperations } from '../api/contract/operations.ts'
import { isObject } from '../api/contract/path.ts'
import type { Context } from '../context.ts'
import { type Issue, invalidInput, usage } from '../errors.ts'
import { changeSettings, type StoredProfile } from '../profile/settings.ts'
import type { Resource } from './kit/attach.ts'
import type { Argument, Verb } from './kit/verb.ts'

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
  async run(context, { arguments: { operation: id = '', route = '' } }) {
    const issue = issueOf(id, route)
    if (issue) throw usage(`That is not a route of ${id}: ${issue}.`, 'payroll routes list')
    await change(context, (routes) => ({ ...routes, [id]: normal(route) }))
    context.note(`${id} is ${normal(route)} now.`)
  },
}

const reset: Verb = {
  name: 'reset',
  summary: 'Take back the correction of one operation, or all of them',
  arguments: [{ ...operationArgument, optional: true }],
  examples: ['payroll routes reset payslips.list', 'payroll routes reset'],
  async run(context, { arguments: { operation: id } }) {
    if (id !== undefined) operationOf(id)
    await change(context, (routes) => {
      const { [id ?? '']: _one, ...others } = routes
      return id === undefined ? {} : others
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

const imported: Verb = {
  name: 'import',
  summary: 'Take over the corrections that a colleague exported',
  options: ['file'],
  examples: ['payroll routes import --file routes.json', 'payroll routes import < routes.json'],
  async run(context, { options }) {
    const { givenRecord } = await import('./kit/input.ts')
    const given = await givenRecord(context, options)
    const routes = isObject(given) && isObject(given.routes) ? given.routes : undefined
    if (!routes) throw invalidInput('These are no corrections: expected what routes export prints.', [])
    const issues = Object.entries(routes).flatMap(([id, route]): Issue[] => {
      const message =
        typeof route === 'string' ? issueOf(id, route) : 'expected a method and a path in quotes'
      return message ? [{ path: `routes.${id}`, message }] : []
    })
    if (issues.length > 0)
      throw invalidInput('These corrections cannot be taken over. Nothing was changed.', issues)
    await change(context, (before) => ({ ...before, ...(routes as Record<string, string>) }))
    context.note(`Took over ${Object.keys(routes).length} corrections.`)
  },
}

export const routes: Resource = { verbs: [list, set, reset, exported, imported] }

/** What is corrected in the profile in force; nothing when there is none yet. */
async function correctionsOf(context: Context): Promise<Readonly<Record<string, string>>> {
  const chosen = context.options.profile !== undefined || (await hasDefault(context))
  return chosen ? (await context.profile()).routes : {}
}

async function hasDefault({ host, settings }: Context): Promise<boolean> {
  return Boolean(host.env.PAYROLL_PROFILE || host.env.PAYROLL_BASE_URL || (await settings()).default)
}

function operationOf(id: string): Operation {
  const operation = allOperations.find((each) => each.id === id)
  if (operation) return operation
  throw usage('There is no such operation.', 'payroll routes list')
}

/** What is wrong with a route; undefined when it can be used. */
function issueOf(id: string, route: string): string | undefined {
  const operation = allOperations.find((each) => each.id === id)
  if (!operation) return 'there is no such operation'
  const parsed = parseRoute(operation, route)
  return typeof parsed === 'string' ? parsed : undefined
}

const normal = (route: string) => route.trim().split(/\s+/).join(' ')

async function change(
  context: Context,
  by: (routes: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Promise<void> {
  const { name, kind } = await context.profile()
  if (kind !== 'stored')
    throw usage(`Routes are kept with a stored profile, and ${name} is none.`, 'payroll profiles list')
  const warnings = await changeSettings(await context.directory(), (settings) => {
    const profile: StoredProfile = settings.profiles[name] ?? {}
    return {
      ...settings,
      profiles: { ...settings.profiles, [name]: { ...profile, routes: by(profile.routes ?? {}) } },
    }
  })
  for (const warning of warnings) context.warn(warning)
}
