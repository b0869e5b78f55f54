import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'

const wholePerson = (part: object) => wholeFor(['candidates'], { ...part, bank: null, setting: {} }).record
const person = wholePerson({ id: 'OTHER', agencyRef: 'B9', surname: 'Example' })

/** A service that answers every request with this record. */
async function holding(record: object, status = 200) {
  const { env, received } = await answering(status, { data: record, success: true })
  const run = (argv: readonly string[], input = '') => payroll(['--json', ...argv], { env, input })
  return { run, sent: () => received.map(({ method }) => method), received }
}

const set = ['--set', 'generalSetting.surname=Smith', '--yes']

describe('an answer that is of another record than the one asked for', () => {
  const byId = ['abc', '--id']
  const ofDocument = [...byId, '--employee', 'id:e1']
  test.each([
    [['candidates', 'get', ...byId]],
    [['candidates', 'get', ...byId, '--ireland']],
    [['payment-rates', 'get', ...byId]],
    [['timesheets', 'get', ...byId]],
    [['documents', 'get', ...ofDocument]],
    [['candidates', 'update', ...byId, ...set]],
    [['candidates', 'update', ...byId, '--ireland', ...set]],
    [['candidates', 'update', ...byId, ...set, '--dry-run']],
    [['payment-rates', 'update', ...byId, '--set', 'description=Nights']],
    [['timesheets', 'update', ...byId, '--set', 'rates[0].units=37.5']],
    [['documents', 'update', ...ofDocument, '--set', 'description=Passport']],
    [['candidates', 'create', '--incomplete', '--from', 'id:abc']],
    [['payment-rates', 'create', '--from', 'id:abc', '--set', 'code=NIGHT']],
  ])('ends with 10, names both and sends nothing: %j', async (argv) => {
    const { run, sent } = await holding(person)
    const ended = await run(argv)
    expect([ended.code, ended.out, sent()]).toEqual([10, '', ['GET']])
    expect(ended.error().message).toContain('abc was requested, and OTHER was returned.')
    expect(ended.error().message.match(/Nothing was/g)?.length ?? 0).toBeLessThan(2)
  })

  test.each(['_id', 'Id', 'ID', 'uuid', 'guid', 'candidateId', 'candidate_id', 'employeeId', 'recordId'])(
    'is known by its id under the name %s: an update ends with 10 and sends nothing',
    async (name) => {
      const { id: other, ...unnamed } = person
      for (const flag of ['--uk', '--ireland']) {
        const { run, sent } = await holding({ ...unnamed, [name]: other })
        const ended = await run(['candidates', 'update', ...byId, flag, ...set])
        expect([ended.code, sent()]).toEqual([10, ['GET']])
        expect(ended.error().message).toContain('abc was requested, and OTHER was returned.')
      }
    },
  )

  test.each([
    [['payment-rates', 'get', ...byId], 'rateId'],
    [['timesheets', 'get', ...byId], 'timesheetId'],
    [['documents', 'get', ...ofDocument], 'documentId'],
  ])('is known by the name of an id that its kind has: %j and %s', async (argv, name) => {
    const { run } = await holding({ [name]: 'OTHER', code: 'N', name: 'a.pdf', subcontractorRef: 'A1' })
    expect((await run(argv)).code).toBe(10)
  })

  describe('and that has no id at all', () => {
    const bob = { agencyRef: 'B-9', forename: 'Bob', surname: 'Example', NINumber: null, DOB: null }
    const ann = { ...bob, agencyRef: 'A-1', forename: 'Ann' }
    const [isAnn, isBob] = [
      { id: 'abc', ...ann },
      { id: 'b2', ...bob },
    ]
    const twice = [
      { _id: 'abc', id: '1', ...ann },
      { uuid: 'abc', id: '2', ...ann },
    ]

    async function updated(record: object, items: readonly object[]) {
      let stored = record
      const { env, received } = await service(({ method, url }, response) => {
        if (url.includes('?')) return answerJson(response, 200, { data: items, totalDocs: items.length })
        stored = method === 'PUT' ? { ...stored, surname: 'Smith' } : stored
        answerJson(response, 200, { data: stored })
      })
      const run = await payroll(['--json', 'candidates', 'update', ...byId, ...set], { env })
      return { run, puts: received.filter(({ method }) => method === 'PUT') }
    }

    test.each<[string, object, readonly object[]]>([
      ['is somebody else by the list', bob, [isAnn]],
      ['has another forename than in the list', { ...ann, forename: 'Bob' }, [isAnn]],
      ['has no reference, and another name', { ...bob, agencyRef: null }, [isAnn]],
      ['is in no list', ann, [isBob]],
      ['shows nothing that the list has', { city: 'Cork' }, [isAnn]],
      ['is in the list twice', ann, twice],
    ])('is not updated where it %s: exit 10', async (_, record, items) => {
      const { run, puts } = await updated(wholePerson(record), items)
      expect([run.code, run.error().outcome, puts]).toEqual([10, 'not-sent', []])
      expect(run.error().message).toMatch(/^The answer for abc has no id, and .* Nothing was sent\.$/)
    })

    test.each<[string, object]>([
      ['reference', ann],
      ['names', { ...ann, agencyRef: null }],
    ])('is updated where the list has its %s under the id', async (_, person) => {
      const { run, puts } = await updated(wholePerson(person), [isBob, isAnn])
      expect([run.code, puts.length]).toEqual([0, 1])
    })
  })

  test('is not written to the file of --out', async () => {
    const { env } = await answering(200, { data: { id: 'd2', name: 'a.pdf', content: 'ZmFrZQ==' } })
    const home = freshHome()
    const argv = ['documents', 'get', 'd1', '--id', '--employee', 'id:e1', '--out', `${home}/a.pdf`]
    expect((await payroll(argv, { home, env })).code).toBe(10)
    expect(readdirSync(home)).toEqual([])
  })

  test('is known by the person that a document belongs to as well', async () => {
    const { run } = await holding({ id: 'd1', employeeId: 'e2', content: 'ZmFrZQ==' })
    expect((await run(['documents', 'get', 'd1', '--id', '--employee', 'id:e1'])).code).toBe(10)
    expect((await run(['documents', 'get', 'd1', '--id', '--employee', 'id:e2'])).code).toBe(0)
  })

  test('of a PUT leaves open what was changed', async () => {
    const { env } = await service(({ method }, response) =>
      answerJson(response, 200, { data: { ...person, id: method === 'PUT' ? 'OTHER' : 'abc' } }),
    )
    const ended = await payroll(['--json', 'candidates', 'update', ...byId, ...set], { env })
    expect([ended.code, ended.error().outcome]).toEqual([8, 'unknown'])
    expect(ended.error().message).toContain('abc was sent, but the answer is for OTHER')
  })

  const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.agencyRef=A1']
  test.each([
    [create, { id: 'c1', agencyRef: 'B9' }],
    [[...create, '--ireland'], { id: 'c1', agencyRef: 'B9' }],
    [[...create, '--ireland'], { id: 'c1', generalSetting: { agencyRef: 'B9' } }],
    [['payment-rates', 'create', '--set', 'code=A1'], { id: 'r1', code: 'B9' }],
    [['timesheets', 'create', '--set', 'subcontractorRef=A1'], { id: 't1', subcontractorRef: 'B9' }],
    [['documents', 'create', '--employee', 'id:e1', '--set', 'name=A1'], { id: 'd1', name: 'B9' }],
  ])('leaves open whether a create was applied: %j', async (argv, record) => {
    const { run, sent } = await holding(record, 201)
    const ended = await run(argv)
    expect([ended.code, ended.error().outcome]).toEqual([8, 'unknown'])
    expect(ended.error().message).toContain('A1 was sent, but the answer is for B9')
    expect(ended.error().hint).toMatch(/payroll .* (list|get)/)
    expect(sent().filter((method) => method === 'POST')).toHaveLength(1)
  })

  test('is none where the id of the input was left out of a create, which says so', async () => {
    const { run, received } = await holding({ id: 't2' }, 201)
    const sent = await run(['timesheets', 'create'], '{"id":"t1","subcontractorRef":"A1"}')
    expect([sent.code, sent.json().id, sent.err]).toEqual([0, 't2', expect.stringContaining('id')])
    expect(received.find(({ method }) => method === 'POST')?.body).not.toContain('t1')
    expect((await run(['timesheets', 'create'], '{"subcontractorRef":"A1"}')).code).toBe(0)
    const raw = await run(['api', 'POST', '/svc/time-sheets', '--file', '-'], '{"id":"t1"}')
    expect(raw.code).toBe(0)
  })
})

