import { describe, expect, test } from 'vitest'
import { asTyped, endedWith, freshHome, payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { hostile, person } from './hostile.ts'

const seen = (run: { json: () => { change: string; reference: string; field: string }[] }) =>
  run.json().map(({ change, reference, field }) => [change, reference, field].filter(Boolean).join(' '))

/** A service of three people, of whom a mark was made; `bank` changes the account of one. */
async function marked(shown: Parameters<typeof hostile>[0] = {}) {
  const at = await hostile({ uk: [person(1), person(2), person(3)], ...shown })
  await at.run('changes --mark m1')
  const changes = (words = '') => at.run(`changes --uk --json ${words}`.trim())
  return { ...at, changes }
}

const other = { accountNumber: '99999999' }
const masked = { accountNumber: '******22' }
const { bank: _, ...withoutBank } = person(1)

describe('changes decides for each record', () => {
  test('a mask of one person keeps the change of another from nobody', async () => {
    const { changes, shown } = await marked()
    shown.uk = [person(1, {}, masked), person(2, {}, other), person(3)]
    const says =
      'for Ann Sample1 (UK-1) the service shows a mask, or no real value, instead of Account number'
    const told = await changes('--since m1')
    expect([told.code, seen(told)]).toEqual([0, ['changed UK-2 Account number']])
    expect(told.err).toContain(says)
    expect(await changes('--since m1 --fail-if-changed')).toMatchObject(endedWith(10, says))
    expect(await changes('--since m1 --fields bank')).toMatchObject(endedWith(10, says))
    expect(await changes('--since m1 --fields city')).toMatchObject({ code: 0 })
  })

  test('a new starter without bank at the head of a list that shows none hides nobody', async () => {
    const { changes, shown } = await marked({ listLacks: ['bank'] })
    shown.uk = [{ ...withoutBank, id: 'id-9', agencyRef: 'UK-9' }, person(1, {}, other), person(2), person(3)]
    const run = await changes('--mark m1 --fail-if-changed')
    expect([run.code, seen(run)]).toEqual([9, ['changed UK-1 Account number', 'new UK-9']])
  })

  test('a mask is never compared as a value: the field keeps its fingerprint in the mark that is made, and is compared again', async () => {
    const { changes, shown } = await marked()
    for (const bank of [{ accountNumber: '******99' }, masked]) {
      shown.uk = [person(1, {}, bank), person(2), person(3)]
      expect(seen(await changes('--since m1'))).toEqual([])
    }
    await changes('--mark m1')
    await changes('--mark m1')
    shown.uk = [person(1), person(2), person(3)]
    expect(seen(await changes('--since m1'))).toEqual([])
    shown.uk = [person(1, {}, other), person(2), person(3)]
    expect(seen(await changes('--since m1'))).toEqual(['changed UK-1 Account number'])
  })

  test('a section that nobody shows any more keeps its fingerprints too', async () => {
    const { changes, shown } = await marked()
    shown.uk = [1, 2, 3].map((number) => ({ ...withoutBank, ...person(number), bank: undefined }))
    const run = await changes('--mark m1 --fail-if-changed')
    expect(run).toMatchObject(endedWith(10, 'the service does not return Sort code, Account number'))
    shown.uk = [person(1, {}, other), person(2), person(3)]
    expect(seen(await changes('--since m1'))).toEqual(['changed UK-1 Account number'])
  })

  test('a field that the mark does not have is said once, and compared from the next mark on', async () => {
    const { changes, shown } = await marked({ uk: [person(1, {}, masked), person(2), person(3)] })
    shown.uk = [person(1), person(2), person(3)]
    const run = await changes('--mark m1 --fail-if-changed')
    expect(run).toMatchObject(
      endedWith(10, 'for Ann Sample1 (UK-1) the last mark has no Account number to compare with'),
    )
    expect(await changes('--mark m1 --fail-if-changed')).toMatchObject({ code: 0 })
    shown.uk = [person(1, {}, other), person(2), person(3)]
    expect(seen(await changes('--mark m1'))).toEqual(['changed UK-1 Account number'])
  })

  test('a service that never shows a field is no reason to fail each night', async () => {
    const { changes, shown } = await marked()
    expect(await changes('--since m1 --fail-if-changed')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('Note'),
    })
    shown.uk = [person(1), person(2), person(3, { county: 'Kent' })]
    const says = 'for Ann Sample3 (UK-3) the last mark has no County to compare with'
    expect(await changes('--since m1 --fail-if-changed')).toMatchObject(endedWith(0, says))
  })

  test('a value that disappears of one person is a change', async () => {
    const { changes, shown } = await marked()
    shown.uk = [{ ...person(1), bank: {} }, person(2), person(3)]
    expect(seen(await changes('--since m1'))).toEqual([
      'changed UK-1 Sort code',
      'changed UK-1 Account number',
    ])
  })
})

