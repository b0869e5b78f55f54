import { Hono } from 'hono'
import { candidateRoutes } from './candidates.ts'
import type { Database } from './database.ts'
import { documentRoutes } from './documents.ts'
import { keyCheck } from './key-check.ts'
import { serveConsent } from './oauth/consent.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { isAccessToken } from './oauth/tokens.ts'
import { paymentRateRoutes } from './payment-rates.ts'
import { payslipRoutes } from './payslips.ts'
import { answerTo, errorAnswer } from './refusal.ts'
import { register } from './route.ts'
import { timesheetRoutes } from './timesheets.ts'
import { vatCodeRoutes } from './vat-codes.ts'

export interface SandboxOptions {
  readonly database: Database
  /** The API key that it accepts. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The service of interface.md in small. "Every endpoint needs the Authorization header." */
export function createSandbox({ database, key, now }: SandboxOptions): Hono {
  const service = { database, now }
  const app = new Hono()
  app.onError(answerTo)
  app.notFound(() => errorAnswer(404, 'There is nothing at this path'))
  // Before the key check: a person's browser comes here.
  serveConsent(app, service)
  app.use(keyCheck(key, (token) => isAccessToken(service, token)))
  register(app, [
    ...candidateRoutes(service),
    ...paymentRateRoutes(service),
    ...vatCodeRoutes(service),
    ...timesheetRoutes(service),
    ...payslipRoutes(service),
    ...documentRoutes(service),
    ...oauthRoutes(service),
  ])
  return app
}
