import type { JsonObject } from '../http/json.ts'

/** When the clients were there first. */
export const clientsSince = Date.UTC(2026, 0, 1)

/**
 * The client applications of a new sandbox. No operation creates one ("create a client application" is a step
 * of the flow without an operation). The address is that of a program on the same machine, which takes any
 * port that is free.
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
