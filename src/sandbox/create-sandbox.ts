import { Hono, type MiddlewareHandler } from 'hono'
import type { Json, JsonObject } from '../files/json/path.ts'
import { countries } from '../model/countries/countries.ts'
import { candidatesByCountry, operations } from '../model/resources/operations.ts'
import { paymentRate, paymentRateAnswer } from '../model/resources/payment-rate.ts'
import { buildAnswer } from './countries/build-answer.ts'
import { sandboxCountries } from './countries/countries.ts'
import { type Database, databaseFile, openDatabase } from './database/database.ts'
import type { StoredRecord } from './database/record-table.ts'
import { consentPath, serveConsent } from './oauth/consent.ts'
import { isAccessToken, ownClient, redeem } from './oauth/oauth-tokens.ts'
import { documentRoutes } from './records/document-routes.ts'
import { resourceRoutes, type SandboxResource, type Service } from './records/resource-routes.ts'
import {
  errorResponse,
  mediaType,
  readBody,
  readForm,
  refusal,
  register,
  respondToError,
  type SandboxRoute,
} from './requests.ts'

/** The key of the built-in sandbox. It works nowhere else, so it is not secret. */
export const sandboxKey = 'sandbox-key'

/** A small version of the service in interface.md. "Every endpoint needs the Authorization header." */
export function createSandbox({ key, ...service }: Service & { readonly key: string }): Hono {
  const app = new Hono()
  app.onError(respondToError)
  app.notFound(() => errorResponse(404, 'There is nothing at this path'))
  // Before the key check, because a browser has no key.
  serveConsent(app, service)
  app.use(keyCheck(key, (token) => isAccessToken(service, token)))
  register(app, [
    ...resources.flatMap((resource) => resourceRoutes(resource, service)),
    ...documentRoutes(service),
    ...oauthRoutes(service),
  ])
  return app
}

/** Opens a sandbox inside this process; its address leads nowhere. Throws a usage failure if it cannot be used. */
export async function openSandbox(directory: string, now: () => number) {
  const app = createSandbox({ database: await openDatabase(databaseFile(directory)), key: sandboxKey, now })
  return {
    baseUrl: 'http://sandbox.invalid',
    key: sandboxKey,
    application: (request: Request) => app.fetch(request),
  }
}

/** "Requests carry the header `Authorization`", else 401. assumed: a token is sent bare or as `Bearer`. */
function keyCheck(key: string, isAccessToken: (token: string) => boolean): MiddlewareHandler {
  return async (c, next) => {
    const header = c.req.header('Authorization')
    if (header === undefined) throw refusal(401, 'The Authorization header is missing')
    // `sandbox serve` prints the key: how long it takes to compare gives nothing away.
    if (header !== key && !isAccessToken(header.replace(/^Bearer +/i, '')))
      throw refusal(401, 'The API key or access token is not valid')
    await next()
  }
}

/** assumed throughout: "paths, parameters, token formats, lifetimes and scopes of this flow …: not shown". */
function oauthRoutes(service: Service): SandboxRoute[] {
  return [
    {
      operation: operations.auth.connectUrl,
      handle(c) {
        // With the parameters that the client gave; it may add the others itself.
        const url = new URL(c.req.url)
        url.pathname = consentPath
        url.searchParams.set('response_type', 'code')
        return c.json({ data: { url: url.href }, success: true })
      },
    },
    {
      operation: operations.auth.token,
      // A form as in RFC 6749, or JSON like the rest.
      async handle(c) {
        const { raw } = c.req
        const isForm = mediaType(raw) === 'application/x-www-form-urlencoded'
        return c.json(redeem(service, await (isForm ? readForm(raw) : readBody(raw, undefined))))
      },
    },
    {
      operation: operations.oauth.clientInfo,
      handle(c) {
        const clientId = c.req.query('client_id')
        if (!clientId) throw refusal(400, 'The query has no client_id')
        if (clientId !== ownClient.clientId) throw refusal(404, 'No client application has this id')
        return c.json({ data: ownClient, success: true })
      },
    },
  ]
}

/** Candidates of every country. An id belongs to one country only. */
const candidates: readonly SandboxResource[] = countries.map(({ id }) => ({
  operations: candidatesByCountry[id],
  answer: sandboxCountries[id].answer,
  country: id,
  table: 'candidates',
  // "`{ data: { candidate: <object>, success: boolean }, success: boolean }`".
  data: (candidate) => ({ candidate, success: true }),
}))

/** "author: string (user identifier)": the one user of the sandbox. */
const author = '00000000-0000-4000-8000-00000000a001'

const paymentRates: SandboxResource = {
  operations: operations.paymentRates,
  table: 'paymentRates',
  check({ defaultVATCode }, database) {
    if (defaultVATCode === undefined || defaultVATCode === null || vatCodeOf(defaultVATCode, database)) return
    throw refusal(400, 'Unknown VAT code', [
      { path: 'defaultVATCode', message: 'must be the id of a VAT code' },
    ])
  },
  answer: (record, database) => answerRate(record, vatCodeOf(record.body.defaultVATCode, database)),
}

function vatCodeOf(id: Json | undefined, { tables }: Database): StoredRecord | undefined {
  return typeof id === 'string' ? tables.vatCodes.find('', id) : undefined
}

/** "includeInPayeCalculation appears as includeInPayeUmbrellaCalculation, and defaultVATCode is an object". */
function answerRate(record: StoredRecord, vatCode: StoredRecord | undefined): JsonObject {
  const { id, sequence, body, createdAt, updatedAt } = record
  const { hoursPerUnit, includeInPayeCalculation } = body
  return {
    ...buildAnswer(body, paymentRate.fields, paymentRateAnswer.fields),
    id,
    incrementId: sequence,
    hoursPerUnit: typeof hoursPerUnit === 'number' ? String(hoursPerUnit) : null,
    includeInPayeUmbrellaCalculation: includeInPayeCalculation ?? null,
    isStatutory: null,
    defaultVATCode: vatCode ? answerVatCode(vatCode) : null,
    author,
    createdAt,
    updatedAt,
  }
}

const vatCodes: SandboxResource = {
  operations: operations.vatCodes,
  table: 'vatCodes',
  answer: answerVatCode,
}

/** "VAT code (nested in a payment rate)". */
function answerVatCode({ id, sequence, body, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { id, incrementId: sequence, ...body, author: null, createdAt, updatedAt, deletedAt: null }
}

const { list, listLegacy } = operations.payslips

/** The payslips. No operation creates them: they come from `sandbox seed`. */
const payslips: readonly SandboxResource[] = [
  { table: 'payslips', operations: { list }, answer: ({ id, body }) => ({ id, ...body }) },
  {
    table: 'payslips',
    operations: { list: listLegacy },
    answer: answerLegacy,
    // assumed: the legacy shape of a page.
    page: (items, totalDocs) => ({ items, meta: { totalDocs } }),
  },
]

/** "a legacy-shape operation labelled v1". assumed: the same payslips, but three fields have shorter names. */
function answerLegacy({ id, body }: StoredRecord): JsonObject {
  const { taxPeriod = null, agencyName = null, subcontractorName = null, ...same } = body
  return { id, period: taxPeriod, agency: agencyName, subcontractor: subcontractorName, ...same }
}

/** Every resource that is kept and answered in the usual way. */
const resources: readonly SandboxResource[] = [
  ...candidates,
  paymentRates,
  vatCodes,
  // "Fields of timesheet …: not shown." assumed: the answer is the timesheet as sent.
  { operations: operations.timesheets, table: 'timesheets' },
  ...payslips,
]
