import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { atTerminal } from '../../payroll.ts'
import { candidateTargets, loopback, places } from '../targets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe.each(places)('candidates list and get, at $place', ({ open }) => {
  test.each(candidateTargets)(
    'lists no $adjective candidates as an empty array, and as no lines',
    async ({ flags }) => {
      const { run } = await open()
      const listed = await run(['candidates', 'list', ...flags])
      expect([listed.code, listed.out]).toEqual([0, '[]\n'])
      expect((await run(['candidates', 'list', ...flags, '-o', 'table'])).out).toBe('')
    },
  )

  test.each(candidateTargets)(
    'gets a $adjective candidate with every field that the list shows',
    async (target) => {
      const { run } = await open()
      await run(['candidates', 'create', ...target.flags, '--file', everyFieldFile(target.country)])
      const listed = await run(['candidates', 'list', ...target.flags])
      expect(listed.code).toBe(0)
      const [item] = listed.json()
      const got = await run(['candidates', 'get', item.id, ...target.flags])
      expect(got.code).toBe(0)
      expect(got.json()).toEqual(item)
      const { generalSetting, bankSetting } = everyField(target.country)
      expect(got.json()).toMatchObject({
        DOB: generalSetting.DOB,
        address: generalSetting.address,
        bank: { accountNumber: bankSetting.accountNumber, IBANReference: bankSetting.IBANReference },
      })
    },
  )

  test.each(candidateTargets)(
    'does not know a $adjective id that the other country has: exit 5',
    async (target) => {
      const { run } = await open()
      const other = target.adjective === 'UK' ? ['--ireland'] : ['--uk']
      await run(['candidates', 'create', ...target.flags, '--file', root + target.example])
      const [{ id }] = (await run(['candidates', 'list', ...target.flags])).json()
      const got = await run(['candidates', 'get', id, ...other, '--json'])
      expect(got.code).toBe(5)
      expect(got.out).toBe('')
      expect(got.error()).toMatchObject({ code: 'not-found', status: 404, outcome: 'refused', method: 'GET' })
    },
  )

  test('shows the columns of a list as a table, under their labels', async () => {
    const { run } = await open()
    await run(['candidates', 'create', '--ireland', '--file', everyFieldFile(candidateTargets[1].country)])
    const listed = await run(['candidates', 'list', '--ireland', '--output', 'table'])
    const [head, row, ...rest] = listed.out.trimEnd().split('\n')
    expect(head?.split(/ {2,}/)).toEqual([
      'Agency reference',
      'Forename',
      'Surname',
      'ID',
      'Status',
      'Start date',
      'Registration status',
    ])
    expect(row?.split(/ {2,}/)).toEqual([
      'IE-0001',
      'Síle',
      "O'Sampléir",
      expect.stringMatching(/^[\da-f-]{36}$/),
      'ACTIVE',
      '6 Apr 2026',
      'REGISTRATION_COMPLETE',
    ])
    expect(rest).toEqual([])
    expect(listed.err).toContain('1 item\n')
  })

  test('masks a card for a person and not for a script', async () => {
    const { run } = await open()
    const made = await run([
      'candidates',
      'create',
      '--ireland',
      '--file',
      everyFieldFile(candidateTargets[1].country),
    ])
    const get = ['candidates', 'get', made.json().id, '--ireland']
    const secrets = ['12345678', '931152', 'IE29AIBK93115212345678', '1234567FA']
    const card = (await run([...get, '-o', 'table'])).out
    for (const secret of secrets) expect(card).not.toContain(secret)
    expect(card).toMatch(/^ {2}PPS number +\*{6}7FA$/m)
    expect(card).toMatch(/^Bank$/m)
    const revealed = (await run([...get, '-o', 'table', '--reveal'])).out
    const script = (await run([...get, '--json'])).out
    for (const secret of secrets) expect([revealed, script].every((text) => text.includes(secret))).toBe(true)
    expect([card, revealed].map((text) => text.includes('14 March 1991'))).toEqual([false, true])
    expect(script).toContain('1991-03-14')
    const account = async (...words: string[]) => (await run([...get, '--query', 'bank', ...words])).out
    expect(await account('-o', 'table')).not.toContain('12345678')
    for (const words of [['-o', 'table', '--reveal'], ['--json']])
      expect(await account(...words)).toContain('12345678')
  })
})

