import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { payroll } from '../payroll.ts'
import { type Intercept, startSandbox } from '../start-sandbox.ts'

/** A file, a home, and a sandbox whose requests a test can hold up. `more`: variables for the import. `onPause`: runs instead of its pauses. */
export async function importFixture(
  noun: 'candidates' | 'timesheets' = 'candidates',
  more: Readonly<Record<string, string>> = {},
  onPause?: (ms: number) => Promise<void>,
) {
  const { env: access, ...sandbox } = await startSandbox()
  const { home, received, call } = sandbox
  const env = { ...access, ...more }
  const file = join(home, 'starters.ndjson')
  const write = (rows: readonly unknown[], path = file) =>
    writeFileSync(
      path,
      rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
    )
  const importFile = (path: string, ...argv: string[]) =>
    payroll([noun, 'import', path, '--settle', '0', '--json', ...argv], {
      home,
      env,
      ...(onPause && { onPause }),
    })
  return {
    ...sandbox,
    env,
    /** The file to import. */
    file,
    /** The create requests. */
    posted: () => received.filter(({ method }) => method === 'POST'),
    write,
    /** Runs the import as a script does; by default it does not wait for lost requests. */
    import: (...argv: string[]) => importFile(file, ...argv),
    /** The same of these rows. */
    importRows(rows: readonly unknown[], ...argv: string[]) {
      write(rows)
      return importFile(file, ...argv)
    },
    /** The same with another file. */
    importFile,
    /** The references of all records on the service. */
    async there(): Promise<string[]> {
      const answer = await call('GET', '/svc/candidates?size=100')
      return ((await answer.json()) as any).data.map(({ agencyRef }: any) => agencyRef).sort()
    },
    /** The lines of the journal, without their checksums. */
    journal: (): any[] => lines(journalOf(home)),
    journalPath: () => journalOf(home),
  }
}

/** The same, whose requests are held up from the beginning. */
export async function interceptedFixture(by: Intercept) {
  const at = await importFixture()
  at.intercept(by)
  return at
}

function journalOf(home: string): string {
  const folder = join(home, 'imports')
  return join(folder, readdirSync(folder)[0] ?? 'none')
}

const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(9)))

/** A made-up person. */
export const person = (agencyRef: string, more: Record<string, unknown> = {}) => ({
  generalSetting: { agencyRef, forename: 'Ann', surname: `Sample ${agencyRef}`, ...more },
})

export const people = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => person(`A-${String(from + at).padStart(3, '0')}`))

export const refs = (count: number) => people(count).map(({ generalSetting }) => generalSetting.agencyRef)
