/** The options about the journal that several computers share. */
export interface JournalOptions {
  readonly journal?: string
  readonly sql?: boolean
}

export const journalDeclarations = {
  journal: {
    flags: '--journal <address>',
    summary: 'the PostgreSQL database that several computers share, without a password; or none',
  },
  sql: { flags: '--sql', summary: 'print the SQL instead, with the rights that payroll needs' },
} as const
