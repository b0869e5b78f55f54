import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { asTyped, freshHome, payroll } from '../payroll.ts'
import { answerJson, type Received, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'
import { start } from './built.ts'
import { onTerminal } from './pty.ts'

const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.agencyRef=A-1']

const rate = wholeFor(['payment-rates'], { id: 'r-1', code: 'B' }).record

type Answers = (request: Received) => [status: number, body: unknown] | undefined

/** A service that answers what it is told to, and leaves the rest without an answer. */
async function hanging(answers: Answers = () => undefined) {
  const { env, received } = await service((request, response) => {
    const [status, body] = answers(request) ?? []
    // So long a pause that it is still under way when the signal comes, however busy the computer is.
    if (status !== undefined && status >= 400) response.setHeader('retry-after', '30')
    if (status !== undefined) answerJson(response, status, body)
  })
  /** Waits until so many requests are under way or over. */
  const asked = async (count = 1) => {
    while (received.length < count) await pause(5)
  }
  return { env, received, asked }
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s', (signal, exitCode) => {
  test('during a write ends by the signal, and tells that nobody knows what became of it', async () => {
    const { env, received, asked } = await hanging()
    const home = await withProduction(env)
    const { child, ended } = start([...create, '--ireland', '--profile', 'production'], { home })
    await asked()
    child.kill(signal)
    expect(await ended).toEqual({
      code: null,
      signal,
      out: '',
      err:
        'Stopped while the request was under way: it may or may not have been applied.\n' +
        `Check the record before you run it again: payroll candidates get A-1 --reference --ireland --profile production\n`,
    })
    expect(received).toHaveLength(1)
  })

  test('gives the terminal back as it was: at a prompt, and beside a spinner', async () => {
    const { env, asked } = await hanging()
    const line = (command: string) =>
      `stty -g | sed s/^/modes=/; sh -c 'echo pid=$$; exec "$PAYROLL" ${command}'; echo "code=$?"; stty -g | sed s/^/modes=/`
    for (const [command, shown] of [
      ['candidates create', 'Agency reference'],
      ['candidates list', 'Reading'],
    ] as const) {
      const { until, ended } = onTerminal(line(command), env)
      const pid = Number(await until((text) => /pid=(\d+)/.exec(text)?.[1]))
      await until((text) => text.includes(shown))
      if (command.endsWith('list')) await asked()
      process.kill(pid, signal)
      const end = await ended
      const modes = [...end.shown.matchAll(/modes=(\S+)/g)].map(([, mode]) => mode)
      expect(modes).toHaveLength(2)
      expect(modes[1]).toBe(modes[0])
      expect(end.shown).toContain(`code=${exitCode}`)
      expect(end.shown).toMatch(/\nStopped\. Nothing was (sent|changed)\./)
      expect(end.shown.lastIndexOf('\u001B[?25h')).toBeGreaterThanOrEqual(
        end.shown.lastIndexOf('\u001B[?25l'),
      )
    }
  })
})

// The signals differ only in how they end the process, which is held above.
describe('SIGTERM', () => {
  test('during a write is one JSON object where JSON was asked for', async () => {
    const { env, asked } = await hanging()
    const { child, ended } = start(['--json', ...create], { env })
    await asked()
    child.kill('SIGTERM')
    const { signal, out, err } = await ended
    expect([signal, out]).toEqual(['SIGTERM', ''])
    expect(JSON.parse(err).error).toEqual({
      ...{ code: 'interrupted', exitCode: 143, outcome: 'unknown', retryable: false, issues: [] },
      message: 'Stopped while the request was under way: it may or may not have been applied.',
      ...{ status: null, method: 'POST', path: '/svc/candidates' },
      hint: 'Check the record before you run it again: payroll candidates get A-1 --reference',
      next: ['payroll candidates get A-1 --reference'],
    })
  })

  test('during a list ends by the signal, without a part of it and without another request', async () => {
    const { env, received, asked } = await hanging((request) =>
      request.url.includes('page=1&') ? [200, { data: rows(100), totalDocs: 1000 }] : undefined,
    )
    const { child, ended } = start(['candidates', 'list', '--quiet'], { env })
    await asked(2)
    await pause(100)
    const before = received.length
    child.kill('SIGTERM')
    expect(await ended).toEqual({
      code: null,
      signal: 'SIGTERM',
      out: '',
      err: 'Stopped. Nothing was changed.\n',
    })
    expect(received).toHaveLength(before)
  })
})

