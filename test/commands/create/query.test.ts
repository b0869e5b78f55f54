import { expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { startSandbox } from '../../start-sandbox.ts'

const words = (...more: string[]) => [
  'candidates',
  'create',
  '--set',
  'forename=Ann',
  '--set',
  'surname=Sample',
  ...more,
]

test('--query id of a create that answers no id looks the id up, as --find does', async () => {
  const { env, home } = await startSandbox({ seeded: false })
  const made = await payroll(words('--set', 'agencyRef=Q-1', '--query', 'id', '-r', '-q'), { home, env })
  const listed = await payroll(['candidates', 'list', '--query', '[0].id', '-r'], { home, env })
  expect([made.code, made.out, made.err]).toEqual([0, listed.out, ''])
  expect(made.out).toMatch(/^[\w-]{8,}\n$/)
  expect(
    (await payroll(words('--set', 'agencyRef=Q-2', '--query', 'created', '-r', '-q'), { home, env })).out,
  ).toBe('true\n')
})

test('--columns of a create that answers no record looks the record up', async () => {
  const { env, home } = await startSandbox({ seeded: false })
  const set = ['--set', 'agencyRef=Q-1', '--set', 'city=Ely']
  const made = await payroll(words(...set, '--columns', 'city,agencyRef', '--json', '-q'), { home, env })
  expect([made.code, made.json()]).toEqual([0, { city: 'Ely', agencyRef: 'Q-1' }])
  const next = words('--set', 'agencyRef=Q-2', '-o', 'csv', '-q', '--columns')
  expect((await payroll([...next, 'id'], { home, env })).out).toMatch(/^id\n[\w-]{8,}\n$/)
  expect((await payroll([...next, 'created,id'], { home, env })).out).toBe('created,id\ntrue,\n')
})

test.each(['create', 'update'])(
  'a column that is misspelt is exit 2 of %s, and nothing is sent',
  async (verb) => {
    const { env, home } = await startSandbox({ seeded: false })
    const ann = words('--set', 'agencyRef=Q-1')
    if (verb === 'update') await payroll(ann, { home, env })
    const update = ['candidates', 'update', 'Q-1', '--set', 'city=Ely']
    const run = await payroll([...(verb === 'create' ? ann : update), '--columns', 'surnam'], { home, env })
    expect([run.code, run.err]).toEqual([2, expect.stringContaining('Did you mean surname?')])
    const { out } = await payroll(['candidates', 'list', '--query', '[].city'], { home, env })
    expect(JSON.parse(out).filter(Boolean)).toEqual([])
  },
)

test.each([
  ['2020-01-01', expect.arrayContaining([expect.objectContaining({ path: 'generalSetting.DOB' })])],
  ['1991-01-01', []],
])('--columns of an update may name its warnings: born %s', async (day, warnings) => {
  const { env, home } = await startSandbox({ seeded: false })
  await payroll(words('--set', 'agencyRef=Q-1', '--incomplete'), { home, env })
  const update = ['candidates', 'update', 'Q-1', '--incomplete', '--set', `DOB=${day}`]
  const run = await payroll([...update, '--columns', 'agencyRef,warnings', '--json'], { home, env })
  expect([run.code, run.json()]).toEqual([0, { agencyRef: 'Q-1', warnings }])
})

test('--query id of a create whose record cannot be looked up is exit 10, and says that it was created', async () => {
  const { env } = await service(({ method }, response) =>
    method === 'POST'
      ? void response.writeHead(201).end()
      : answerJson(response, 200, { data: [], totalDocs: 0 }),
  )
  for (const reference of [['--set', 'agencyRef=Q-1'], []]) {
    const made = await payroll(words(...reference, '--query', 'id', '-r', '--errors', 'json'), { env })
    expect([made.code, made.out, made.error()]).toMatchObject([10, '', { outcome: 'applied' }])
    expect(made.error().hint).toContain('payroll candidates ')
  }
})

test('a status that the service is documented to move on is no difference to what was sent', async () => {
  const { env, home } = await startSandbox({ seeded: false })
  const made = await payroll(
    ['candidates', 'create', '--ireland', '--file', 'examples/candidate-ireland.json', '--yes'],
    { home, env },
  )
  expect([made.code, made.err]).toEqual([0, expect.not.stringContaining('differently')])
})
