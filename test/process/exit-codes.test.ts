import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answerJson, service } from '../service.ts'
import { run, shell } from './built.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const create = ['candidates', 'create', '--set', 'generalSetting.city=York']

describe('the built tool', () => {
  test.each(['--version', '-V'])('says its version with %s, and nothing else', async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, signal: null, out: `${version}\n`, err: '' })
  })

  test('says its version beside other options too', async () => {
    expect(await run(['--no-color', '--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
  })

  test.each([[['--help']], [['help']], [[]]])('helps with %j on standard output', async (argv) => {
    const helped = await run(argv)
    expect(helped).toMatchObject({ code: 0, err: '' })
    expect(helped.out).toMatch(/^Usage: payroll \[options\] \[command\]\n/)
    expect(helped.out).toContain('into a pipe or a file it is JSON.')
  })

  test.each([
    ['candidates', 'create'],
    ['candidates', 'list'],
    ['candidates', 'update'],
    ['auth', 'login'],
    ['profiles', 'set'],
    ['routes', 'list'],
    ['sandbox', 'serve'],
    ['explain'],
  ])('shows examples in the help of %s %s', async (...words) => {
    const helped = await run([...words.filter(Boolean), '--help'])
    expect(helped).toMatchObject({ code: 0, err: '' })
    expect(helped.out).toMatch(new RegExp(`Examples:\n(.*\n)*  (.+ \\| )?payroll .*${words[0]}`))
  })

  test.each([
    [0, ['candidates', 'list'], 200, { data: [], totalDocs: 0 }],
    [2, ['candidates', 'list', '--size', '101'], 200, {}],
    [3, [...create, '--set', 'generalSetting.zodiac=Leo'], 201, {}],
    [4, ['candidates', 'list'], 401, {}],
    [5, ['candidates', 'get', 'x'], 404, {}],
    [6, create, 400, {}],
    [7, ['candidates', 'list'], 503, {}],
    [8, create, 500, {}],
    [10, ['candidates', 'list'], 200, { data: [], totalDocs: 1 }],
  ])('ends with %i, as the shell sees it: %j', async (code, argv, status, answer) => {
    const { env } = await service((_, response) => answerJson(response, status, answer))
    const words = argv.map((word) => `'${word}'`).join(' ')
    const ended = await shell(`"$PAYROLL" ${words} > /dev/null; echo $?`, { env }).ended
    expect(ended.out).toBe(`${code}\n`)
    expect(ended.err === '' || /^(Error: |.* is an assumption)/.test(ended.err)).toBe(true)
  })

  test('ends with 7 where nothing listens, and sends the key nowhere else', async () => {
    const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
    const ended = await run(['candidates', 'list', '--json'], { env })
    expect(ended).toMatchObject({ code: 7, out: '' })
    expect(ended.err).not.toContain('CANARY')
  })

  test('shows no stack and no key with NODE_DEBUG on', async () => {
    const { env } = await service((_, response) => answerJson(response, 500, {}))
    const ended = await run(create, { env: { ...env, NODE_DEBUG: 'undici,fetch' } })
    expect(ended.code).toBe(8)
    expect(ended.out + ended.err).not.toMatch(/CANARY|^\s+at /m)
  })
})
