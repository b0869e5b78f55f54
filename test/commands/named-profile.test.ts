import { expect, test } from 'vitest'
import { entries } from '../../src/program.ts'
import { commandsIn } from '../../src/text/named-commands.ts'
import { payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'

const nouns = entries.map(({ name }) => name)

/** Runs with the profile acme, which is not the default one. */
async function office() {
  const { home, baseUrl, env } = await startSandbox({ seeded: true })
  const at = { home, env: { PAYROLL_API_KEY: env.PAYROLL_API_KEY } }
  for (const words of [
    `set other --base-url http://127.0.0.1:9`,
    `set acme --base-url ${baseUrl}`,
    'use other',
  ])
    await payroll(['profiles', ...words.split(' ')], at)
  return (...argv: readonly string[]) => payroll(['--profile', 'acme', ...argv], at)
}

test('a command that a run with --profile names is about the same service, in hints, notes and next', async () => {
  const run = await office()
  const [{ rule, reference }] = (await run('check', '--json')).json().filter((each: any) => each.reference)
  expect((await run('check', 'accept', rule, '--person', reference)).code).toBe(0)
  for (const [line, ...commands] of [
    ['check', 'check accept <rule> --person <reference>', 'check rules', 'check accepted'],
    ['check accept no-bank --person X', 'check --only no-bank'],
    ['changes --since gone', 'changes'],
    ['changes forget', 'changes marks'],
    ['candidates drafts delete 0000', 'candidates drafts list'],
    ['routes set nothing /svc/x', 'routes list'],
    ['api GET /svc/nothing', 'routes list'],
  ] as const) {
    const { err } = await run(...line.split(' '))
    const named = commandsIn(err, nouns)
    expect([line, named]).toEqual([
      line,
      expect.arrayContaining(commands.map((each) => `payroll ${each} --profile acme`)),
    ])
    const json = await run(...line.split(' '), '--errors', 'json')
    const { next } = json.error()
    expect([line, next]).not.toEqual([line, commands.some((each) => !each.includes('<')) ? [] : ''])
    for (const each of [...named, ...next])
      expect([line, each]).toEqual([
        line,
        expect.stringMatching(/--profile acme\b|--help|^payroll (explain|facts|profiles|sandbox)\b/),
      ])
  }
})

test('doctor has it in what to do', async () => {
  const run = await office()
  await run('profiles', 'set', 'acme', '--prefix', 'nothing')
  const hints = (await run('doctor', '--json')).json().checks.flatMap(({ hint }: any) => hint ?? [])
  const named = hints.flatMap((each: string) => commandsIn(each, nouns))
  expect(named).not.toEqual([])
  for (const each of named) expect(each).toMatch(/acme|^payroll facts/)
})

test('what is typed is kept: a profile that is named already, and what stands behind --', async () => {
  const run = await office()
  const { err } = await run('candidates', 'get', '--reference', '--', '-1')
  for (const each of commandsIn(err, nouns)) expect(each).toMatch(/--profile acme( --|$)/)
  const signedOut = await payroll(['candidates', 'list', '--profile', 'acme'])
  expect(signedOut.err).not.toMatch(/--profile acme.*--profile/)
})
