import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'

const person = wholeFor(['candidates'], {
  id: 'OTHER',
  agencyRef: 'B9',
  surname: 'Example',
  bank: null,
  setting: {},
}).record

/** A service that answers every request with this record. */
async function answeringWith(record: object, status = 200) {
  const { env, received } = await answering(status, { data: record, success: true })
  return {
    received,
    run: (argv: readonly string[], input = '') => payroll(['--json', ...argv], { env, input }),
  }
}

const set = ['--set', 'generalSetting.surname=Smith', '--yes']

describe('an answer that is of another record than the one asked for', () => {
  test.each([
    [['candidates', 'get', 'abc', '--id']],
    [['candidates', 'get', 'abc', '--id', '--ireland']],
    [['payment-rates', 'get', 'abc', '--id']],
    [['timesheets', 'get', 'abc', '--id']],
    [['documents', 'get', 'abc', '--id', '--employee', 'id:e1']],
    [['candidates', 'update', 'abc', '--id', ...set]],
    [['candidates', 'update', 'abc', '--id', '--ireland', ...set]],
    [['candidates', 'update', 'abc', '--id', ...set, '--dry-run']],
    [['payment-rates', 'update', 'abc', '--id', '--set', 'description=Nights']],
    [['timesheets', 'update', 'abc', '--id', '--set', 'rates[0].units=37.5']],
    [['documents', 'update', 'abc', '--id', '--employee', 'id:e1', '--set', 'description=Passport']],
    [['candidates', 'create', '--incomplete', '--from', 'id:abc']],
    [['payment-rates', 'create', '--from', 'id:abc', '--set', 'code=NIGHT']],
  ])('ends with 10, names both and sends nothing: %j', async (argv) => {
    const { run, received } = await answeringWith(person)
    const ended = await run(argv)
    expect([ended.code, ended.out]).toEqual([10, ''])
    expect(ended.error().message).toContain('abc was requested, and OTHER was returned.')
    expect(ended.error().message.match(/Nothing was/g)?.length ?? 0).toBeLessThan(2)
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  test.each(['_id', 'Id', 'ID', 'uuid', 'guid', 'candidateId', 'candidate_id', 'employeeId', 'recordId'])(
    'is known by its id under the name %s: an update ends with 10 and sends nothing',
    async (name) => {
      const { id: other, ...unnamed } = person
      for (const flag of ['--uk', '--ireland']) {
        const { run, received } = await answeringWith({ ...unnamed, [name]: other })
        const ended = await run(['candidates', 'update', 'abc', '--id', flag, ...set])
        expect(ended.code).toBe(10)
        expect(ended.error().message).toContain('abc was requested, and OTHER was returned.')
        expect(received.map(({ method }) => method)).toEqual(['GET'])
      }
    },
  )

  test.each([
    [['payment-rates', 'get', 'abc', '--id'], 'rateId'],
    [['timesheets', 'get', 'abc', '--id'], 'timesheetId'],
    [['documents', 'get', 'abc', '--id', '--employee', 'id:e1'], 'documentId'],
  ])('is known by the name of an id that its kind has: %j and %s', async (argv, name) => {
    const { run } = await answeringWith({ [name]: 'OTHER', code: 'N', name: 'a.pdf', subcontractorRef: 'A1' })
    expect((await run(argv)).code).toBe(10)
  })

  describe('and that has no id at all', () => {
    const bob = { agencyRef: 'B-9', forename: 'Bob', surname: 'Example', NINumber: null, DOB: null }
    const ann = { ...bob, agencyRef: 'A-1', forename: 'Ann' }
    const whole = (person: object) => wholeFor(['candidates'], { ...person, bank: null, setting: {} }).record

    async function updated(record: object, items: readonly object[]) {
      const { env, received } = await service(({ method, url }, response) => {
        if (url.includes('?')) return answerJson(response, 200, { data: items, totalDocs: items.length })
        answerJson(response, 200, { data: method === 'PUT' ? { ...record, surname: 'Smith' } : record })
      })
      const argv = ['--json', 'candidates', 'update', 'abc', '--id', ...set]
      const run = await payroll(argv, { env })
      return { run, puts: received.filter(({ method }) => method === 'PUT') }
    }

    test.each<[string, object, readonly object[]]>([
      ['is somebody else by the list', whole(bob), [{ id: 'abc', ...ann }]],
      ['has another forename than in the list', whole({ ...ann, forename: 'Bob' }), [{ id: 'abc', ...ann }]],
      ['has no reference, and another name', whole({ ...bob, agencyRef: null }), [{ id: 'abc', ...ann }]],
      ['is in no list', whole(ann), [{ id: 'b2', ...bob }]],
      ['shows nothing that the list has', whole({ city: 'Cork' }), [{ id: 'abc', ...ann }]],
      [
        'is in the list twice',
        whole(ann),
        [
          { _id: 'abc', id: '1', ...ann },
          { uuid: 'abc', id: '2', ...ann },
        ],
      ],
    ])('is not updated where it %s: exit 10', async (_, record, items) => {
      const { run, puts } = await updated(record, items)
      expect([run.code, run.error().outcome, puts]).toEqual([10, 'not-sent', []])
      expect(run.error().message).toMatch(/^The answer for abc has no id, and .* Nothing was sent\.$/)
    })

    test.each<[string, object]>([
      ['reference', ann],
      ['names', { ...ann, agencyRef: null }],
    ])('is updated where the list has its %s under the id', async (_, person) => {
      const { run, puts } = await updated(whole(person), [
        { id: 'b2', ...bob },
        { id: 'abc', ...ann },
      ])
      expect([run.code, puts.length]).toEqual([0, 1])
    })
  })

  test('is not updated where the list leads from a reference to somebody else: exit 10', async () => {
    const { env, received } = await service(({ url }, response) => {
      const ann = { id: 'abc-1', agencyRef: 'A-1', forename: 'Ann', surname: 'Example' }
      if (url.includes('?')) return answerJson(response, 200, { data: [ann], totalDocs: 1 })
      answerJson(response, 200, { data: { ...person, id: 'abc-1', forename: 'Bob' } })
    })
    const argv = ['--json', 'candidates', 'update', 'A-1', ...set]
    const run = await payroll(argv, { env })
    expect([run.code, run.error().outcome]).toEqual([10, 'not-sent'])
    expect(run.error().message).toContain('In the list A-1 is abc-1, but the record')
    expect(received.map(({ method }) => method)).not.toContain('PUT')
  })

  test('is not written to the file of --out', async () => {
    const { env } = await answering(200, { data: { id: 'd2', name: 'a.pdf', content: 'ZmFrZQ==' } })
    const home = freshHome()
    const argv = ['documents', 'get', 'd1', '--id', '--employee', 'id:e1', '--out', `${home}/a.pdf`]
    expect((await payroll(argv, { home, env })).code).toBe(10)
    expect(readdirSync(home)).toEqual([])
  })

  test('is known by the person that a document belongs to as well', async () => {
    const { run } = await answeringWith({ id: 'd1', employeeId: 'e2', content: 'ZmFrZQ==' })
    expect((await run(['documents', 'get', 'd1', '--id', '--employee', 'id:e1'])).code).toBe(10)
    expect((await run(['documents', 'get', 'd1', '--id', '--employee', 'id:e2'])).code).toBe(0)
  })

  test('an answer that is of another record than the one asked for of a PUT leaves open what was changed', async () => {
    const { env } = await service(({ method }, response) =>
      answerJson(response, 200, { data: { ...person, id: method === 'PUT' ? 'OTHER' : 'abc' } }),
    )
    const argv = ['--json', 'candidates', 'update', 'abc', '--id', ...set]
    const ended = await payroll(argv, { env })
    expect([ended.code, ended.error().outcome]).toEqual([8, 'unknown'])
    expect(ended.error().message).toContain('abc was sent, but the answer is for OTHER')
  })

  test.each([
    [
      ['candidates', 'create', '--incomplete', '--ireland', '--set', 'generalSetting.agencyRef=A1'],
      { id: 'c1', agencyRef: 'B9' },
    ],
    [
      ['candidates', 'create', '--incomplete', '--set', 'generalSetting.agencyRef=A1'],
      { id: 'c1', agencyRef: 'B9' },
    ],
    [['payment-rates', 'create', '--set', 'code=A1'], { id: 'r1', code: 'B9' }],
    [
      ['candidates', 'create', '--incomplete', '--ireland', '--set', 'generalSetting.agencyRef=A1'],
      { id: 'c1', generalSetting: { agencyRef: 'B9' } },
    ],
    [['timesheets', 'create', '--set', 'subcontractorRef=A1'], { id: 't1', subcontractorRef: 'B9' }],
    [['documents', 'create', '--employee', 'id:e1', '--set', 'name=A1'], { id: 'd1', name: 'B9' }],
  ])('leaves open whether a create was applied: %j', async (argv, record) => {
    const { run, received } = await answeringWith(record, 201)
    const ended = await run(argv)
    expect([ended.code, ended.error().outcome]).toEqual([8, 'unknown'])
    expect(ended.error().message).toContain('A1 was sent, but the answer is for B9')
    expect(ended.error().hint).toMatch(/payroll .* (list|get)/)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('is none where the id of the input was left out of a create, which says so', async () => {
    const { run, received } = await answeringWith({ id: 't2' }, 201)
    const sent = await run(['timesheets', 'create'], '{"id":"t1","subcontractorRef":"A1"}')
    expect([sent.code, sent.json().id, sent.err]).toEqual([0, 't2', expect.stringContaining('id')])
    expect(received.find(({ method }) => method === 'POST')?.body).not.toContain('t1')
    expect((await run(['timesheets', 'create'], '{"subcontractorRef":"A1"}')).code).toBe(0)
    const raw = await run(['api', 'POST', '/svc/time-sheets', '--file', '-'], '{"id":"t1"}')
    expect(raw.code).toBe(0)
  })
})

describe('an answer is of the record that was asked for', () => {
  test.each([
    ['7', { id: 7 }],
    ['007', { id: '007' }],
    ['abc', { surname: 'Example' }],
    ['abc', { id: null, surname: 'Example' }],
    ['abc', { id: '', surname: 'Example' }],
    ['abc', { id: 'abc', employeeId: 'E-7' }],
    ['abc', { id: 7, uuid: 'abc' }],
    ['abc', { id: 'abc', loginId: 'x', primaryAgencyId: 'y', documentId: 'z' }],
  ])('%s, where it is %j', async (id, record) => {
    const { run } = await answeringWith(record)
    expect((await run(['candidates', 'get', id])).code).toBe(0)
  })

  test.each([
    ['7', { id: 8 }],
    ['07', { id: 7 }],
    ['abc', { id: 'ABC' }],
  ])('%s, but not where it is %j', async (id, record) => {
    const { run } = await answeringWith(record)
    expect((await run(['candidates', 'get', id])).code).toBe(10)
  })

  test('an answer is of the record that was asked for where the service trims a reference, composes its letters or changes its case', async () => {
    const { run } = await answeringWith({ id: 'c1', agencyRef: '\u00c9-17' }, 201)
    const argv = [
      'candidates',
      'create',
      '--incomplete',
      '--ireland',
      '--set',
      'generalSetting.agencyRef= e\u0301-17 ',
    ]
    expect((await run(argv)).code).toBe(0)
  })

  test('an answer is of the record that was asked for where an id was sent and none came back', async () => {
    const { run } = await answeringWith({ subcontractorRef: 'A1' }, 201)
    expect((await run(['timesheets', 'create'], '{"id":"t1","subcontractorRef":"A1"}')).code).toBe(0)
  })

  test('whatever a raw call reads', async () => {
    const { run } = await answeringWith(person)
    expect((await run(['api', 'GET', '/svc/candidates/abc'])).code).toBe(0)
  })
})
