import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { answering, answerJson, service } from '../service.ts'
import { run, shell, start } from './built.ts'

/** A hundred rows, numbered on from one. */
const hundredFrom = (first: number, more: object = {}) =>
  [...Array(100).keys()].map((n) => ({ id: `id-${first + n}`, ...more }))

/** A service whose list has 100,000 rows. */
const hugeList = (more?: object) =>
  service((request, response) => {
    const from = (Number(new URL(request.url, 'http://x').searchParams.get('page')) - 1) * 100
    answerJson(response, 200, { data: from < 100_000 ? hundredFrom(from, more) : [], totalDocs: 100_000 })
  })

/** A service with a list of some 300 KiB, four times what a pipe holds. */
async function longList() {
  const data = hundredFrom(0, { reason: 'é'.repeat(1500) })
  const { env } = await answering(200, { data, totalDocs: data.length })
  return { env, data }
}

const list = ['--quiet', 'candidates', 'list']

describe('a long list', () => {
  test('arrives whole through a pipe that is read slowly', async () => {
    const { env, data } = await longList()
    const { child, ended } = start(list, { env })
    child.stdout.pause()
    let code: number | null = -1
    ended.then((end) => {
      code = end.code
    })
    await pause(400)
    // Nobody has read: what does not fit the pipe keeps the tool waiting.
    expect(code).toBe(-1)
    for (let n = 0; n < 20; n++) {
      child.stdout.resume()
      await pause(2)
      child.stdout.pause()
      await pause(5)
    }
    child.stdout.resume()
    const { out, err } = await ended
    expect(Buffer.byteLength(out)).toBeGreaterThan(256 * 1024)
    expect(JSON.parse(out)).toEqual(data)
    expect([code, err]).toEqual([0, ''])
  })

  test('may be left after its first line: it ends quietly with 0', async () => {
    const { env } = await longList()
    const line = '{ "$PAYROLL" --quiet candidates list; echo "exit $?" >&2; } | head -1'
    expect(await shell(line, { env }).ended).toEqual({ code: 0, signal: null, out: '[\n', err: 'exit 0\n' })
  })

  // Written whole, and line by line: each of the others is written as one of these.
  test.each(['json', 'ndjson'])('is a failure of its own where the disk is full: %s', async (format) => {
    const { env } = await longList()
    const ended = await shell(`"$PAYROLL" --quiet candidates list -o ${format} > /dev/full`, { env }).ended
    expect(ended.code).toBe(7)
    expect(ended.err).toContain('The system refused write (ENOSPC). The output may be incomplete.')
    expect(ended.err).toContain('Free some disk space')
    expect(ended.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })

  // A disk that fills, and a file that may grow no further, take a part of the last write.
  test.each(['json', 'csv'])('is a failure where the file takes a part of it alone: %s', async (format) => {
    const { env } = await longList()
    const line = `trap '' XFSZ; ulimit -f 8; "$PAYROLL" --quiet candidates list -o ${format} > "$HOME/part"`
    const { code, err } = await shell(line, { env }).ended
    expect([code, err]).toEqual([7, expect.stringContaining('(EFBIG). The output may be incomplete.')])
  })

  test('as lines, left after the first: no more of it is asked for', async () => {
    const { env, received } = await hugeList({ reason: 'y'.repeat(1500) })
    const line = '{ "$PAYROLL" --quiet candidates list -o ndjson; echo "exit $?" >&2; } | head -1'
    const { out, err } = await shell(line, { env }).ended
    expect([out.split('\n').length, err]).toEqual([2, 'exit 0\n'])
    expect(received.length).toBeLessThan(20)
  })
})

test('closed, it is none for export --since-last, which keeps its mark where it is', async () => {
  const { env } = await answering(200, { data: [{ id: 's1' }], totalDocs: 1 })
  const exporting = '"$PAYROLL" --quiet payslips export --since-last nightly -o ndjson'
  const line = `${exporting} >&-; echo "exit $?"; ${exporting}; ${exporting} >/dev/null; echo "exit $?"`
  const { out, err } = await shell(line, { env }).ended
  expect(out).toBe('exit 2\n{"id":"s1"}\nexit 0\n')
  expect(err).toContain('Standard output is closed, so the records would count as exported')
})

describe('a write whose answer nobody takes', () => {
  const create = '"$PAYROLL" --quiet candidates create --incomplete --ireland --set generalSetting.city=York'

  test('is carried out, and ends with its own exit code', async () => {
    const { env, writes } = await loopback()
    const line = `{ ${create}; echo "exit $?" >&2; } | true`
    expect((await shell(line, { env }).ended).err).toBe('exit 0\n')
    expect(writes()).toHaveLength(1)
  })

  test.each([
    ['the disk is full', '> /dev/full', / The output could not be written \(ENOSPC\)\.$/],
    [
      'the columns of --out are not there',
      '--out "$HOME/x.json" --columns nosuch',
      / could not be printed\. /,
    ],
  ])('is told to have been applied where %s: exit 10, which no script runs again', async (_, words, why) => {
    const { env, writes } = await loopback()
    const { code, err } = await shell(`${create} --json ${words}`, { env }).ended
    const { error } = JSON.parse(err)
    expect([code, error]).toMatchObject([10, { outcome: 'applied', retryable: false, method: 'POST' }])
    expect(error.message).toMatch(
      /^POST \/svc\/candidates\/ireland was applied, but its result could not be printed\. /,
    )
    expect(error.message).toMatch(why)
    // Not to run it again.
    expect(error.hint).toMatch(/^Check the record before you run it again/)
    expect(writes()).toHaveLength(1)
  })

  test.each(['/nowhere/x.json', '/dev'])(
    'is not sent where the file of --out cannot be made: %s',
    async (path) => {
      const { env, writes } = await loopback()
      const { code, err } = await shell(`${create} --json --out ${path}`, { env }).ended
      expect([code, JSON.parse(err).error.outcome, writes()]).toEqual([2, 'not-sent', []])
    },
  )
})

test.each(['--no-color --version', 'candidates create --help'])('help and the version %s', async (words) => {
  const left = await shell(`{ "$PAYROLL" ${words}; echo "exit $?" >&2; } | true`).ended
  expect(left.err).toBe('exit 0\n')
  const full = await shell(`"$PAYROLL" ${words} > /dev/full`).ended
  expect(full.code).toBe(7)
  expect(full.err).toMatch(/^Error: The system refused .*\(ENOSPC\)/)
})

describe('standard error', () => {
  test('may be closed', async () => {
    const { env } = await loopback()
    for (const [line, code] of [
      ['"$PAYROLL" candidates list 2>&-', 0],
      ['"$PAYROLL" candidates lst 2>&-', 2],
    ] as const) {
      expect(await shell(line, { env }).ended).toMatchObject({ code, err: '' })
    }
  })

  test('may have no reader: the exit code is true anyway', async () => {
    const { env } = await answering(401, {})
    const { child, ended } = start(['candidates', 'list'], { env })
    child.stderr.destroy()
    expect((await ended).code).toBe(4)
  })
})

describe('standard input', () => {
  test('may be closed: there is nothing to read', async () => {
    const { env, requests } = await loopback()
    const created = await shell('"$PAYROLL" candidates create <&-', { env }).ended
    expect(created.code).toBe(3)
    expect(created.err).toContain('Standard input holds no record: it is empty.')
    expect(requests).toEqual([])
  })

  test('is not waited for by a command that reads nothing', async () => {
    const { env } = await loopback()
    expect((await run(['--quiet', 'candidates', 'list'], { env, open: true })).out).toBe('[]\n')
  })
})
