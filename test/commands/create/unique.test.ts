import { describe, expect, test } from 'vitest'
import { atTerminal, keys, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { loopback } from '../targets.ts'

const candidate = { agencyRef: 'IE-1042', forename: 'Aoife', surname: 'Ní Shampla' }
const named = ['--set', 'forename=Bríd', '--set', 'surname=Shampla']
const withRef = (ref: string) => [...named, '--set', `agencyRef=${ref}`]

/** A service that has Aoife in Ireland. */
async function withAoife() {
  const at = await loopback()
  const { json } = await at.call('POST', '/svc/candidates/ireland', { generalSetting: candidate })
  return { ...at, id: json.data.candidate.id as string }
}

describe('a change of a reference', () => {
  test.each([
    ['--set', ['--set', 'agencyRef=ie-1042']],
    ['a dry run', ['--set', 'agencyRef=IE-1042', '--dry-run']],
  ])(
    'to that of another person by candidates update with %s is exit 6, and nothing is sent',
    async (_, change) => {
      const { run, call, writes, id } = await withAoife()
      await call('POST', '/svc/candidates/ireland', { generalSetting: { ...candidate, agencyRef: 'IE-7' } })
      const tried = await run(['candidates', 'update', 'IE-7', '--ireland', '--yes', '--json', ...change])
      expect([tried.code, tried.out, writes()]).toEqual([6, '', []])
      expect(tried.error().message).toMatch(new RegExp(`^ie-1042 is Aoife Ní Shampla already .*${id}`, 'i'))
    },
  )

  test('to one that nobody has is sent by candidates update', async () => {
    const { run, writes } = await withAoife()
    const words = ['candidates', 'update', 'IE-1042', '--ireland', '--yes', '--json']
    expect((await run([...words, '--set', 'agencyRef=IE-9'])).code).toBe(0)
    expect(writes()).toHaveLength(1)
  })
})

describe('--unique', () => {
  test.each([
    ['as it is', ['--ireland'], 'IE-1042'],
    ['in another case and with spaces around it', ['--ireland'], ' ie-1042 '],
    ['in the other country', ['--uk'], 'IE-1042'],
    ['in a dry run', ['--ireland', '--dry-run'], 'IE-1042'],
  ])('finds a reference that is taken, %s: exit 6, who has it, nothing sent', async (_, more, ref) => {
    const { run, writes, id } = await withAoife()
    const made = await run(['candidates', 'create', '--unique', '--json', ...more, ...withRef(ref)])
    expect(made).toMatchObject({ code: 6, out: '' })
    expect(made.error()).toEqual(
      expect.objectContaining({
        code: 'refused',
        outcome: 'not-sent',
        message: `${ref.trim()} is Aoife Ní Shampla already (an Irish candidate, ${id}). Nothing was sent.`,
        issues: [{ path: 'generalSetting.agencyRef', message: 'another record has this reference' }],
        hint: `To see it: payroll candidates get ${id} --ireland`,
      }),
    )
    expect(writes()).toEqual([])
  })

  test('creates a person whose reference is free, and a second run does not', async () => {
    const { run, writes } = await withAoife()
    const create = ['candidates', 'create', '--ireland', '--unique', ...withRef('IE-104')]
    expect((await run(create)).code).toBe(0)
    expect((await run(create)).code).toBe(6)
    expect(writes()).toHaveLength(1)
  })

  test.each([[[]], [['--set', 'agencyRef= ']]])('--unique without a reference %j is exit 3', async (more) => {
    const { run, requests } = await withAoife()
    const made = await run(['candidates', 'create', '--unique', '--json', ...named, ...more])
    expect(made.code).toBe(3)
    expect(made.error().message).toBe(
      'The record has no reference that --unique could look for. Nothing was sent.',
    )
    expect(made.error().issues).toEqual([{ path: 'generalSetting.agencyRef', message: '--unique needs it' }])
    expect(requests).toEqual([])
  })

  test.each([
    ['breaks off', 503, {}, 7],
    ['is closed to the key', 403, {}, 4],
    ['is shorter than its total', 200, { data: [], totalDocs: 1 }, 10],
    ['is not there', 404, {}, 10],
  ])('sends nothing where the list of its own country %s', async (_, status, body, code) => {
    const { env, received } = await service(({ url }, response) =>
      url.startsWith('/svc/candidates/ireland')
        ? answerJson(response, status, body)
        : answerJson(response, 200, { data: [], totalDocs: 0 }),
    )
    const argv = ['candidates', 'create', '--ireland', '--unique', ...withRef('IE-1')]
    const made = await payroll(argv, { env })
    expect(made.code).toBe(code)
    expect(made.err).toContain('Whether IE-1 exists already is not known.')
    expect(made.err).toContain('Nothing was sent.')
    expect(received.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each([
    ['breaks off', 503, 7, 0],
    ['is not there', 404, 0, 1],
    ['is closed to the key', 403, 0, 1],
  ])('--unique where the list of the other country %s (%i) is exit %i', async (_, status, code, posts) => {
    const { env, received } = await service(({ url, method }, response) => {
      if (method === 'POST') return response.writeHead(201).end()
      if (url.startsWith('/svc/candidates/ireland')) answerJson(response, status, {})
      else answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const argv = ['candidates', 'create', '--uk', '--unique', ...withRef('UK-1')]
    const made = await payroll(argv, { env })
    expect(made.code).toBe(code)
    expect(made.err.includes('the key may not read the others (403)')).toBe(status === 403)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(posts)
  })

  test('takes a reference that the service made a number of for the same', async () => {
    const { env } = await answering(200, { data: [{ id: 'c1', agencyRef: 3 }], totalDocs: 1 })
    const argv = ['candidates', 'create', '--unique', ...withRef('0003')]
    const made = await payroll(argv, { env })
    expect(made.code).toBe(6)
    expect(made.err).toContain('0003 is a UK candidate already (c1)')
  })

  test('is for payment rates too, and by their code', async () => {
    const { run, writes } = await loopback()
    const create = (code: string) => ['payment-rates', 'create', '--unique', '--set', `code=${code}`]
    expect((await run([...create('NIGHT'), '--set', 'description=Night shift'])).code).toBe(0)
    const again = await run(create('night'))
    expect(again.code).toBe(6)
    expect(again.err).toContain('night is Night shift already (a payment rate, ')
    expect(writes()).toHaveLength(1)
  })

  test.each([['timesheets'], ['documents']])(
    'is not for %s, which have no reference of their own',
    async (noun) => {
      const { run } = await loopback()
      const made = await run([noun, 'create', '--unique', '--set', 'name=x'])
      expect(made.code).toBe(2)
      expect(made.err).toContain("Unknown option '--unique'")
    },
  )
})

describe('candidates create with --set at a terminal', () => {
  const create = ['candidates', 'create', '--ireland', ...withRef('IE-1042')]

  test.each([
    ['Enter', [], '', 2, 0],
    ['Enter, with --yes', ['--yes'], '', 2, 0],
    ['y', [], 'y', 0, 1],
  ])('names who has the reference already, and asks: %s', async (_, more, key, code, count) => {
    const { home, env, id, writes } = await withAoife()
    const terminal = atTerminal([...create, ...more], { home, env })
    await terminal.type('Create it anyway?', `${key}${keys.enter}`)
    expect((await terminal.ended).code).toBe(code)
    expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
      `IE-1042 is Aoife Ní Shampla already (an Irish candidate, ${id}).`,
    )
    expect(writes()).toHaveLength(count)
  })

  test('asks nothing where the reference is free', async () => {
    const { home, env, writes } = await withAoife()
    const words = ['candidates', 'create', '--ireland', ...withRef('IE-9')]
    expect((await atTerminal(words, { home, env }).ended).code).toBe(0)
    expect(writes()).toHaveLength(1)
  })

  test('asks nothing in a script, where --unique looks', async () => {
    const { run, writes } = await withAoife()
    expect((await run(create)).code).toBe(0)
    expect(writes()).toHaveLength(1)
  })
})
