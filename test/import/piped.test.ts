import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endedWith, payroll } from '../payroll.ts'
import { answer, importFixture, onPost, people, refs } from './import-fixture.ts'

const input = people(4)
  .map((each) => `${JSON.stringify(each)}\n`)
  .join('')

test('the same rows piped in while an import is sending them change nothing of it', async () => {
  const at = await importFixture()
  const run = (...argv: string[]) =>
    payroll(['candidates', 'import', '-', '--settle', '0', '--concurrency', '1', '--json', ...argv], {
      ...at,
      input,
    })
  const meanwhile: [number, string][] = []
  at.intercept(async ({ method, post }) => {
    if (method !== 'POST' || post !== 1) return false
    for (const option of ['--dry-run', '--yes']) {
      const other = await run(option)
      meanwhile.push([other.code, other.err])
    }
    return false
  })
  const first = await run('--yes', '--results', join(at.home, 'results.csv'))
  expect([first.code, first.json()]).toMatchObject([0, { rows: 4, created: 4 }])
  expect(meanwhile).toMatchObject([
    [0, expect.anything()],
    [11, expect.stringMatching(/busy with an import of candidates into http/)],
  ])
  expect(await at.there()).toEqual(refs(4))
})

test('piped rows are kept in no file, and continue their import when they are piped in again', async () => {
  const at = await importFixture()
  const argv = ['candidates', 'import', '-', '--settle', '0', '--concurrency', '1', '--json', '--yes']
  const onStart = (send: (signal: 'SIGINT') => void) =>
    at.intercept(({ method, post }) => {
      if (method === 'POST' && post === 2) send('SIGINT')
      return false
    })
  expect(await payroll(argv, { ...at, input, onStart })).toMatchObject({ signal: 'SIGINT' })
  expect(readdirSync(join(at.home, 'imports'))).toEqual([expect.stringMatching(/\.journal$/)])
  const second = await payroll(argv, { ...at, input })
  expect([second.code, second.json()]).toMatchObject([0, { created: 2, createdEarlier: 2 }])
  expect(await at.there()).toEqual(refs(4))
  expect(readdirSync(join(at.home, 'imports'))).toEqual([])
})

test('what cannot be imported from a pipe is called standard input', async () => {
  const at = await importFixture()
  for (const [bytes, says] of [
    ['%PDF-1.7', 'Standard input cannot be imported: it is a PDF,'],
    [
      '{\n  "generalSetting": {}\n}\n',
      'Standard input holds one record, and an import takes a list of them.',
    ],
  ] as const) {
    expect(await payroll(['candidates', 'import', '-', '--yes'], { ...at, input: bytes })).toMatchObject(
      endedWith(3, says),
    )
  }
})

test('an import of piped rows, which has no file for the refused ones, says how to get them in one', async () => {
  const at = await importFixture()
  at.intercept(onPost((response, _, { ref }) => ref !== refs(1)[0] && answer(400)(response)))
  const argv = ['candidates', 'import', '-', '--settle', '0', '--json', '--yes']
  const run = await payroll(argv, { ...at, input })
  expect([run.code, run.json()]).toMatchObject([9, { created: 1, refused: 3, rejects: null }])
  expect(run.error().hint).toContain('add --rejects <file> to the same command')
  const rejects = join(at.home, 'refused.ndjson')
  const again = await payroll([...argv, '--rejects', rejects], { ...at, input })
  expect([again.code, again.json()]).toMatchObject([9, { createdEarlier: 1, refused: 3 }])
  expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(3)
})
