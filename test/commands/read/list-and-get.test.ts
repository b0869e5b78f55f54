import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { candidateTargets, loopback } from '../targets.ts'

describe('candidates list and get', () => {
  test.each(candidateTargets)(
    'lists no $adjective candidates as an empty array, and as no lines',
    async (target) => {
      const { run } = await loopback()
      const list = ['candidates', 'list', ...target.flags]
      expect(await run(list)).toMatchObject({ code: 0, out: '[]\n' })
      expect(await run([...list, '-o', 'table'])).toMatchObject({ code: 0, out: '' })
    },
  )

  test.each(candidateTargets)(
    'gets a $adjective candidate with every field that the list shows',
    async (target) => {
      const { country, flags } = target
      const { run } = await loopback()
      await run(['candidates', 'create', ...flags, '--file', everyFieldFile(country)])
      const listed = await run(['candidates', 'list', ...flags])
      const [item] = listed.json()
      const got = await run(['candidates', 'get', item.id, ...flags])
      expect([listed.code, got.code, got.json()]).toEqual([0, 0, item])
      const { generalSetting, bankSetting } = everyField(country)
      const { DOB, address } = generalSetting
      const { accountNumber, IBANReference } = bankSetting
      expect(item).toMatchObject({ DOB, address, bank: { accountNumber, IBANReference } })
      // The other country does not know its id.
      const other = flags.length === 0 ? '--ireland' : '--uk'
      const { code, out, error } = await run(['candidates', 'get', item.id, other, '--json'])
      expect([code, out]).toEqual([5, ''])
      expect(error()).toMatchObject({ code: 'not-found', status: 404, outcome: null, method: 'GET' })
    },
  )
})

describe('an Irish candidate with every field', () => {
  async function made() {
    const { run } = await loopback()
    const create = ['candidates', 'create', '--ireland', '--file', everyFieldFile('ireland')]
    const { id } = (await run(create)).json()
    const get = async (...words: string[]) =>
      (await run(['candidates', 'get', id, '--ireland', ...words])).out
    return { run, id, get }
  }

  test('is a row of candidates list as a table, under labels', async () => {
    const { run, id } = await made()
    const { out, err } = await run(['candidates', 'list', '--ireland', '--output', 'table'])
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['Agency reference', 'Forename', 'Surname', 'ID', 'Status', 'Start date', 'Registration status'],
      ['IE-0001', 'Síle', "O'Sampléir", id, 'ACTIVE', '6 Apr 2026', 'REGISTRATION_COMPLETE'],
    ])
    expect(err).toContain('1 person\n')
  })

  test('is masked by candidates get for a person and not for a script', async () => {
    const { get } = await made()
    const secrets = ['12345678', '931152', 'IE29AIBK93115212345678', '1234567FA']
    const card = await get('-o', 'table')
    for (const secret of secrets) expect(card).not.toContain(secret)
    expect(card).toMatch(/^ {2}PPS number +\*{6}7FA$/m)
    expect(card).toMatch(/^Bank$/m)
    const revealed = await get('-o', 'table', '--reveal')
    const script = await get('--json')
    for (const secret of secrets) expect([revealed, script].every((text) => text.includes(secret))).toBe(true)
    expect([card, revealed].map((text) => text.includes('14 March 1991'))).toEqual([false, true])
    expect(script).toContain('1991-03-14')
    expect(await get('--query', 'bank', '-o', 'table')).not.toContain('12345678')
    for (const words of [['-o', 'table', '--reveal'], ['--json']])
      expect(await get('--query', 'bank', ...words)).toContain('12345678')
  })
})