test('an export of documents that is stopped does not say that nothing was changed: the files are there', async () => {
  const home = freshHome()
  const out = join(home, 'docs')
  const { env } = await hanging(({ url }) => {
    if (url.startsWith('/svc/candidates?'))
      return [200, { data: [{ id: 'p1', agencyRef: 'UK-1' }], totalDocs: 1 }]
    if (url.includes('documents?')) return [200, { data: [{ id: 'd1' }, { id: 'd2' }], totalDocs: 2 }]
    return url.endsWith('/d1') ? [200, { data: { id: 'd1', content: 'ZmFrZQ==' } }] : undefined
  })
  const { child, ended } = start(['documents', 'export', '--uk', '--out', out, '--quiet'], { env, home })
  while (!existsSync(join(out, 'UK-1', 'd1'))) await pause(5)
  child.kill()
  expect(await ended).toMatchObject({ signal: 'SIGTERM', err: 'Stopped.\n' })
})

test('a check of which one list is refused ends with its error, and asks nothing again of a list that is still being read', async () => {
  const isSlow = ({ url }: Received) => url.startsWith('/svc/v2/payslips')
  let refuse: (() => void)[] = []
  let fail = () => {}
  const { env, received } = await service((request, response) => {
    const answerBusy = () => {
      fail = () => {}
      response.setHeader('retry-after', '2')
      answerJson(response, 503, {})
    }
    if (!isSlow(request)) refuse.push(() => answerJson(response, 400, { message: 'No.' }))
    else if (received.filter(isSlow).length > 1) answerBusy()
    else fail = answerBusy
    if (!received.some(isSlow)) return
    for (const answer of refuse) answer()
    refuse = []
  })
  const { child, ended } = start(['check', '--errors', 'json'], { env })
  // Once the error is printed, the other list is answered: it would be asked for again, and that said.
  child.stderr.on('data', () => fail())
  const { code, err } = await ended
  expect(code).toBe(6)
  expect(
    err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error.status),
  ).toEqual([400])
  expect(received.filter(isSlow)).toHaveLength(1)
})

