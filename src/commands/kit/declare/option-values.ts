import type { VariantId } from '../../../api/contract/variants.ts'
import type { ExportFormat } from '../../../export/export-format.ts'
import type { JournalOptions } from './journal-options.ts'

/** The options of the verbs, after parsing. */
export interface Options extends Readonly<Partial<Record<VariantId, boolean>>>, JournalOptions {
  readonly file?: string
  readonly from?: string
  readonly set?: readonly string[]
  readonly unset?: readonly string[]
  readonly dryRun?: boolean
  readonly find?: boolean
  readonly unique?: boolean
  readonly incomplete?: boolean
  readonly mask?: boolean
  readonly edit?: boolean
  readonly legacy?: boolean
  readonly employee?: string
  readonly upload?: string
  readonly force?: boolean
  readonly out?: string
  readonly page?: number
  readonly size?: number
  readonly limit?: number
  readonly where?: readonly string[]
  readonly sort?: string
  readonly consistent?: boolean
  readonly format?: ExportFormat
  readonly sinceLast?: string
  readonly expectMin?: number
  readonly baseUrl?: string
  readonly prefix?: string
  readonly country?: string
  readonly protected?: boolean
  readonly unprotected?: boolean
  readonly authorization?: string
  readonly readOnly?: boolean
  readonly writable?: boolean
  readonly withToken?: boolean
  readonly paginate?: boolean
  readonly refresh?: boolean
  readonly store?: boolean
  readonly save?: boolean
  readonly clientId?: string
  readonly redirectUri?: string
  readonly redirectPort?: number
  readonly authorizeUrl?: string
  readonly keyStore?: string
  readonly keyCommand?: string
  readonly key?: boolean
  readonly browser?: boolean
  readonly withSecret?: boolean
  readonly answer?: boolean
  readonly all?: boolean
  readonly example?: boolean
  readonly csv?: boolean
  readonly payslips?: number
  readonly port?: number
  readonly database?: string
  readonly fault?: readonly string[]
  readonly tokenLifetime?: number
  readonly parameter?: readonly string[]
  readonly bodyAs?: 'form' | 'json'
  readonly map?: string
  readonly dateFormat?: 'dmy' | 'mdy' | 'ymd'
  readonly encoding?: string
  readonly settle?: number
  readonly concurrency?: number
  readonly rejects?: string
  readonly readyOnly?: boolean
  readonly results?: string
  readonly resume?: boolean
}

export type OptionName = keyof Options
