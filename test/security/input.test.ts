import { describe, expect, test } from 'vitest'
import { parsePath, withValueAt } from '../../src/files/json/path.ts'
import { checkRecord } from '../../src/model/fields/check.ts'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import { allOperations } from '../../src/model/operations/operations.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { warnings } from '../../src/model/standards/warnings.ts'
import { mask, maskValuesIn } from '../../src/render/text/mask.ts'
import { safeJson, safeText, safeTyping } from '../../src/render/text/safe-text.ts'
import { file, loopback } from '../commands/targets.ts'
import { asTyped, payroll } from '../payroll.ts'
import { answering, service } from '../service.ts'

const types = [...new Set(allOperations.flatMap(({ requestRecord: sends }) => sends ?? []))] as RecordType[]

describe('nothing reaches into JavaScript itself', () => {
  const bad = ['__proto__', 'constructor', 'prototype']

  test.each([
    ...bad.map((name) => ['--set', `rates[0].${name}.b=1`, 2] as const),
    ['--set', 'rates=[{"__proto__":{"b":1}}]', 3],
    ['--set', 'rates={"a":{"__proto__":{"b":1}}}', 3],
  ] as const)(
    'nothing reaches into JavaScript itself through %s %s: exit %i, nothing sent',
    async (option, words, exit) => {
      const { run, requests } = await loopback()
      const { code, err } = await run(['timesheets', 'create', option, words, '--json'])
      expect([code, JSON.parse(err).error.outcome]).toEqual([exit, 'not-sent'])
      expect(requests).toEqual([])
      expect(({} as Record<string, unknown>).b).toBeUndefined()
    },
  )

  test('nothing reaches into JavaScript itself through a file: exit 3, nothing sent', async () => {
    const { run, requests } = await loopback()
    for (const input of ['{"__proto__":{"b":1}}', '{"rates":[{"a":{"__proto__":{"b":1}}}]}']) {
      expect((await run(['timesheets', 'create'], { input })).code).toBe(3)
    }
    expect(requests).toEqual([])
  })

  test.each(bad)(
    'nothing reaches into JavaScript itself through a profile called %s: exit 2',
    async (name) => {
      for (const argv of [
        asTyped`profiles set ${name} --base-url https://127.0.0.1:9`,
        asTyped`profiles use ${name}`,
        asTyped`profiles remove ${name}`,
        asTyped`--profile ${name} candidates list`,
        asTyped`auth login --profile ${name}`,
      ])
        expect([argv, (await payroll(argv, { input: 'CANARYkey0000' })).code]).toEqual([argv, 2])
    },
  )

  test('nothing reaches into JavaScript itself through an answer of the service, in any form', async () => {
    const proto = '"__proto__":{"b":1}'
    const text = `{"id":"1",${proto},"constructor":{"prototype":{"b":1}},"bank":{${proto}}}`
    const { env } = await service((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(request.url.includes('page=') ? `{"data":[${text}],"totalDocs":1}` : `{"data":${text}}`)
    })
    for (const format of ['table', 'json', 'csv']) {
      for (const line of ['candidates list', 'candidates get 1', 'payslips list'])
        expect((await payroll([...line.split(' '), '-o', format], { env })).code).toBe(0)
    }
    await payroll(asTyped`candidates update 1 --set generalSetting.city=York`, { env })
    expect(({} as Record<string, unknown>).b).toBeUndefined()
  })
})

test.each([
  ['an index beyond 1,000', 'generalSetting.address[4294967294]=x'],
  ['an index beyond 1,000, with a dot', 'generalSetting.address.1001=x'],
  ['more than ten levels', `${'a.'.repeat(10)}a=1`],
  ['a value of 30,000 levels', `generalSetting.address=${'['.repeat(30_000)}${']'.repeat(30_000)}`, 3],
])('--set has limits %s is refused', async (_, set, exit = 2) => {
  const { run, requests } = await loopback()
  expect((await run(['candidates', 'create', '--incomplete', '--set', set])).code).toBe(exit)
  expect(requests).toEqual([])
})