describe('candidates list', () => {
  /** A service with so many candidates of one country. */
  async function holding(count: number, path: string) {
    const at = await loopback()
    for (let n = 0; n < count; n++) {
      await at.call('POST', path, { generalSetting: { agencyRef: `R-${n}`, DOB: '1990-01-31' } })
    }
    const refs = async (...words: string[]) => {
      const listed = await at.run(['candidates', 'list', ...words])
      expect(listed.code).toBe(0)
      return listed.json().map(({ agencyRef }: { agencyRef: string }) => agencyRef)
    }
    return { ...at, refs }
  }

  test.each(candidateTargets)(
    'collects every page of the $adjective list into one array',
    async ({ flags, path }) => {
      const { refs, requests } = await holding(205, path)
      expect(await refs(...flags)).toEqual([...Array(205).keys()].map((n) => `R-${n}`))
      expect(requests.map(({ url }) => url)).toEqual(
        [1, 2, 3, 1].map((page) => `${path}?page=${page}&size=100`),
      )
    },
  )

  test('reads one page with --page and --size, 20 items unless told', async () => {
    const { refs, requests } = await holding(45, '/svc/candidates')
    expect(await refs('--page', '2', '--size', '7')).toEqual([...Array(7).keys()].map((n) => `R-${7 + n}`))
    expect(await refs('--page', '3')).toHaveLength(5)
    expect(await refs('--size', '100')).toHaveLength(45)
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual([
      'page=2&size=7',
      'page=3&size=20',
      'page=1&size=100',
    ])
  })

  test('stops asking once it has --limit items', async () => {
    const { refs, requests } = await holding(130, '/svc/candidates')
    expect(await refs('--limit', '3')).toEqual(['R-0', 'R-1', 'R-2'])
    expect(await refs('--limit', '100')).toHaveLength(100)
    expect(requests).toHaveLength(2)
    expect(await refs('--limit', '101')).toHaveLength(101)
  })

  test.each([
    ['--size', '101'],
    ['--size', '0'],
    ['--page', '0'],
    ['--page', '1.5'],
    ['--page', '-1'],
    ['--page', '1e3'],
    ['--limit', '0'],
    ['--limit', 'all'],
    ['--limit', '5', '--page', '1'],
  ])('refuses %s %s: exit 2, nothing sent', async (...words) => {
    const { run, requests } = await loopback()
    const listed = await run(['candidates', 'list', '--json', ...words])
    expect(listed.code).toBe(2)
    expect(listed.error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    expect(requests).toEqual([])
  })

  test('is a table on a terminal and JSON into a pipe', async () => {
    const { env, home, run, call } = await loopback()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'R-1' } })
    expect((await run(['candidates', 'list'])).out).toMatch(/^\[\n/)
    expect((await run(['candidates', 'list'], { env: { PAYROLL_OUTPUT: 'table' } })).out).toMatch(
      /^Agency reference /,
    )
    expect((await atTerminal(['candidates', 'list'], { home, env }).ended).out).toMatch(/^Agency reference /)
    expect((await atTerminal(['candidates', 'list', '--json'], { home, env }).ended).out).toMatch(/^\[\n/)
  })

  test('says nothing but the answer with --quiet', async () => {
    const { run } = await holding(1, '/svc/candidates')
    for (const output of ['json', 'table']) {
      const listed = await run(['candidates', 'list', '--quiet', '-o', output])
      expect([listed.code, listed.err]).toEqual([0, ''])
      expect(listed.out).toContain('R-0')
    }
  })
})
