import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { asTyped, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { body, candidateTargets, file, loopback, places } from '../targets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe.each(places)('candidates create, at $place', ({ open }) => {
  test('creates an Irish candidate from a file and prints it, out of its envelope', async () => {
    const { run } = await open()
    const made = await run([
      'candidates',
      'create',
      '--incomplete',
      '--ireland',
      '--file',
      everyFieldFile(candidateTargets[1].country),
    ])
    expect(made.code).toBe(0)
    const record = made.json()
    expect(record).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agencyRef: 'IE-0001',
      registrationStatus: 'REGISTRATION_COMPLETE',
      bank: { IBANReference: 'IE29AIBK93115212345678' },
      setting: { ppsNumber: '1234567FA' },
    })
    expect(record).not.toHaveProperty('data')
    expect(record).not.toHaveProperty('success')
    expect(made.err).toMatch(/^Created an Irish candidate on \S+\.$/m)
  })

  test('creates a UK candidate and says that the service returns no id', async () => {
    const { run } = await open()
    const made = await run(['candidates', 'create', '--file', everyFieldFile(candidateTargets[0].country)])
    expect(made.code).toBe(0)
    expect(made.out).toBe('{\n  "created": true,\n  "id": null\n}\n')
    expect(made.err).toContain('The service returns no id; --find looks the record up by its agencyRef.')
    const listed = await run(['candidates', 'list', '--uk'])
    expect(listed.json()).toEqual([expect.objectContaining({ agencyRef: 'UK-0001' })])
  })

  test('finds the UK candidate that it created with --find', async () => {
    const { run } = await open()
    const made = await run(['candidates', 'create', '--file', root + candidateTargets[0].example, '--find'])
    expect(made.code).toBe(0)
    expect(made.json()).toMatchObject({ id: expect.any(String), agencyRef: 'EXAMPLE-UK-1', city: 'London' })
    expect(made.err).not.toContain('returns no id')
  })

  test.each(candidateTargets)(
    'reads the $adjective body from --file - and from a bare pipe alike',
    async (target) => {
      const { run } = await open()
      const input = JSON.stringify(body(target.example))
      const create = ['candidates', 'create', '--incomplete', ...target.flags]
      expect((await run([...create, '--file', '-'], { input })).code).toBe(0)
      expect((await run([...create, '--same-person'], { input: `\uFEFF${input}` })).code).toBe(0)
      const listed = (await run(['candidates', 'list', ...target.flags])).json()
      expect(listed).toHaveLength(2)
      expect({ ...listed[1], id: '' }).toEqual({ ...listed[0], id: '' })
    },
  )

  test.each(candidateTargets)('creates a $adjective candidate from --set alone', async ({ flags }) => {
    const { run } = await open()
    const made = await run(asTyped`candidates create --incomplete ${flags} --set generalSetting.forename=Zoë`)
    expect(made.code).toBe(0)
    const [only] = (await run(['candidates', 'list', ...flags])).json()
    expect(only.forename).toBe('Zoë')
  })

  test('prints a card with --output table, with what is sensitive masked', async () => {
    const { run } = await open()
    const create = [
      'candidates',
      'create',
      '--ireland',
      '--file',
      everyFieldFile(candidateTargets[1].country),
    ]
    const masked = await run([...create, '-o', 'table'])
    expect(masked.out).toMatch(/Agency reference +IE-0001\n/)
    expect(masked.out).not.toMatch(/1991-03-14|IE29AIBK93115212345678|1234567FA|931152|12345678/)
    const revealed = await run([...create, '-o', 'table', '--reveal', '--same-person'])
    expect(revealed.out).toMatch(/Date of birth +14 March 1991\n/)
    expect(revealed.out).toMatch(/IBAN +IE29AIBK93115212345678\n/)
  })
})

