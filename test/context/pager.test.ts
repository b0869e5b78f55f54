import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StopSignal } from '../../src/errors.ts'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { answering } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

const key = 'CANARYkey0000'

/** A list of so many people, on a screen of 50 lines. */
async function shown(count: number, env: Record<string, string>, ...words: string[]) {
  const data = Array.from({ length: count }, (_, n) => ({ id: `c-${n}`, agencyRef: `R-${n}`, surname: key }))
  const at = await answering(200, { data, totalDocs: count })
  const argv = ['candidates', 'list', '--columns', 'agencyRef,surname', ...words]
  return { env: { ...at.env, ...env }, argv }
}

async function onScreen(count: number, env: Record<string, string>, ...words: string[]) {
  const { argv, ...setting } = await shown(count, env, ...words)
  return atTerminal(argv, setting).ended
}

const paged = { PAYROLL_PAGER: "sed 's/^/PAGED /'" }

describe('a list that is longer than the screen', () => {
  test('or whose first line would go as soon as its count and the prompt come, goes through the pager', async () => {
    expect((await onScreen(47, paged)).out).toMatch(/^PAGED Agency/)
  })

  test('goes through the pager, and its count comes after it', async () => {
    const { code, out, err } = await onScreen(60, paged)
    const lines = out.trimEnd().split('\n')
    expect([code, lines.length]).toEqual([0, 61])
    expect(lines.every((line) => line.startsWith('PAGED '))).toBe(true)
    expect(err).toContain('60 people\n')
  })

  test('takes PAYROLL_PAGER before PAGER, and the shell reads what it is', async () => {
    const both = { PAYROLL_PAGER: 'head -2 | tail -1', PAGER: "sed 's/^/OTHER /'" }
    expect((await onScreen(60, both)).out).toMatch(/^R-0 /)
    expect((await onScreen(60, { PAGER: "sed 's/^/OTHER /'" })).out).toMatch(/^OTHER Agency/)
  })

  test.each([
    ['it fits the screen with its count and the next prompt', 46, paged, []],
    ['--no-pager says so', 60, paged, ['--no-pager']],
    ['it is JSON', 60, paged, ['--json']],
    ['nobody can leave it', 60, paged, ['--no-input']],
    ['the pager is empty', 60, { PAYROLL_PAGER: '', PAGER: "sed 's/^/PAGED /'" }, []],
    ['the pager is cat', 60, { PAGER: 'cat' }, []],
    ['the terminal is dumb', 60, { ...paged, TERM: 'dumb' }, []],
  ])('is shown at once where %s', async (_, count, env, words) => {
    const { code, out } = await onScreen(count, env as Record<string, string>, ...words)
    expect([code, out.includes('PAGED')]).toEqual([0, false])
    expect(out).toContain(`R-${count - 1}`)
  })

  test('goes through the pager where the lines below it would move its headings off the screen', async () => {
    const { code, out } = await onScreen(48, paged)
    expect([code, out.split('\n').length, out.startsWith('PAGED ')]).toEqual([0, 50, true])
    expect((await onScreen(46, paged)).out).not.toContain('PAGED')
  })

  test('goes through the pager where the terminal breaks its lines, so that it is longer than the screen', async () => {
    const wide = ['--columns', 'id,agencyRef,surname', '-o', 'table']
    const { argv, ...setting } = await shown(4, paged, ...wide)
    const narrow = atTerminal(argv, { ...setting, columns: 8, rows: 14 })
    expect((await narrow.ended).out).toContain('PAGED')
  })

  test('is shown at once in a pipe', async () => {
    const { argv, ...setting } = await shown(60, paged, '-o', 'table')
    const { code, out } = await payroll(argv, setting)
    expect([code, out.includes('PAGED'), out.split('\n').length]).toEqual([0, false, 62])
  })

  test.each([
    ['is missing', 'no-such-pager-at-all', 'exit code 127'],
    ['fails', 'exit 3 #', 'exit code 3'],
    ['is killed', 'kill -9 $$ #', 'SIGKILL'],
  ])('arrives anyway when the pager %s', async (_, pager, why) => {
    const { code, out, err } = await onScreen(60, { PAYROLL_PAGER: pager })
    expect(code).toBe(0)
    expect(out.match(/^R-\d+/gm)).toHaveLength(60)
    expect(err).toContain(why)
  })

  test('may be left before its end', async () => {
    const { code, out } = await onScreen(3000, { PAYROLL_PAGER: 'head -1' })
    expect([code, out.split('\n').length]).toEqual([0, 2])
  })

  test('shows the pager no key, neither in the text nor in its environment', async () => {
    const { out } = await onScreen(60, { PAYROLL_PAGER: 'cat; env' })
    expect(out).toContain('[key]')
    expect(out).toContain('R-59')
    expect(out).not.toContain(key)
  })
})

test('Ctrl-C in the pager that shows what an import will create stops it, and nothing is sent', async () => {
  const { home, env, received } = await startSandbox()
  const rows = Array.from({ length: 60 }, (_, n) => `UMB-${n},Ann,Sample${n},unknown ${n}`)
  const file = join(home, 'people.csv')
  writeFileSync(file, ['Ref,First name,Surname,Title', ...rows].join('\n'))
  let send = (_: StopSignal) => {}
  const terminal = atTerminal(['candidates', 'import', file, '--uk', '--yes'], {
    env: { ...env, PAYROLL_PAGER: 'echo SHOWN; exec sleep 100' },
    rows: 10,
    onStart: (given) => {
      send = given
    },
  })
  await terminal.type('SHOWN', '')
  send('SIGINT')
  expect(await terminal.ended).toMatchObject(endedWith(130, 'Stopped. Nothing was sent.'))
  expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
})
