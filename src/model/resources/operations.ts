import { type CountryId, countries, type OperationSuffix } from '../countries/countries.ts'
import {
  type CandidateOperations,
  type CandidateVerb,
  candidateVerbs,
  type DeclaredOperation,
  nameOperations,
  type Operation,
  oneRecord,
} from '../records/operation.ts'
import { documents } from './document.ts'
import { irelandOperations } from './ireland-operations.ts'
import { paymentRates } from './payment-rate.ts'
import { payslips } from './payslip.ts'
import { timesheets } from './timesheet.ts'
import { ukOperations } from './uk-operations.ts'
import { vatCodes } from './vat-code.ts'

/** The operations of each country. Records are built when they are needed: a list shown as JSON needs none. */
const byCountry: Readonly<Record<CountryId, CandidateOperations>> = {
  uk: ukOperations,
  ireland: irelandOperations,
}

/** The candidate operations, under names that end in their country: `create`, `createIreland`. */
const candidates = Object.fromEntries(
  countries.flatMap((country) =>
    candidateVerbs.map((verb) => [
      `${verb}${country.operationSuffix}`,
      Object.assign(byCountry[country.id][verb], { country }),
    ]),
  ),
) as Readonly<Record<`${CandidateVerb}${OperationSuffix}`, DeclaredOperation>>

/** Group "Authentication". */
const auth = {
  connectUrl: {
    title: 'Get url to connect the system',
    group: 'Authentication',
    method: 'GET',
    path: '/svc/oauth/grant-token-url',
    query: ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'],
    response: oneRecord(),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  token: {
    title: 'Get access token',
    group: 'Authentication',
    method: 'POST',
    path: '/svc/oauth/token',
    // assumed: RFC 6749, 4.1.3: "using the 'application/x-www-form-urlencoded' format".
    encoding: 'form',
    refuses: {
      400: 'The service refused the token request',
      401: 'The service refused the client application or the key',
    },
    bodyMembers: [
      'grant_type',
      'code',
      'refresh_token',
      'client_id',
      'client_secret',
      'redirect_uri',
      'code_verifier',
    ],
    response: oneRecord(),
    known: 'name',
    assumes: ['method', 'path', 'fields', 'a form in place of JSON', 'the same operation refreshes a token'],
  },
} satisfies Record<string, DeclaredOperation>

/** Group "Authorization". */
const oauth = {
  clientInfo: {
    title: 'Get OAuth client info for the consent screen',
    group: 'Authorization',
    method: 'GET',
    path: '/svc/oauth/client-info',
    query: ['client_id'],
    refuses: { 404: 'The service knows no such client application, or no such path' },
    response: oneRecord(),
    known: 'method',
    assumes: ['path', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>

/** The operations of interface.md. */
export const operations = nameOperations({
  candidates,
  paymentRates,
  vatCodes,
  timesheets,
  payslips,
  documents,
  auth,
  oauth,
})

/** The operations of the candidates of each country, by what they do. */
export const candidatesByCountry = Object.fromEntries(
  countries.map(({ id, operationSuffix }) => [
    id,
    Object.fromEntries(
      candidateVerbs.map((verb) => [verb, operations.candidates[`${verb}${operationSuffix}`]]),
    ),
  ]),
) as Readonly<Record<CountryId, Readonly<Record<CandidateVerb, Operation>>>>

/** All operations, in the order of `operations`. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)

/** The operation with this id: `candidates.create`. */
export const operationById = (id: string): Operation | undefined =>
  allOperations.find((operation) => operation.id === id)
