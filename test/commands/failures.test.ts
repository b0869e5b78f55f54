import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorRows } from '../../src/commands/help/topic-pages.ts'
import { withDraftLock } from '../../src/commands/kit/create/draft.ts'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { answering, answerJson, service } from '../service.ts'
import { file } from './targets.ts'

/** What `error` holds, as `payroll help errors` names it. */
const errorKeys = [
  ...['code', 'message', 'exitCode', 'outcome', 'retryable', 'status', 'method', 'path', 'issues'],
  ...['hint', 'next'],
]

/** Where nothing listens. */
const unreachable = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }

const lastLine = (err: string) => err.trimEnd().split('\n').at(-1) ?? ''

describe('an error is one JSON object on the last line of standard error', () => {
  test.each([
    ['vat-codes list --json', {}, 'temporary'],
    ['vat-codes list -o json', {}, 'temporary'],
    ['vat-codes list -ojson', {}, 'temporary'],
    ['vat-codes list -ondjson', {}, 'temporary'],
    ['vat-codes list --output=json', {}, 'temporary'],
    ['vat-codes list --output json', {}, 'temporary'],
    ['vat-codes list --errors json', {}, 'temporary'],
    ['vat-codes list -o csv --errors=json', {}, 'temporary'],
    ['payslips export --out HOME/payslips.csv', { PAYROLL_ERRORS: 'json' }, 'temporary'],
    ['vat-codes lst', { PAYROLL_ERRORS: 'json' }, 'usage'],
    ['vat-codes list --bogus', { PAYROLL_OUTPUT: 'json' }, 'usage'],
    ['vat-codes list --bogus', { PAYROLL_OUTPUT: 'ndjson' }, 'usage'],
    ['vat-codes', { PAYROLL_ERRORS: 'json' }, 'usage'],
    ['vat-codes list --errors json -o bogus', {}, 'usage'],
  ])('an error is one JSON object for %s with %j', async (words, env, code) => {
    const home = freshHome()
    const argv = words.replace('HOME', home).split(' ')
    const run = await payroll(argv, { home, env: { ...unreachable, ...env } })
    expect([run.out, run.err.endsWith('}\n')]).toEqual(['', true])
    expect(Object.keys(JSON.parse(lastLine(run.err)))).toEqual(['error'])
    expect(Object.keys(run.error())).toEqual(expect.arrayContaining(errorKeys))
    expect(run.error()).toMatchObject({ code, exitCode: run.code })
  })

  test('an error of an answer has its status, its method and its path', async () => {
    const { env } = await answering(503, {})
    const failed = await payroll(['candidates', 'list', '--json'], { env })
    expect(failed.code).toBe(7)
    expect(Object.keys(failed.error())).toEqual(errorKeys)
    expect(failed.error()).toMatchObject({
      ...{ code: 'temporary', exitCode: 7, retryable: true },
      ...{ status: 503, method: 'GET', path: '/svc/candidates', issues: [] },
    })
  })

  test('payroll help errors has every member of an error object', async () => {
    const refusal = { error: { message: 'No.', details: [{ path: 'code', message: 'taken' }] } }
    const { env } = await service((_, response) => {
      response.setHeader('x-request-id', 'made-up-1')
      answerJson(response, 422, refusal)
    })
    const words = ['payment-rates', 'create', '--set', 'code=A', '--errors', 'json']
    const error = (await payroll(words, { env })).error()
    expect(error).toHaveProperty('requestId')
    const { out } = await payroll(['help', 'errors'])
    const described = errorRows.map(([name]) => name)
    for (const name of Object.keys(error)) {
      expect(described).toContain(name)
      expect(out).toMatch(new RegExp(`^  ${name}  `, 'm'))
    }
  })
})

