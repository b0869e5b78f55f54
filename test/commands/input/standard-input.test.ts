import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { asTyped, payroll, type Setting } from '../../payroll.ts'
import { file, loopback } from '../targets.ts'

const person = { generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' } }

async function withAnn() {
  const at = await loopback()
  await at.call('POST', '/svc/candidates', person)
  const start = (argv: readonly string[], setting: Partial<Setting>) =>
    payroll(argv, { home: at.home, env: at.env, ...setting })
  return { ...at, start }
}

describe('standard input', () => {
  // Nobody ever writes into this pipe, and nobody closes it: a command that read it would never end.
  test.each([
    ['update with --set', ['update', 'UK-1', '--set', 'city=Leeds']],
    ['update with --unset', ['update', 'UK-1', '--unset', 'city']],
    ['update with --file', ['update', 'UK-1', '--file', '{home}/city.json']],
    ['create with --set', ['create', '--set', 'forename=Bo', '--set', 'surname=Sample']],
    ['create with --from', ['create', '--incomplete', '--from', 'UK-1']],
    ['create with --file', ['create', '--incomplete', '--file', '{home}/city.json']],
  ])('is left alone by candidates %s', async (_, words) => {
    const { start, home } = await withAnn()
    file(home, 'city.json', '{"generalSetting":{"city":"Leeds"}}')
    const input = new PassThrough()
    input.write('{"generalSetting":{"city":"York"}}')
    const run = await start(['candidates', ...words.map((word) => word.replace('{home}', home))], { input })
    expect([run.code, run.err.includes('waiting')]).toEqual([0, false])
    expect(input.readableLength).toBeGreaterThan(0)
  })

  test('is left alone by documents create with --upload', async () => {
    const { start, home } = await withAnn()
    const words = ['documents', 'create', '--employee', 'UK-1', '--upload', file(home, 'a.pdf', '%PDF')]
    expect((await start(words, { input: new PassThrough() })).code).toBe(0)
  })

  test.each([
    ['candidates create', ['candidates', 'create', '--uk'], 'the record, as JSON'],
    ['candidates create --file -', ['candidates', 'create', '--uk', '--file', '-'], 'the record, as JSON'],
  ])('standard input that does not come is spoken of after two seconds by %s', async (_, words, what) => {
    const { start } = await withAnn()
    const input = new PassThrough()
    const onPause = async () => void input.end(JSON.stringify(person))
    const run = await start([...words, '--quiet'], { input, onPause })
    expect([run.code, run.pauses]).toEqual([0, [2000]])
    expect(run.err).toContain(`waiting for standard input: ${what}. Nothing was sent yet.`)
  })

  test('standard input that does not come is spoken of after two seconds by auth login', async () => {
    const { env } = await loopback()
    const input = new PassThrough()
    const words = ['auth', 'login', '--profile', 'production', '--base-url', env.PAYROLL_BASE_URL]
    const onPause = async () => void input.end(env.PAYROLL_API_KEY)
    const run = await payroll(words, { input, onPause })
    expect([run.code, run.pauses]).toEqual([0, [2000]])
    expect(run.err).toContain(`waiting for standard input: API key for ${env.PAYROLL_BASE_URL}.`)
  })

  test('standard input that is there at once is read without a word', async () => {
    const { start } = await withAnn()
    const run = await start(['candidates', 'create', '--uk'], { input: JSON.stringify(person) })
    expect([run.code, run.pauses]).toEqual([0, []])
    expect(run.err).not.toContain('waiting')
  })

  test('standard input that was left alone is named where candidates create --set has too little', async () => {
    const { start, writes } = await withAnn()
    const run = await start(asTyped`candidates create --set city=Leeds --json`, {
      input: JSON.stringify(person),
    })
    expect([run.code, writes()]).toEqual([3, []])
    expect(run.error().hint).toContain('Standard input was not read')
    expect(run.error().hint).toContain('--file -')
  })
})

test('documents create refuses --upload beside --file, of which one would do nothing', async () => {
  const { start, home, writes } = await withAnn()
  const words = ['documents', 'create', '--employee', 'UK-1', '--upload', file(home, 'a.pdf', '%PDF')]
  const run = await start([...words, '--file', file(home, 'a.json', '{}')], {})
  expect([run.code, writes()]).toEqual([2, []])
  expect(run.err).toContain('--upload and --file cannot be combined')
})

test('a table that is given to create is sent to the import, wherever there is one', async () => {
  const { run, home } = await loopback()
  const commands = (await run(['commands', '--json']))
    .json()
    .map(({ command }: { readonly command: string }) => command.replace(/^payroll /, ''))
  const nouns = commands.flatMap((command: string) => {
    const [noun = '', verb] = command.split(' ')
    return verb === 'import' && commands.includes(`${noun} create`) ? [noun] : []
  })
  expect(nouns.length).toBeGreaterThan(1)
  const table = file(home, 'table.csv', 'Surname,City\nSample,York\n')
  for (const noun of nouns) {
    const { code, err } = await run([noun, 'create', '--file', table])
    expect([noun, code]).toEqual([noun, 3])
    expect(err).toContain(`A table is imported: payroll ${noun} import ${table}`)
  }
})