describe('an answer is of the record that was asked for', () => {
  test.each<[string, object, number]>([
    ['7', { id: 7 }, 0],
    ['7', { id: 8 }, 10],
    ['07', { id: 7 }, 10],
    ['007', { id: '007' }, 0],
    ['abc', { id: 'ABC' }, 10],
    ['abc', { surname: 'Example' }, 0],
    ['abc', { id: null, surname: 'Example' }, 0],
    ['abc', { id: '', surname: 'Example' }, 0],
    ['abc', { id: 'abc', employeeId: 'E-7' }, 0],
    ['abc', { id: 7, uuid: 'abc' }, 0],
    ['abc', { id: 'abc', loginId: 'x', primaryAgencyId: 'y', documentId: 'z' }, 0],
  ])('or is not: %s, where it is %j, ends with %i', async (id, record, code) => {
    const { run } = await holding(record)
    expect((await run(['candidates', 'get', id])).code).toBe(code)
  })

  test.each<[string, object, string[], string]>([
    [
      'the service trims a reference, composes its letters or changes its case',
      { id: 'c1', agencyRef: '\u00c9-17' },
      ['candidates', 'create', '--incomplete', '--ireland', '--set', 'generalSetting.agencyRef= e\u0301-17 '],
      '',
    ],
    [
      'an id was sent and none came back',
      { subcontractorRef: 'A1' },
      ['timesheets', 'create'],
      '{"id":"t1","subcontractorRef":"A1"}',
    ],
    ['a raw call reads it, whatever it is', person, ['api', 'GET', '/svc/candidates/abc'], ''],
  ])('where %s', async (_, record, argv, input) => {
    const { run } = await holding(record, 201)
    expect((await run(argv, input)).code).toBe(0)
  })
})
