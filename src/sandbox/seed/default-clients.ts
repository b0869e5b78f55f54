import type { JsonObject } from '../http/json.ts'

/** Creation date of the clients. */
export const clientsSince = Date.UTC(2026, 0, 1)

/**
 * The client applications of a new sandbox. No operation creates one ("create a client application" is a step of the
 * flow without an operation). The redirect goes to a program on the same machine, on any port.
 */
export const defaultClients: readonly { readonly id: string; readonly body: JsonObject }[] = [
  {
    id: 'payroll-cli',
    body: {
      name: 'Payroll command line',
      redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
    },
  },
]