describe('nobody, and a closed list, are not that nothing changed', () => {
  test('of nobody no mark is made: exit 10', async () => {
    const { run } = await hostile({})
    expect(await run('changes --quiet')).toMatchObject(endedWith(10, 'The service shows nobody'))
    expect((await run('changes marks --json')).json()).toEqual([])
  })

  test('of nobody nothing is compared with the last mark, and nobody is called gone', async () => {
    const { changes, shown } = await marked()
    shown.uk = []
    expect(await changes('--since m1')).toMatchObject({
      ...endedWith(10, 'The service shows nobody, so nothing was compared, and no mark was made.'),
      out: '[]\n',
    })
  })

  test('two people of one id in two countries are two people, each compared with the same one', async () => {
    const irish = (more: object = {}) => ({
      ...withoutBank,
      id: 'id-1',
      agencyRef: 'IE-1',
      city: 'Cork',
      ...more,
    })
    const at = await hostile({ uk: [person(1)], ireland: [irish()] })
    await at.run('changes --mark m1')
    const rows = async () => seen(await at.run('changes --since m1 --json'))
    expect(await rows()).toEqual([])
    at.shown.uk = [person(1, {}, other)]
    at.shown.ireland = [irish({ city: 'Galway' })]
    expect(await rows()).toEqual(['changed UK-1 Account number', 'changed IE-1 City or town'])
    at.shown.ireland = []
    expect(await rows()).toEqual(['changed UK-1 Account number', 'gone IE-1'])
  })

  test('a list that is closed when the first mark is made is exit 10 for a script', async () => {
    const at = await hostile({ ireland: [person(2)], refuses: { '/candidates': 403 } })
    const first = await at.run('changes --mark m1 --json')
    expect(first).toMatchObject(endedWith(10, 'people in the UK were not compared'))
    expect(await at.run('changes --since m1 --json')).toMatchObject({ code: 10, out: '[]\n' })
  })

  test('people whose list is closed stay in the mark, and --fail-if-changed is exit 10', async () => {
    const at = await hostile({ uk: [person(1)], ireland: [person(2)] })
    await at.run('changes --mark m1')
    at.shown.refuses = { '/candidates': 403 }
    const closed = await at.run('changes --mark m1 --fail-if-changed --json')
    expect(closed).toMatchObject(endedWith(10, 'the people in the UK were not compared'))
    at.shown.refuses = {}
    at.shown.uk = [person(1, {}, other)]
    expect(seen(await at.run('changes --since m1 --json'))).toEqual(['changed UK-1 Account number'])
  })
})

test('a write to another service is not taken for the one that made a change', async () => {
  const home = freshHome()
  const [one, other] = [await startSandbox(), await startSandbox()]
  const body = (city: string) => ({
    generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city },
    bankSetting: { accountNumber: '31926819', sortCode: '601613' },
    payrollSetting: {},
  })
  for (const each of [one, other]) await each.call('POST', '/svc/candidates', body('Leeds'))
  await payroll(['changes'], { home, env: other.env })
  const words = asTyped`candidates update UK-1 --set city=York --yes --incomplete`
  expect((await payroll(words, { home, env: one.env })).code).toBe(0)
  const { data } = (await (await other.call('GET', '/svc/candidates')).json()) as { data: { id: string }[] }
  await other.call('PUT', `/svc/candidates/${data[0]?.id}`, body('York'))
  const changed = await payroll(['changes', '--json'], { home, env: other.env })
  expect(changed.json()).toMatchObject([
    { field: 'City or town', here: false, by: 'changed, but not from this computer' },
  ])
})