describe('no input is too large or too deep to be refused in order', () => {
  test.each([
    ['a line of 100 MB', '"x"', 'larger than 1 MiB'],
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'deeper than 64 levels'],
    ['100,000 levels that nobody closes', '{"a":'.repeat(100_000), 'not JSON'],
  ])('%s: exit 3, nothing sent', async (what, text, says) => {
    const { run, requests } = await loopback()
    const input = what === 'a line of 100 MB' ? 'x'.repeat(100_000_000) : text
    const { code, err } = await run(['candidates', 'create', '--incomplete', '--file', '-'], { input })
    expect([code, err]).toEqual([3, expect.stringContaining(says)])
    expect(requests).toEqual([])
  })

  test('a key without end: exit 2, nothing stored', async () => {
    const argv = ['auth', 'login', '--profile', 'production', '--base-url', 'https://127.0.0.1:9']
    const { code, err } = await payroll(argv, { input: 'x'.repeat(10_000_000) })
    expect(code).toBe(2)
    expect(err.length).toBeLessThan(300)
  })
})

describe('no text keeps a check busy', () => {
  const texts = ['a', '0', '-', '@', 'a.', 'A1 ', 'GB', ' ', "'", '\u0301']
  const long = texts.map((text) => text.repeat(50_000 / text.length))
  /** The best of three: the machine may be busy with something else. */
  const milliseconds = (work: () => unknown) => {
    const once = () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }
    const first = once()
    return first < 50 ? first : Math.min(first, once(), once())
  }

  test.each(types.map((type) => [type.displayName, type] as const))(
    '50,000 characters in any field of %s, in less than 100 ms',
    { tags: ['timing'] },
    (_, type) => {
      for (const { path } of leafFields(type.fields)) {
        for (const text of long) {
          const body = withValueAt({}, parsePath(path) ?? [], text) as Record<string, unknown>
          const checks = milliseconds(() => checkRecord(type, body))
          const remarks = milliseconds(() => warnings(type, body, '2026-04-06'))
          expect([path, checks < 100, remarks < 100]).toEqual([path, true, true])
        }
      }
    },
  )

  test('50,000 characters on their way to a screen, in less than 100 ms', { tags: ['timing'] }, () => {
    for (const text of long) {
      for (const work of [safeText, safeJson, safeTyping, mask]) {
        expect(milliseconds(() => work(text))).toBeLessThan(100)
      }
      const masked = maskValuesIn({ DOB: text, IBANReference: text, sortCode: text.slice(0, 5) })
      expect(milliseconds(() => masked(text))).toBeLessThan(100)
    }
  })
})

test('a list with 50,000 characters in one cell is a table within 2 seconds', {
  tags: ['timing'],
}, async () => {
  const data = ['a', 'x'.repeat(50_000), 'b'].map((text) => ({ text, more: 'more' }))
  const { env } = await answering(200, { data, totalDocs: 3 })
  const since = performance.now()
  const { out } = await payroll(['payslips', 'list', '-o', 'table'], { env })
  expect([out.length > 50_000, performance.now() - since < 2000]).toEqual([true, true])
})

describe('text is strict UTF-8, or nothing is sent', () => {
  const text = '{"generalSetting":{"forename":"Zoë"}}'
  const inside = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"generalSetting":{"forename":"Z'), Buffer.from(bytes), Buffer.from('"}}')])

  test.each([
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['a lead of four cut short', inside(0xf0, 0x9f, 0x98)],
    ['an overlong slash', inside(0xc0, 0xaf)],
    ['both halves of a surrogate pair (CESU-8)', inside(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)],
  ])('%s is refused: exit 3', async (_, bytes) => {
    const { code, requests } = await created(bytes)
    expect([code, requests]).toEqual([3, []])
  })

  test.each([
    ['UTF-8', text],
    ['UTF-8 after a byte-order mark', `\uFEFF${text}`],
  ])('%s is sent as it is', async (_, given) => {
    const { code, requests } = await created(Buffer.from(given))
    expect([code, requests[0]?.body]).toEqual([0, text])
  })

  test('a decomposed name is sent decomposed: it is the name that was given', async () => {
    const decomposed = text.normalize('NFD')
    expect((await created(Buffer.from(decomposed))).requests[0]?.body).toBe(decomposed)
  })

  /** Through a file, which a test can write byte for byte. */
  async function created(bytes: Uint8Array) {
    const { run, home, requests } = await loopback()
    const { code } = await run(
      asTyped`candidates create --incomplete --file ${file(home, 'starter.json', bytes)}`,
    )
    return { code, requests }
  }
})