describe('candidates list', () => {
  /** A service with so many candidates of one country. */
  async function holding(count: number, path: string = candidateTargets[0].path) {
    const at = await loopback()
    for (let n = 0; n < count; n++) {
      await at.call('POST', path, { generalSetting: { agencyRef: `R-${n}`, DOB: '1990-01-31' } })
    }
    const refs = async (...words: string[]) => {
      const { code, json } = await at.run(['candidates', 'list', ...words])
      expect(code).toBe(0)
      return json().map(({ agencyRef }: { agencyRef: string }) => agencyRef)
    }
    return { ...at, refs }
  }
  const refsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => `R-${first + n}`)

  test.each(candidateTargets)('collects every page of the $adjective list into one array', async (target) => {
    const { flags, path } = target
    const { refs, requests } = await holding(205, path)
    expect(await refs(...flags)).toEqual(refsFrom(0, 205))
    const pages = [1, 2, 3, 1].map((page) => `${path}?page=${page}&size=100`)
    expect(requests.map(({ url }) => url)).toEqual(pages)
  })

  test('reads one page with --page and --size, 20 items unless told', async () => {
    const { refs, requests } = await holding(45)
    expect(await refs('--page', '2', '--size', '7')).toEqual(refsFrom(7, 7))
    expect(await refs('--page', '3')).toHaveLength(5)
    expect(await refs('--size', '100')).toHaveLength(45)
    const queries = ['page=2&size=7', 'page=3&size=20', 'page=1&size=100']
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual(queries)
  })

  test('stops asking once it has --limit items', async () => {
    const { refs, requests } = await holding(130)
    expect(await refs('--limit', '3')).toEqual(refsFrom(0, 3))
    expect(await refs('--limit', '100')).toHaveLength(100)
    expect(requests).toHaveLength(2)
    expect(await refs('--limit', '101')).toHaveLength(101)
  })

  test.each([
    '--size 101',
    '--size 0',
    '--page 0',
    '--page 1.5',
    '--page -1',
    '--page 1e3',
    '--limit 0',
    '--limit all',
    '--limit 5 --page 1',
  ])('refuses %s: exit 2, nothing sent', async (words) => {
    const { run, requests } = await loopback()
    const { code, error } = await run(`candidates list --json ${words}`.split(' '))
    expect([code, requests]).toEqual([2, []])
    expect(error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
  })

  test('is a table on a terminal and JSON into a pipe', async () => {
    const { env, home, run } = await holding(1)
    const list = ['candidates', 'list']
    const [json, table] = [/^\[\n/, /^Agency reference /]
    expect((await run(list)).out).toMatch(json)
    expect((await run(list, { env: { PAYROLL_OUTPUT: 'table' } })).out).toMatch(table)
    expect((await atTerminal(list, { home, env }).ended).out).toMatch(table)
    expect((await atTerminal([...list, '--json'], { home, env }).ended).out).toMatch(json)
  })

  test.each(['json', 'table'])('says nothing but the answer with --quiet -o %s', async (output) => {
    const { run } = await holding(1)
    const { code, out, err } = await run(['candidates', 'list', '--quiet', '-o', output])
    expect([code, out, err]).toEqual([0, expect.stringContaining('R-0'), ''])
  })
})

test('a service that answers under the names of the request has the columns and labels of any other', async () => {
  const generalSetting = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', hours: 37.5 }
  const person = { id: '1', generalSetting, bankSetting: { sortCode: '000000' } }
  const { env } = await service(({ url }, response) =>
    answerJson(response, 200, url.includes('?') ? { data: [person], totalDocs: 1 } : { data: person }),
  )
  const shown = (words: string) =>
    payroll([...words.split(' '), '--output', 'table'], { home: freshHome(), env })
  const list = await shown('candidates list')
  expect(list.out).toMatch(/^Agency reference +Forename +Surname +ID\nUK-1 +Ann +Sample +1\n$/)
  const card = await shown('candidates get 1 --id')
  expect(card.out).toMatch(/ {2}Hours a week +37\.5\n\nBank\n {2}Sort code +\*+\n/)
})

test('a table fits a terminal of 60 columns, is cards on one of 40, and is whole in a pipe and in a file', async () => {
  const [id, surname] = ['7c4640cf-ca43-4a81-ab10-122bb478fb07', `O'${'Example'.repeat(12)}`]
  const { env } = await answering(200, { data: [{ id, surname }], totalDocs: 1 })
  const list = 'candidates list --quiet --columns id,surname -o table'.split(' ')
  const shownOn = async (columns: number) => (await atTerminal(list, { env, columns }).ended).out
  const [, row = ''] = (await shownOn(60)).split('\n')
  expect([row, row.length]).toEqual([expect.stringMatching(/^[\w-]{36} {2}O'Example\w*…$/), 60])
  expect(await shownOn(40)).toMatch(/ID\n +7c4640cf-\S+\n +\S+\n +Surname\n +O'Example/)
  const whole = `ID                                    Surname\n${id}  ${surname}\n`
  expect((await payroll(list, { env })).out).toBe(whole)
  const file = join(freshHome(), 'list.txt')
  await atTerminal([...list, '--out', file], { env, columns: 40 }).ended
  expect(readFileSync(file, 'utf8')).toBe(whole)
})
