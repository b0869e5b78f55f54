import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answering, answerJson, service } from '../service.ts'
import { rate } from './http-cases.ts'

const employee = (id: string) => (id === '' ? '--employee=' : `--employee=id:${id}`)

/** Every place where a person types an identifier, and what it is called. */
const places: readonly [string, (id: string) => string[]][] = [
  ['id', (id) => ['payment-rates', 'get', '--id', '--', id]],
  ['id', (id) => ['candidates', 'get', '--ireland', '--id', '--', id]],
  ['id', (id) => ['payment-rates', 'update', '--id', '--set', 'code=X', '--', id]],
  ['id', (id) => ['timesheets', 'get', '--id', '--', id]],
  ['id', (id) => ['documents', 'delete', '--id', '--employee', 'id:e1', '--yes', '--', id]],
  ['employeeId', (id) => ['documents', 'list', employee(id)]],
  ['employeeId', (id) => ['documents', 'get', employee(id), '--id', 'd1']],
]

/** The same places, where a reference is understood as well. */
const placesOfReferences: readonly [string, (text: string) => string[]][] = [
  ['id', (text) => ['payment-rates', 'get', '--', text]],
  ['id', (text) => ['candidates', 'get', '--ireland', '--', text]],
  ['id', (text) => ['payment-rates', 'update', '--set', 'code=X', '--', text]],
  ['id', (text) => ['documents', 'delete', '--employee', 'id:e1', '--yes', '--', text]],
  ['employeeId', (text) => ['documents', 'list', `--employee=${text}`]],
  ['employeeId', (text) => ['documents', 'get', `--employee=${text}`, '--id', 'd1']],
]

/** Without a letter and a digit it is nobody's reference. */
const mayBeReference = (text: string) => /[\p{L}\p{N}]/u.test(text)

const strange = [
  ...['', ' ', '.', '..', '...', '.hidden', '/', '/etc/passwd', '//payroll.example.com', 'a/b', 'a/../b'],
  ...['a\\b', 'a%2f..%2fb'],
  ...['../payment-rate', '..\\payment-rate', '%2e%2e', '%2e%2e%2f', '..%2f', '%252e%252e', '..%c0%af'],
  ...['a?x=1', 'a#b', 'a;b', 'a b', 'a\tb', 'a\nb', 'a\r\nX-Injected: 1', 'a\0b', '{id}', 'a&b', 'a=b'],
  ...['a@b', 'a:b'],
  ...['~', '$&', 'é', 'ａ', '\u2025', '\uFF0E\uFF0E', '\u202Ea', '😀', 'x'.repeat(129), 'x'.repeat(100_000)],
  ...[
    '../',
    '.%2e/',
    '%c0%ae%c0%ae/',
    '%uff0e/',
    '．．/',
    '..%5c',
    '..%252f',
    '..／',
    '..\u29F8',
    '..;/',
  ].map((up) => `${up}payment-rate`),
]

/** What is refused is decided in one place: each place meets some of the strange ones, and the first of each kind meets all. */
const some = ['', '..', '../payment-rate', 'a/b', '%2e%2e%2f']
const isFirst = (at: number, all: typeof places) => all.findIndex(([name]) => name === all[at]?.[0]) === at
/** An option without a value, and an empty word, are exit 2, as of every command. */
const hasValue = (argv: readonly string[]) =>
  !argv.some((word) => /^--\w+=$/.test(word) || word.trim() === '')
const meeting = (all: typeof places, text: string) =>
  all.filter(([, argv], at) => (some.includes(text) || isFirst(at, all)) && hasValue(argv(text)))

describe('an identifier', () => {
  test.each(strange)('that is none, %j, reaches no server', async (id) => {
    const { env, received } = await answering(200, { data: rate })
    const asReference = mayBeReference(id) ? [] : meeting(placesOfReferences, id)
    for (const [name, argv] of [...meeting(places, id), ...asReference]) {
      const isWrite = /^(update|delete)$/.test(argv(id)[1] ?? '')
      const { code, out, error } = await payroll(['--json', ...argv(id)], { env })
      expect([code, out]).toEqual([3, ''])
      expect(error()).toMatchObject({ exitCode: 3, outcome: 'not-sent', issues: [{ path: name }] })
      expect(error().message).toBe(`Not a valid ${name}.${isWrite ? ' Nothing was sent.' : ''}`)
    }
    expect(received).toEqual([])
  })

  test.each(strange.filter(mayBeReference))(
    'that is none, %j, is looked for as a reference, and reaches no path of a record',
    async (text) => {
      const lists =
        /^\/svc\/(payment-rate|candidates|candidates\/ireland|employees\/e1\/documents)\?page=1&size=100$/
      const { env, received } = await service(({ url }, response) =>
        answerJson(response, 200, lists.test(url) ? { data: [], totalDocs: 0 } : { data: rate }),
      )
      for (const [, argv] of meeting(placesOfReferences, text)) {
        const before = received.length
        const { code, out, error } = await payroll(['--json', ...argv(text)], { env })
        expect([code, out, error().outcome]).toEqual([5, '', 'not-sent'])
        expect(received.length).toBeGreaterThan(before)
      }
      expect(received.filter(({ method, url }) => method !== 'GET' || !lists.test(url))).toEqual([])
    },
  )

  test.each([
    ...['r1', '-r', '_', '0', 'a.b', 'a..b', 'A_b-c~9', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
    'x'.repeat(128),
  ])('that is one, %j, stands in its path as it is', async (id) => {
    const { env, received } = await answering(200, { data: { ...rate, id } })
    const { code } = await payroll(['payment-rates', 'get', '--id', '--', id], { env })
    expect([code, received.map(({ url }) => url)]).toEqual([0, [`/svc/payment-rate/${id}`]])
  })

  test('that spells the path of other records reaches no server', async () => {
    const { env, received } = await answering(200, { data: [], totalDocs: 0 })
    for (const verb of [['get'], ['update', '--set', 'generalSetting.city=Cork']]) {
      const { code, error } = await payroll(['--json', 'candidates', ...verb, '--id', 'ireland'], { env })
      expect([code, error().message]).toEqual([3, expect.stringContaining('/svc/candidates/ireland')])
    }
    expect(received).toEqual([])
  })

  test('keeps its person and its document apart', async () => {
    const { env, received } = await answering(200, { data: { id: 'd1' } })
    await payroll(['documents', 'get', '--id', 'd1', '--employee', 'id:e1'], { env })
    expect(received[0]?.url).toBe('/svc/employees/e1/documents/d1')
  })
})
