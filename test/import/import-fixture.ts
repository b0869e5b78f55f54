import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { type Intercept, startSandbox } from '../start-sandbox.ts'
import { readRows } from '../workbook.ts'

export type ImportFixture = Awaited<ReturnType<typeof importFixture>>

/** A file, a home, and a sandbox whose requests a test can hold up; of timesheets, with people. `more`: variables for the import. `onPause`: runs instead of its pauses. */
export async function importFixture(
  noun: 'candidates' | 'timesheets' = 'candidates',
  more: Readonly<Record<string, string>> = {},
  onPause?: (ms: number) => Promise<void>,
) {
  const { env: access, ...sandbox } = await startSandbox()
  const { home, received, call } = sandbox
  for (const agencyRef of noun === 'timesheets'
    ? ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'ACME', 'ACME / 01']
    : [])
    await call('POST', '/svc/candidates', {
      generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' },
    })
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
  const listed = async (): Promise<any[]> =>
    ((await (await call('GET', '/svc/candidates?size=100')).json()) as any).data
  return {
    ...sandbox,
    env,
    /** The file to import. */
    file,
    /** The create requests. */
    posted: () => received.filter(({ method }) => method === 'POST'),
    write,
    /** Writes lines, or bytes, into a file beside it. Gives its path. */
    save(name: string, ...content: readonly string[] | readonly [Uint8Array]): string {
      const path = join(home, name)
      writeFileSync(path, content[0] instanceof Uint8Array ? content[0] : `${content.join('\n')}\n`)
      return path
    },
    /** The bodies of the create requests. */
    sent: (): any[] => received.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : [])),
    /** How many requests there were to create this row. */
    postsOf: (ref: string) =>
      received.filter(({ method, body }) => method === 'POST' && body.includes(`"${ref}"`)).length,
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
      return (await listed()).map(({ agencyRef }) => agencyRef).sort()
    },
    /** The record with this reference. */
    record: async (ref: string): Promise<any> => (await listed()).find(({ agencyRef }) => agencyRef === ref),
    /** A home in which a profile is this service, and the variable that has its key. */
    async asProfile(name: string) {
      const setting = { home, env: { PAYROLL_API_KEY: env.PAYROLL_API_KEY } }
      await payroll(['profiles', 'set', name, '--base-url', sandbox.baseUrl], setting)
      return setting
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

type Post = Parameters<Intercept>[0] & { readonly ref: string }
/** What becomes of a POST. */
export type Act = (response: ServerResponse, carryOut: () => Promise<Response>, post: Post) => unknown

/** Does this to the POSTs, and lets everything else pass; `false` lets a POST pass too. */
export const onPost =
  (act: Act): Intercept =>
  async (request, response, carryOut) => {
    if (request.method !== 'POST') return false
    const { generalSetting } = JSON.parse(request.body)
    return (await act(response, carryOut, { ...request, ref: generalSetting?.agencyRef })) !== false
  }

/** Does this to the POSTs of one row, and lets everything else pass. */
export const onRow = (row: string, act: Act): Intercept =>
  onPost((response, carryOut, post) => post.ref === row && act(response, carryOut, post))

/** Loses a request, or the answer to it. */
export const lose = (response: ServerResponse) => void response.destroy()
export const loseAnswered: Act = (response, carryOut) => carryOut().then(() => lose(response))

export const answer =
  (status: number, body: unknown = {}) =>
  (response: ServerResponse) =>
    answerJson(response, status, body)

/** Answers every read with a list of these. */
export const listing =
  (data: readonly unknown[], totalDocs = data.length): Intercept =>
  ({ method }, response) => {
    if (method === 'GET') answerJson(response, 200, { data, totalDocs })
    return method === 'GET'
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

/** The rows of a file under its headings, whatever its format. */
export async function readTable(path: string): Promise<Record<string, unknown>[]> {
  const text = readFileSync(path, 'utf8').trim()
  if (path.endsWith('.json')) return JSON.parse(text)
  if (path.endsWith('.ndjson')) return text.split('\n').map((line) => JSON.parse(line))
  const rows = path.endsWith('.xlsx')
    ? (await readRows(readFileSync(path))).map(({ cells }) => cells)
    : text.split(/\r?\n/).map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  const [header = [], ...values] = rows
  return values.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])))
}

/** A made-up person. */
export const person = (agencyRef: string, more: Record<string, unknown> = {}) => ({
  generalSetting: { agencyRef, forename: 'Ann', surname: `Sample ${agencyRef}`, ...more },
})

export const people = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => person(`A-${String(from + at).padStart(3, '0')}`))

export const refs = (count: number) => people(count).map(({ generalSetting }) => generalSetting.agencyRef)

/** A made-up person with all that pay needs. */
export const worker = (agencyRef: string, at: number, general: Record<string, unknown> = {}) => ({
  generalSetting: {
    ...{ agencyRef, forename: 'Ann', surname: `Fake${at}`, DOB: '1990-01-02', city: 'Leeds' },
    ...{ rateHour: 20, hours: 37.5, payMethod: 'BACS', address: [`${at} High Road`, 'Flat 2'] },
    ...general,
  },
  bankSetting: { accountName: `Ann Fake${at}`, accountNumber: '31926819', sortCode: '601613' },
  payrollSetting: { paymentModel: 'PAYEE', taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A' },
})

/** A service with so many people, E-1 and so on, and an import --update of a CSV. */
export async function office(count: number) {
  const at = await importFixture()
  for (let number = 1; number <= count; number++) {
    await at.call('POST', '/svc/candidates', worker(`E-${number}`, number))
  }
  const csv = join(at.home, 'staff.csv')
  return {
    ...at,
    csv,
    rejects: join(at.home, 'staff.rejects.csv'),
    save: (...lines: readonly string[]) => void at.save('staff.csv', ...lines),
    /** Changes a record past the tool, as a colleague does. */
    async edit(agencyRef: string, change: Record<string, unknown>, bank = {}): Promise<void> {
      const { id } = await at.record(agencyRef)
      const { bankSetting, ...rest } = worker(agencyRef, Number(agencyRef.slice(2)), change)
      const body = { ...rest, bankSetting: { ...bankSetting, ...bank } }
      await at.call('PUT', `/svc/candidates/${id}`, body)
    },
    /** Does this to the requests with this method for one record, and lets everything else pass; `false` lets one pass too. */
    async on(method: 'GET' | 'PUT', agencyRef: string, act: Act) {
      const { id } = await at.record(agencyRef)
      at.intercept(
        async (request, response, carryOut) =>
          request.method === method &&
          request.url.includes(id) &&
          (await act(response, carryOut, { ...request, ref: agencyRef })) !== false,
      )
    },
    run: (...argv: string[]) => at.importFile(csv, '--update', ...argv),
    puts: () => at.received.filter(({ method }) => method === 'PUT'),
    /** The requests since the last look at them. */
    asked: () => at.received.splice(0).map(({ method }) => method),
  }
}