describe('an error is text', () => {
  test.each([
    ['vat-codes list --json --errors text', {}],
    ['vat-codes list --errors text', { PAYROLL_ERRORS: 'json' }],
    ['vat-codes list', { PAYROLL_ERRORS: 'text', PAYROLL_OUTPUT: 'json' }],
    ['vat-codes list -o csv', { PAYROLL_OUTPUT: 'json' }],
    ['vat-codes list', {}],
    ['candidates find -- --errors json', {}],
  ])('for %s with %j', async (words, env) => {
    const run = await payroll(words.split(' '), { env: { ...unreachable, ...env } })
    expect([run.code, lastLine(run.err)]).toEqual([7, expect.not.stringMatching(/^\{/)])
  })

  test('an error is two to four plain lines: what happened, what was applied, what to do next', async () => {
    const { env } = await answering(401, {})
    for (const output of [[], ['--output', 'table']]) {
      const create = ['candidates', 'create', '--incomplete', '--set', 'city=York', '--quiet', ...output]
      const { code, err } = await payroll(create, { env })
      expect([code, err]).toEqual([
        4,
        'Error: The service refused the key (401). Nothing was applied.\nThe key is the one in PAYROLL_API_KEY, which wins over a stored key: correct it, or unset it. To see which key is used: payroll auth status\n',
      ])
    }
  })
})

test('PAYROLL_ERRORS with a word that is no form of an error is exit 2', async () => {
  const run = await payroll(['vat-codes', 'list'], { env: { ...unreachable, PAYROLL_ERRORS: 'xml' } })
  expect(run).toMatchObject(endedWith(2, 'PAYROLL_ERRORS is xml'))
})

test('a failure of a draft that another run has open is exit 11, and may be run again', async () => {
  const home = freshHome()
  mkdirSync(join(home, 'drafts'), { mode: 0o700 })
  file(home, 'drafts/0a0a0a0a.json', '{}')
  const argv = ['candidates', 'drafts', 'delete', '0a0a0a0a', '--json']
  const failed = await withDraftLock(home, '0a0a0a0a', () => payroll(argv, { home }))
  expect([failed.code, failed.out]).toEqual([11, ''])
  expect(failed.error()).toMatchObject({
    ...{ code: 'locked', exitCode: 11, outcome: 'not-sent', retryable: true },
    hint: 'Run it again when the other run has ended.',
  })
})

describe('words that are no command', () => {
  const listHelp = 'See payroll candidates list --help.'
  test.each([
    ['frobnicate', "Unknown command 'frobnicate'."],
    ['candidates lst', "Unknown command 'lst'.", 'Did you mean list? See payroll candidates --help.'],
    ['candidates list --sze 3', "Unknown option '--sze'.", `Did you mean --size? ${listHelp}`],
    ['candidates list --profil x', "Unknown option '--profil'.", `Did you mean --profile? ${listHelp}`],
    ['--frobnicate candidates list', "Unknown option '--frobnicate'."],
    ['candidates get', "Missing required argument 'id'.", 'See payroll candidates get --help.'],
    ['candidates update a b', 'Too many words: candidates update takes 1 after it, and there are 2.'],
    // An empty variable: history would list nothing, as if nobody had written of that person.
    ['history --person=', '--person needs a value: --person <reference>.'],
    ['candidates update x --yes --set ', '--set needs a value: --set <path=value>. Nothing was sent.'],
    ['candidates create --file', '--file needs a value: --file <path>.'],
    ['payslips list --by -o table', '--by needs a value: --by <field>. -o behind it is another option.'],
    ['payslips compare --by --period 3', '--by needs a value: --by <percent>. --period behind it is'],
    ['payslips list --sort --reveal', '--sort needs a value: --sort <field>. --reveal behind it is'],
    ['candidates list -o --limit=3', '--output needs a value: --output <format>. --limit behind it is'],
    ['--profile -y candidates list', '--profile needs a value: --profile <name>. -y behind it is another'],
    ['check accept no-bank --person --again', '--person needs a value: --person <reference>. --again behind'],
    ['documents create --employee --upload x.pdf', '--employee needs a value: --employee <id>. --upload'],
    ['candidates list -o xml', 'xml'],
    ['candidates list --timeout 0', '--timeout'],
    ['candidates list --order x', "Unknown option '--order'.", listHelp],
    ['candidates list --size 101', '--size', listHelp],
    ['candidates list --limit 1 --page 1', 'cannot be combined', listHelp],
    ['candidates list --uk --ireland', '--ireland and --uk cannot be combined.', listHelp],
    ['candidates drafts delete', 'Missing required', 'See payroll candidates drafts delete --help.'],
    [
      'profiles zodiac',
      "Unknown command 'zodiac'.",
      'The verbs of profiles are: list, show, use, set, remove. See payroll profiles',
    ],
    ['employees', "'employees'", 'Did you mean candidates? See payroll --help.'],
    ['pay rates', "'pay'", 'Did you mean payment-rates? See payroll --help.'],
    ['login', "'login'", 'Did you mean auth login?'],
    [
      'candidates list murphy',
      'Too many words: candidates list takes none after it, and there is 1.',
      'To look for a person: payroll candidates find <name>. A value that has a blank stands in double quotes.',
    ],
    [
      'candidates update x --set city=Milton Keynes',
      'Too many',
      'A value that has a blank stands in double quotes.',
    ],
    [
      '--profile acme candidates update a b',
      'Too many words: candidates update takes 1 after it, and there are 2.',
    ],
    // cmd of Windows leaves single quotation marks in a word.
    [
      "candidates update x --set 'city=Leeds'",
      'Single quotation marks',
      'Put the whole word in double quotes',
    ],
    ["candidates update x --set city='Leeds'", 'would be a part of it. Nothing was sent.'],
    [
      "candidates update x --set 'tax code=0T' --yes",
      'Too many words',
      'a blank stands in double quotes. See',
    ],
    ["candidates list --where='city=Leeds'", 'would be a part of it.', 'Put the whole word'],
    ["candidates list --query '[].email'", 'would be a part of it.', 'Put the whole word'],
    ['candidates delete x', "'delete'", 'The verbs of candidates are:'],
  ])('are exit 2, in plain words and as JSON, with what to type: %s', async (words, says, hint?: string) => {
    const { env, received } = await answering(200, {})
    const plain = await payroll(words.split(' '), { env })
    expect(plain).toMatchObject({ ...endedWith(2, says), out: '' })
    expect(plain.err).toMatch(/^Error: /)
    if (hint) expect(plain.err).toContain(hint)
    expect(plain.err).not.toContain('Did you mean --out?')
    expect(plain.err.split('\n').length).toBeLessThanOrEqual(5)
    const asJson = await payroll(['--json', ...words.split(' ')], { env })
    expect(asJson).toMatchObject({ ...endedWith(2, says), out: '' })
    expect(Object.keys(asJson.error())).toEqual(errorKeys)
    expect(asJson.error()).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'not-sent' })
    expect(received).toEqual([])
  })

  test.each([
    ["candidates update SANDBOX-UK-01 --dry-run --set city='t", '"\'t"'],
    ["candidates update SANDBOX-UK-01 --dry-run --set city=O'Brien's", '"O\'Brien\'s"'],
    ["candidates update SANDBOX-UK-01 --dry-run --set-raw city='t'", '"\'t\'"'],
  ])('may have an apostrophe: %s', async (words, city) => {
    const home = freshHome()
    await payroll(['sandbox', 'seed'], { home })
    const run = await payroll(
      ['--profile', 'sandbox', ...words.split(' '), '--query', "body.generalSetting.city || 'none'"],
      { home },
    )
    expect([run.code, run.out.trim()]).toEqual([0, city])
  })

  test('are answered with help on standard error where a verb is missing, and none is asked for', async () => {
    const missing = await payroll(['candidates'])
    expect(missing).toMatchObject({ ...endedWith(2, 'Usage: payroll candidates'), out: '' })
    const asJson = await payroll(['candidates', '--json'])
    expect([asJson.code, asJson.error().code]).toEqual([2, 'usage'])
    const asked = await payroll(['candidates', '--help'])
    const out = expect.stringContaining('Usage: payroll candidates')
    expect(asked).toMatchObject({ code: 0, err: '', out })
  })
})