describe('a run that is stopped', () => {
  test('by Ctrl-C on a terminal clears its spinner away and ends as if by the signal', async () => {
    const { env, asked } = await hanging()
    const { terminal, until, ended } = onTerminal('exec "$PAYROLL" candidates list', env)
    await asked()
    await until((text) => text.includes('Reading'))
    terminal.write('\u0003')
    const { signal, shown } = await ended
    expect(signal).toBe(2)
    const [spinning = '', said] = shown.split('Stopped. Nothing was changed.')
    expect(said).toBeDefined()
    // What stood on the line of the spinner last is erased.
    expect(spinning.slice(spinning.lastIndexOf('Reading'))).toMatch(/\[[0-2]?K/)
    expect(spinning.lastIndexOf('\u001B[?25h')).toBeGreaterThan(spinning.lastIndexOf('\u001B[?25l'))
  })

  test.each<[string, Answers, readonly string[], number, string]>([
    [
      'during an update, after it was read twice, names the record to look at',
      ({ method }) => (method === 'GET' ? [200, rate] : undefined),
      asTyped`payment-rates update r-1 --id --set description=A`,
      3,
      'Stopped while the request was under way: it may or may not have been applied.\nCheck the record before you run it again: payroll payment-rates get r-1\n',
    ],
    [
      'while it looks for what it created tells that it was created',
      ({ method }) => (method === 'POST' ? [201, {}] : undefined),
      [...create, '--find'],
      2,
      'Stopped. The request had been applied before that.\n',
    ],
    [
      'while it looks for what the service says it did not store tells that nobody knows yet',
      ({ method }) => (method === 'POST' ? [200, { success: false }] : undefined),
      create,
      2,
      'Stopped while the request was under way: it may or may not have been applied.\nCheck the record before you run it again: payroll candidates get A-1 --reference\n',
    ],
    [
      'while it looks for what the service says was changed since tells that nobody knows yet',
      ({ method }) => (method === 'POST' ? [412, {}] : undefined),
      create,
      2,
      'Stopped while the request was under way: it may or may not have been applied.',
    ],
    [
      'before it looks once more for what the service says that it stored tells that nobody knows yet',
      ({ method }) => [200, method === 'GET' ? rate : { success: true }],
      asTyped`payment-rates update r-1 --id --set description=A`,
      4,
      'Stopped while the request was under way: it may or may not have been applied.',
    ],
    [
      'after the service refused a write for now tells that nothing was applied',
      () => [429, {}],
      create,
      1,
      'Stopped. Nothing was applied.\n',
    ],
  ])('%s', async (_, answers, argv, requests, says) => {
    const { env, asked, received } = await hanging(answers)
    const { child, ended } = start([...argv, '--quiet'], { env: { ...env, PAYROLL_RETRY_FOR: '60' } })
    await asked(requests)
    // The last answer is on its way.
    await pause(50)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ signal: 'SIGINT', err: expect.stringContaining(says) })
    expect(received).toHaveLength(requests)
  })

  test('leaves nothing of the file of --out, and what was there as it was', async () => {
    const home = freshHome()
    const { env, asked } = await hanging((request) =>
      /page=[12]&/.test(request.url) ? [200, { data: rows(100, request.url), totalDocs: 300 }] : undefined,
    )
    const out = join(home, 'list.ndjson')
    const { child, ended } = start(asTyped`candidates list -o ndjson --quiet --out ${out}`, { env, home })
    await asked(3)
    while (!readdirSync(home).some((name) => name.endsWith('.part'))) await pause(5)
    child.kill()
    expect((await ended).signal).toBe('SIGTERM')
    expect(readdirSync(home)).toEqual([])
  })

  test('while a record is edited takes the file away and ends the editor', async () => {
    const home = freshHome()
    const { env } = await hanging(() => [200, rate])
    const [editor, seen, told] = ['editor', 'seen', 'told'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    const lines = [
      '#!/bin/sh',
      'sleep 30 &',
      `trap 'kill $!; touch ${told}; exit' TERM`,
      `echo "$1" > ${seen}.part && mv ${seen}.part ${seen}`,
      'wait',
    ]
    writeFileSync(editor, lines.join('\n'), { mode: 0o700 })
    const { child, ended } = start(asTyped`payment-rates update r-1 --id --edit --quiet`, {
      env: { ...env, EDITOR: editor },
      home,
    })
    while (!existsSync(seen)) await pause(5)
    const file = readFileSync(seen, 'utf8').trim()
    expect(existsSync(file)).toBe(true)
    child.kill()
    const err = 'Stopped. Nothing was changed.\n'
    expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM', err })
    expect(existsSync(file)).toBe(false)
    await expect.poll(() => existsSync(told)).toBe(true)
  })

  test('ends there and then at the second signal', async () => {
    const { env, asked } = await hanging()
    const { child, ended } = start(['candidates', 'list', '--quiet'], { env })
    await asked()
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect(['SIGINT', 'SIGTERM']).toContain((await ended).signal)
  })
})

const rows = (count: number, of = '') => [...Array(count).keys()].map((n) => ({ id: `${of}-${n}` }))

/** A home in which `production` is the service of these tests. */
async function withProduction({ PAYROLL_BASE_URL = '', PAYROLL_API_KEY = '' }: Record<string, string>) {
  const home = freshHome()
  const folder = join(home, '.config', 'payroll')
  const words = ['profiles', 'set', 'production', '--base-url', PAYROLL_BASE_URL, '--unprotected']
  await payroll(words, { home: folder })
  // Written as auth login does, which would send a read first.
  const file = join(folder, 'config.json')
  const keys = { production: { origin: PAYROLL_BASE_URL, key: PAYROLL_API_KEY } }
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), keys }))
  return home
}