describe('candidates create', () => {
  test.each(candidateTargets)(
    'sends the $adjective body as it was given, with the bare key',
    async (target) => {
      const { run, requests, env } = await loopback()
      const file = ['--file', everyFieldFile(target.country), '--same-person']
      expect((await run(['candidates', 'create', ...target.flags, ...file])).code).toBe(0)
      expect(requests).toEqual([
        { method: 'POST', url: target.path, body: expect.any(String), authorization: env.PAYROLL_API_KEY },
      ])
      expect(JSON.parse(requests[0]?.body ?? '')).toEqual(everyField(target.country))
    },
  )

  test('lays --set on top of the file, and leaves the rest of it alone', async () => {
    const { run, requests } = await loopback()
    const argv = [
      'candidates',
      'create',
      '--file',
      everyFieldFile(candidateTargets[0].country),
      '--same-person',
    ]
    await run([...argv, '--set', 'payrollSetting.taxCode=BR', '--set', 'generalSetting.address[1]=Flat 3'])
    const expected = everyField(candidateTargets[0].country)
    expected.payrollSetting.taxCode = 'BR'
    expected.generalSetting.address[1] = 'Flat 3'
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(expected)
  })

  test('says of each value what the public standards doubt, and creates anyway', async () => {
    const { run } = await loopback()
    const made = await run(
      'candidates create --incomplete --set generalSetting.NINumber=QQ123456Z'.split(' '),
    )
    expect(made.code).toBe(0)
    expect(made.err).toMatch(/^generalSetting\.NINumber: .+$/m)
    expect(made.err).not.toContain('QQ123456Z')
  })

  test('keeps what it has to say to itself with --quiet', async () => {
    const { run } = await loopback()
    const made = await run(
      'candidates create --incomplete --quiet --set generalSetting.NINumber=x --find'.split(' '),
    )
    expect(made.code).toBe(0)
    // It has no reference to be found by, and that matters even when all else is quiet.
    expect(made.err).toBe(
      'Note: the new record cannot be looked up, because it has no generalSetting.agencyRef.\n',
    )
  })

  test.each([
    ['name', { forename: 'Bob', surname: 'Example' }],
    ['birthday', { forename: 'Ann', surname: 'Sample', DOB: '1970-01-01' }],
  ])(
    'candidates create with --find prints no id of an older person with the reference and another %s',
    async (_, older) => {
      const old = { id: 'old-1', agencyRef: 'UK-1', ...older }
      const { env } = await service(({ method }, response) =>
        method === 'GET'
          ? answerJson(response, 200, { data: [old], totalDocs: 1 })
          : response.writeHead(201).end(),
      )
      const fields = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', DOB: '1990-02-28' }
      const input = JSON.stringify({ generalSetting: fields })
      const made = await payroll(asTyped`candidates create --uk --find`, {
        env,
        input,
      })
      expect([made.code, made.json()]).toEqual([0, { created: true, id: null }])
      expect(made.err).toContain('the list shows somebody else with its agencyRef')
    },
  )

  test('does not choose between two records with one reference', async () => {
    const { run } = await loopback()
    const argv = ['candidates', 'create', '--incomplete', '--find', '--set', 'generalSetting.agencyRef=TWICE']
    expect((await run(argv)).json()).toMatchObject({ agencyRef: 'TWICE' })
    const second = await run(argv)
    expect(second.json()).toEqual({ created: true, id: null })
    expect(second.err).toContain('the list has 2 records with its agencyRef')
  })

  test('does not say that nothing was applied when only looking it up failed', async () => {
    const { env, received } = await service(({ method }, response) => {
      if (method === 'POST') response.writeHead(201).end()
      else answerJson(response, 503, {})
    })
    const argv = ['candidates', 'create', '--incomplete', '--find', '--set', 'generalSetting.agencyRef=A-1']
    const made = await payroll(argv, { env })
    expect(made.json()).toEqual({ created: true, id: null })
    expect(made.err).toContain('the record was created, but could not be looked up afterwards (503)')
    expect(made.code).toBe(0)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('reads the record of an answer that came without one from the list', async () => {
    const { env } = await service(({ method }, response) => {
      if (method === 'POST') answerJson(response, 201, { success: true })
      else answerJson(response, 200, { data: [{ id: 'i-1', agencyRef: 'A-1' }], totalDocs: 1 })
    })
    const argv = 'candidates create --incomplete --ireland --set generalSetting.agencyRef=A-1'.split(' ')
    const made = await payroll(argv, { env })
    expect(made.json()).toEqual({ id: 'i-1', agencyRef: 'A-1' })
    expect(made.err).toContain('but did not return it')
  })

  test('takes a file with a byte-order mark', async () => {
    const { run, home } = await loopback()
    const path = file(home, 'bom.json', '\uFEFF{"generalSetting":{"city":"Leeds"}}')
    expect((await run(['candidates', 'create', '--incomplete', '--file', path])).code).toBe(0)
  })

  test('lays --set on top of a pipe that --file - reads', async () => {
    const { run, requests } = await loopback()
    const set = ['--set', 'generalSetting.city=Leeds']
    await run(['candidates', 'create', '--incomplete', '--file', '-', ...set], {
      input: '{"generalSetting":{"county":"West Yorkshire"}}',
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      generalSetting: { county: 'West Yorkshire', city: 'Leeds' },
    })
  })

  test('refuses --uk and --ireland together, and sends nothing', async () => {
    const { run, requests } = await loopback()
    const made = await run(
      'candidates create --incomplete --uk --ireland --set generalSetting.city=Leeds'.split(' '),
    )
    expect(made.code).toBe(2)
    expect(requests).toEqual([])
  })
})
