import { describe, expect, test } from 'vitest'
import { atTerminal } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { completeForm, draftsIn } from '../drafts/draft-fixture.ts'
import { loopback } from '../targets.ts'

const taken = { agencyRef: 'IE-1042', forename: 'Aoife', surname: 'Ní Shampla' }
const brid = { 'Agency reference': 'IE-1042', Forename: 'Bríd', Surname: 'Shampla' }

/** A form of an Irish candidate, where one has the reference IE-1042 already. */
async function formBesideAoife(...more: string[]) {
  const at = await loopback()
  const { json } = await at.call('POST', '/svc/candidates/ireland', { generalSetting: taken })
  const open = () => atTerminal(['candidates', 'create', '--ireland', ...more], at)
  return { ...at, open, id: json.data.candidate.id as string }
}

const sentBy = (writes: readonly { readonly body: string }[]) => writes.map(({ body }) => JSON.parse(body))

describe('a form whose reference another record has', () => {
  test('says whose it is, and takes another one', async () => {
    const { open, writes, id } = await formBesideAoife()
    const terminal = open()
    const { code } = await completeForm(terminal, {
      ...brid,
      'Agency reference': ['IE-1042', 'IE-1043'],
      'What next?': ['Send', 'Send'],
      'Send it?': 'Change',
    })
    expect(code).toBe(0)
    expect(terminal.screen()).toContain(`! IE-1042 is Aoife Ní Shampla already (an Irish candidate, ${id}).`)
    expect(sentBy(writes())).toMatchObject([{ generalSetting: { agencyRef: 'IE-1043', forename: 'Bríd' } }])
  })

  test('sends it anyway when the person says so', async () => {
    const { open, writes } = await formBesideAoife()
    const replies = { ...brid, 'What next?': 'Send', 'Send it?': 'Send it' }
    expect((await completeForm(open(), replies)).code).toBe(0)
    expect(sentBy(writes())).toMatchObject([{ generalSetting: { agencyRef: 'IE-1042' } }])
  })

  test('stops when the person says so, and keeps the answers', async () => {
    const { open, writes, home } = await formBesideAoife()
    const { code, err } = await completeForm(open(), { ...brid, 'What next?': 'Send', 'Send it?': 'Stop' })
    expect(code).toBe(2)
    expect(err).toContain('Stopped. Nothing was sent.')
    expect(err).toContain(`drafts resume ${draftsIn(home)[0].id}`)
    expect(writes()).toEqual([])
  })

  test('goes back to the record when the person says so', async () => {
    const { open, writes } = await formBesideAoife()
    const replies = { ...brid, 'What next?': ['Send', 'Stop'], 'Send it?': 'Back' }
    expect((await completeForm(open(), replies)).code).toBe(2)
    expect(writes()).toEqual([])
  })

  test('cannot be sent anyway with --unique', async () => {
    const { open } = await formBesideAoife('--unique')
    const terminal = open()
    await completeForm(terminal, { ...brid, 'What next?': 'Send', 'Send it?': 'Stop' })
    expect(terminal.screen()).toContain('Change the reference')
    expect(terminal.screen()).not.toContain('Send it anyway')
  })
})

test.each([
  ['fails', 503, {}],
  ['is cut short', 200, { data: [], totalDocs: 1 }],
])(
  'a form says that the reference could not be looked up where the list %s, and asks',
  async (_, status, body) => {
    const { env, received } = await service(({ method }, response) => {
      if (method === 'GET') answerJson(response, status, body)
      else answerJson(response, 201, { success: true, data: { success: true, candidate: { id: 'c1' } } })
    })
    const posts = () => received.filter(({ method }) => method === 'POST').length
    const open = () => atTerminal(['candidates', 'create', '--ireland'], { env })
    const asked = { ...brid, 'What next?': 'Send' }
    const stopped = open()
    expect((await completeForm(stopped, { ...asked, 'Send it?': 'Stop' })).code).toBe(2)
    expect(stopped.screen()).toContain('! Whether IE-1042 exists already is not known.')
    expect(posts()).toBe(0)
    expect((await completeForm(open(), { ...asked, 'Send it?': 'Send it' })).code).toBe(0)
    expect(posts()).toBe(1)
  },
)

describe('a form of a person without a name', () => {
  test('asks for it when it is to be sent', async () => {
    const { env, home, writes } = await loopback()
    const terminal = atTerminal(['candidates', 'create', '--ireland'], { home, env })
    const { code } = await completeForm(terminal, {
      'Agency reference': 'IE-1',
      Forename: ['', 'Bríd'],
      Surname: ['', 'Shampla'],
      'What next?': ['Send', 'Send'],
      'Send it?': 'Fill',
    })
    expect(code).toBe(0)
    expect(terminal.screen()).toContain('! This is an Irish candidate without a forename and a surname.')
    expect(sentBy(writes())).toEqual([
      { generalSetting: { agencyRef: 'IE-1', forename: 'Bríd', surname: 'Shampla' } },
    ])
  })

  test('is sent without when the person says so, and is not asked about with --incomplete', async () => {
    const { env, home, writes } = await loopback()
    const create = ['candidates', 'create', '--ireland']
    const replies = { 'Agency reference': 'IE-1', Forename: 'Bríd', 'What next?': 'Send' }
    const without = { 'Send it?': 'Send' }
    expect((await completeForm(atTerminal(create, { home, env }), { ...replies, ...without })).code).toBe(0)
    const terminal = atTerminal([...create, '--incomplete'], { home, env })
    const other = { ...replies, 'Agency reference': 'IE-2' }
    expect((await completeForm(terminal, other)).code).toBe(0)
    expect(terminal.screen()).not.toContain('without a surname')
    expect(writes()).toHaveLength(2)
  })

  test('is asked about by an update that empties the name', async () => {
    const { env, home, writes, call, run } = await loopback()
    await call('POST', '/svc/candidates', { generalSetting: { ...taken, agencyRef: 'UK-1' } })
    const [{ id }] = (await run(['candidates', 'list'])).json()
    const { code } = await completeForm(atTerminal(['candidates', 'update', id], { home, env }), {
      'What next?': ['Edit', 'Send', 'Stop'],
      'Which part?': 'Surname',
      Surname: '-',
      'Send it?': 'Back',
    })
    expect(code).toBe(2)
    expect(writes()).toEqual([])
  })
})
