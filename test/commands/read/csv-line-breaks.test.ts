import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { file } from '../targets.ts'

const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085']
const jobs = breaks.map((each) => `x${each}=1+41`)

/** A list of people with these jobs, and a service that refuses new ones with a message of several lines. */
async function office(
  records: readonly unknown[] = jobs.map((job, at) => ({ ref: `A${at}`, job, '=cmd|x': 1 })),
) {
  const { env, received } = await service(({ method }, response) => {
    if (method === 'GET') return answerJson(response, 200, { data: records, totalDocs: records.length })
    answerJson(response, 400, { error: { message: 'no\n=cmd|x\rsorry' } })
  })
  return { env, home: freshHome(), received }
}

/** The rows that a reader sees that ends a line at every line break outside of quotation marks. */
const rowsOf = (text: string) =>
  parse(text, { record_delimiter: breaks, bom: true, relax_quotes: false }) as string[][]

describe('CSV with line breaks in its cells', () => {
  test.each([[[]], [['--excel']]])('has as many rows as the list, for every reader: %j', async (more) => {
    const { env, home } = await office()
    const { out } = await payroll(['candidates', 'list', '-o', 'csv', ...more], { home, env })
    const [header, ...rows] = rowsOf(out)
    expect(header).toEqual(['ref', 'job', "'=cmd|x"])
    expect(rows.map(([, job]) => job)).toEqual(breaks.map((each) => `x${each}'=1+41`))
  })

  test('is a file of rejects that can be read, imported again, and runs nothing', async () => {
    const { env, home, received } = await office([])
    const note = '"see\n=1+1"'
    const starters = `agencyRef,jobDescription,=note\r\nA1,Cook,${note}\r\nA2,"=3",\r\n`
    const fields = ['agencyRef', 'jobDescription'].map((name) => [name, `generalSetting.${name}`])
    const columns = JSON.stringify({ ...Object.fromEntries(fields), '=note': null })
    const map = file(home, 'map.json', columns)
    const posted = () => received.filter(({ method }) => method === 'POST').map(({ body }) => body)
    const run = (path: string) =>
      payroll(['candidates', 'import', path, '--incomplete', '--map', map, '--settle', '0'], { home, env })
    await run(file(home, 'starters.csv', starters))
    const sent = posted()
    expect(sent.map((body) => JSON.parse(body).generalSetting.jobDescription)).toEqual(['Cook', '=3'])
    const rejects = readdirSync(home).find((name) => name.includes('.rejects')) ?? ''
    const text = readFileSync(join(home, rejects), 'utf8')
    const rows = rowsOf(text)
    expect(rows.map((row) => row.length)).toEqual([6, 6, 6])
    for (const line of rows.flat().flatMap((cell) => cell.split(/[\r\n]/))) expect(line).not.toMatch(/^[=@]/)
    received.length = 0
    await run(join(home, rejects))
    expect(posted()).toEqual(sent)
  })
})

test('CSV holds nothing that a terminal would act on, wherever it is written', async () => {
  const hostile = 'a\u001b]52;c;x\u0007\u009b2J\u202eb\u200bc'
  const { env, home } = await office([{ ref: 'A1', job: hostile }])
  const words = ['candidates', 'list', '-o', 'csv']
  const { out } = await atTerminal(words, { home, env }).ended
  const harmless = 'a_x001B_]52;c;x_x0007__x009B_2J_x202E_b'
  expect(out).toContain(`A1,"${harmless}c"`)
  for (const each of hostile.match(/[\p{Cc}\p{Cf}]/gu) ?? []) expect(out.split('A1')[1]).not.toContain(each)
  expect((await payroll(words, { home, env })).out).toContain(`${harmless}\u200Bc`)
  const path = join(home, 'list.csv')
  await atTerminal([...words, '--out', path], { home, env }).ended
  expect(readFileSync(path, 'utf8')).toContain(`${harmless}\u200Bc`)
})
