import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { asTyped, endedWith, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { body, candidateTargets, loopback, production } from '../targets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const create = ['candidates', 'create', '--incomplete']

describe('candidates create', () => {
  test('creates a UK candidate and says that the service returns no id', async () => {
    const { run } = await loopback()
    const made = await run(['candidates', 'create', '--file', everyFieldFile('uk')])
    expect([made.code, made.json()]).toMatchObject([0, { created: true, id: null }])
    expect(made.err).toContain('The service returns no id; --find looks the record up by its agencyRef.')
    expect((await run(['candidates', 'list', '--uk'])).json()).toMatchObject([{ agencyRef: 'UK-0001' }])
  })

  test.each(candidateTargets)(
    'reads the $adjective body from --file - and from a bare pipe alike',
    async ({ flags, example }) => {
      const { run } = await loopback()
      const input = JSON.stringify(body(example))
      expect((await run([...create, ...flags, '--file', '-'], { input })).code).toBe(0)
      const marked = await run([...create, ...flags, '--same-person'], { input: `\uFEFF${input}` })
      expect(marked.code).toBe(0)
      const [one, other, ...more] = (await run(['candidates', 'list', ...flags])).json()
      expect([{ ...other, id: '' }, more]).toEqual([{ ...one, id: '' }, []])
    },
  )

  test('prints a card with --output table, with what is sensitive masked', async () => {
    const { run } = await loopback()
    const card = [...create, '--ireland', '--file', everyFieldFile('ireland'), '-o', 'table']
    const masked = await run(card)
    expect(masked.out).toMatch(/Agency reference +IE-0001\n/)
    expect(masked.out).not.toMatch(/1991-03-14|IE29AIBK93115212345678|1234567FA|931152|12345678/)
    const revealed = await run([...card, '--reveal', '--same-person'])
    expect(revealed.out).toMatch(/Date of birth +14 March 1991\n/)
    expect(revealed.out).toMatch(/IBAN +IE29AIBK93115212345678\n/)
  })
})

describe('what candidates create sends and says', () => {
  test.each(candidateTargets)(
    'sends the $adjective body as it was given, with the bare key',
    async ({ flags, country, path }) => {
      const { run, requests, env } = await loopback()
      const words = asTyped`${create} ${flags} --file ${everyFieldFile(country)} --same-person`
      expect((await run(words)).code).toBe(0)
      expect(requests).toEqual([
        { method: 'POST', url: path, body: expect.any(String), authorization: env.PAYROLL_API_KEY },
      ])
      expect(JSON.parse(requests[0]?.body ?? '')).toEqual(everyField(country))
    },
  )

  test('lays --set on top of the file, or of a pipe that --file - reads, and leaves the rest alone', async () => {
    const { run, requests } = await loopback()
    const words = asTyped`${create} --file ${everyFieldFile('uk')} --same-person --set payrollSetting.taxCode=BR`
    await run([...words, '--set', 'generalSetting.address[1]=Flat 3'])
    const expected = everyField('uk')
    expected.payrollSetting.taxCode = 'BR'
    expected.generalSetting.address[1] = 'Flat 3'
    const input = '{"generalSetting":{"county":"West Yorkshire"}}'
    await run(asTyped`${create} --file - --set generalSetting.city=Leeds`, { input })
    const piped = { generalSetting: { county: 'West Yorkshire', city: 'Leeds' } }
    expect(requests.map((request) => JSON.parse(request.body))).toEqual([expected, piped])
  })

  test('keeps what it has to say to itself with --quiet', async () => {
    const { run } = await loopback()
    const made = await run(asTyped`${create} --quiet --set generalSetting.NINumber=x --find`)
    // It has no reference to be found by, and that matters even when all else is quiet.
    const says =
      'Note: the record was created, and cannot be shown: it has no generalSetting.agencyRef to be found by.\n'
    expect([made.code, made.err]).toEqual([0, says])
  })
})

const uk1 = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', DOB: '1990-02-28' }
const other = { id: 'old-1', agencyRef: 'UK-1', forename: 'Bob', surname: 'Example' }
const older = { ...uk1, id: 'old-1', DOB: '1970-01-01' }
const somebodyElse = 'the list shows somebody else with its agencyRef'
test('candidates create --find looks once more where the list shows the new record a moment later', async () => {
  let reads = 0
  const { env } = await service(({ method }, response) => {
    if (method === 'POST') return void response.writeHead(201).end()
    reads += 1
    const data = reads > 1 ? [{ ...uk1, id: 'new-1' }] : []
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  const set = Object.entries(uk1).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const made = await payroll([...create, '--uk', '--find', ...set, '--same-person'], { env })
  expect([made.code, made.json().id, reads]).toEqual([0, 'new-1', 2])
})

test.each([
  ['one with the reference and another name', [other], somebodyElse],
  ['one with the reference and another birthday', [older], somebodyElse],
  ['two with the reference', [uk1, { ...uk1, id: 'a-2' }], 'the list has 2 records with its agencyRef'],
  ['503', 503, 'the record was created, and cannot be shown: the list cannot be read ('],
])('candidates create --find prints no id where the list answers %s', async (_, answer, says) => {
  const { env, received } = await service(({ method }, response) => {
    if (method === 'POST') response.writeHead(201).end()
    else if (typeof answer === 'number') answerJson(response, answer, {})
    else answerJson(response, 200, { data: answer, totalDocs: answer.length })
  })
  const set = Object.entries(uk1).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const made = await payroll([...create, '--uk', '--find', ...set], { env })
  expect(made).toMatchObject(endedWith(0, says))
  expect(made.json()).toMatchObject({
    created: true,
    id: null,
    warnings: [{ message: expect.stringContaining(says) }],
  })
  expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('candidates create --find finds a record whose reference the service wrote in capitals', async () => {
  const { env } = await service(({ method }, response) => {
    if (method === 'POST') response.writeHead(201).end()
    else answerJson(response, 200, { data: [{ ...uk1, id: 'a-1' }], totalDocs: 1 })
  })
  const set = Object.entries({ ...uk1, agencyRef: 'uk-1' }).flatMap(([name, value]) => [
    '--set',
    `${name}=${value}`,
  ])
  const made = await payroll([...create, '--uk', '--find', ...set], { env })
  expect([made.code, made.json()]).toMatchObject([0, { id: 'a-1', agencyRef: 'UK-1' }])
})

test('candidates create --ireland reads the record of an answer that came without one from the list', async () => {
  const { env } = await service(({ method }, response) => {
    if (method === 'POST') answerJson(response, 201, { success: true })
    else answerJson(response, 200, { data: [{ id: 'i-1', agencyRef: 'A-1' }], totalDocs: 1 })
  })
  const made = await payroll([...create, '--ireland', '--set', 'agencyRef=A-1'], { env })
  expect(made).toMatchObject(endedWith(0, 'but did not return it'))
  const says = 'the service says that the record was created, but did not return it.'
  expect(made.json()).toEqual({ id: 'i-1', agencyRef: 'A-1', warnings: [{ path: '', message: says }] })
})

describe('candidates create --dry-run', () => {
  const [target] = candidateTargets
  const argv = ['candidates', 'create', ...target.flags, '--file', root + target.example, '--dry-run']

  test('prints the request exactly, with the key redacted, and sends nothing', async () => {
    const { run, requests, baseUrl } = await loopback()
    const { code, json } = await run([...argv, '--set', 'generalSetting.mobile=07700 900999'])
    const sent = body(target.example)
    sent.generalSetting.mobile = '07700 900999'
    expect([code, requests]).toEqual([0, []])
    expect(Object.entries(json())).toEqual([
      ['dryRun', true],
      ['method', 'POST'],
      ['url', baseUrl + target.path],
      [
        'headers',
        { Authorization: '[redacted]', Accept: 'application/json', 'Content-Type': 'application/json' },
      ],
      ['body', sent],
      ['changes', []],
      ['warnings', expect.any(Array)],
    ])
  })

  test('masks what is sensitive for a person, and shows it with --reveal', async () => {
    const { run } = await loopback()
    const { DOB } = body(target.example).generalSetting
    const shown = await run([...argv, '-o', 'table'])
    expect(shown.out).not.toContain(DOB)
    expect(shown.err).toMatch(/^Nothing was sent\.$/m)
    expect((await run([...argv, '-o', 'table', '--reveal'])).out).toContain(DOB)
  })

  test('needs no --yes on a protected profile', async () => {
    const { run, requests } = await production()
    const { code, json } = await run(argv)
    expect([code, json(), requests]).toMatchObject([0, { dryRun: true }, []])
  })
})

describe('candidates update --dry-run', () => {
  test.each(candidateTargets)('shows the $adjective record to be sent, and changes nothing', async (v) => {
    const { run } = await loopback()
    await run(['candidates', 'create', ...v.flags, '--file', everyFieldFile(v.country)])
    const [before] = (await run(['candidates', 'list', ...v.flags])).json()
    const argv = ['candidates', 'update', before.id, ...v.flags, '--set', 'generalSetting.city=Leeds']
    const tried = await run([...argv, '--dry-run'])
    const url = expect.stringMatching(new RegExp(`${v.path}/${before.id}$`))
    const sent = { generalSetting: { city: 'Leeds', forename: before.forename } }
    const headers = { Authorization: '[redacted]' }
    const request = { dryRun: true, method: 'PUT', url, headers, body: sent }
    expect([tried.code, tried.json()]).toMatchObject([0, request])
    expect(tried.err).toMatch(/^ {2}generalSetting\.city: \w+ → Leeds$/m)
    expect((await run(['candidates', 'get', before.id, ...v.flags])).json()).toEqual(before)
  })
})

test('the answer of a create and of an update has what was doubted, and can be sent back as it stands', async () => {
  const { env } = await loopback()
  const run = (words: string, input = '') => payroll([...words.split(' '), '--yes', '--json'], { env, input })
  const doubted = (path: string, says: string) => ({
    warnings: expect.arrayContaining([{ path, message: expect.stringContaining(says) }]),
  })
  const made = await run('candidates create --uk --incomplete --set agencyRef=W-1 --set taxCode=XYZ9')
  const code = doubted('payrollSetting.taxCode', 'not a tax code')
  expect([made.code, made.json()]).toMatchObject([0, { created: true, ...code }])
  const changed = await run('candidates update W-1 --incomplete --set city=York --set email=nobody')
  const email = doubted('generalSetting.email', 'not an e-mail address')
  expect([changed.code, changed.json()]).toMatchObject([0, { city: 'York', ...email }])
  const again = await run('candidates update W-1 --incomplete --file - --changes', changed.out)
  expect([again.code, again.json()]).toMatchObject([0, { changed: false }])
})
