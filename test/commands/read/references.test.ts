import { describe, expect, test } from 'vitest'
import { asTyped, endedWith, freshHome, payroll } from '../../payroll.ts'
import { listedPeople } from '../../people-service.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { loopback } from '../targets.ts'

const [uk, ireland] = ['/svc/candidates', '/svc/candidates/ireland']

/** A service with these people, each called Ann Sample. `run` takes a command as it is typed, without blanks in words. */
async function staffed(...people: readonly (readonly [path: string, agencyRef: string])[]) {
  const at = await loopback()
  for (const [path, agencyRef] of people)
    await at.call('POST', path, { generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' } })
  const run = (words: string) => at.run(words.split(' '))
  const idOf = async (reference: string): Promise<string> =>
    (await at.run(['candidates', 'find', reference])).json()[0].id
  return { ...at, run, runWords: at.run, idOf }
}

describe('a record is known by', () => {
  test('its reference, in whatever capitals, and is named on standard error', async () => {
    const { run, idOf } = await staffed([uk, 'UK-1'], [uk, 'UK-2'])
    const got = await run('candidates get uk-1')
    expect([got.code, got.json().agencyRef]).toEqual([0, 'UK-1'])
    expect(got.err).toContain(`uk-1 is Ann Sample, a UK candidate (${await idOf('UK-1')}).`)
  })

  test('the beginning of its id, from six characters on', async () => {
    const { run, idOf } = await staffed([uk, 'UK-1'], [uk, 'UK-2'])
    const id = await idOf('UK-1')
    const { json, err } = await run(`candidates get ${id.slice(0, 6)}`)
    expect(json().id).toBe(id)
    expect(err).toContain(`${id.slice(0, 6)} is UK-1, Ann Sample, a UK candidate (${id}).`)
    expect((await run(`candidates get ${id.slice(0, 5)}`)).code).toBe(5)
  })

  test('its reference in the list of the other country, to read it', async () => {
    const { run } = await staffed([uk, 'UK-1'], [ireland, 'IE-1'])
    const got = await run('candidates get IE-1')
    expect([got.code, got.json().agencyRef]).toEqual([0, 'IE-1'])
    expect(got.err).toContain('an Irish candidate')
    expect((await run('candidates get IE-1 --uk')).code).toBe(5)
  })

  test.each(['_', '-', '--', '_-'])('its reference %j, without a letter or a digit', async (reference) => {
    const { run, requests } = await staffed([uk, reference])
    const got = await run(`candidates get --uk -- ${reference}`)
    expect([got.code, got.json().agencyRef]).toEqual([0, reference])
    expect(requests[0]?.url).toMatch(/\?page=1/)
  })

  test('the code of a rate', async () => {
    const { run, call } = await staffed()
    await call('POST', '/svc/payment-rate', { code: 'NIGHT', description: 'Night shift' })
    const got = await run('payment-rates get night')
    expect([got.code, got.json().code]).toEqual([0, 'NIGHT'])
  })
})

test('people of one name are all offered where each country counts its ids from one', async () => {
  const person = (agencyRef: string) => ({ id: 1, agencyRef, forename: 'Ann', surname: 'Sample' })
  const { env } = await service(({ url }, response) => {
    const isIrish = url.includes('/ireland')
    answerJson(response, 200, { data: [person(isIrish ? 'IE-1' : 'UK-1')], totalDocs: 1 })
  })
  const argv = ['candidates', 'get', 'Ann Sample']
  expect(await payroll(argv, { home: freshHome(), env })).toMatchObject(endedWith(6, /UK-1.*\n.*IE-1/))
})

describe('where the list of the UK has the people of Ireland too', () => {
  const person = (id: string, agencyRef: string) => ({ id, agencyRef, forename: 'Ann', surname: 'Sample' })
  const [ann, bea, cat] = [person('1', 'UK-1'), person('2', 'IE-2'), person('3', 'UK-3')]

  /** What the lists of the two countries have can be changed. */
  async function both(lists: { uk: object[]; ireland: object[] }) {
    const { env } = await service(({ url }, response) => {
      const data = listedPeople(url, (country) => lists[country])
      if (data) return answerJson(response, 200, { data, totalDocs: data.length })
      answerJson(response, 404, { message: 'There is none.' })
    })
    const home = freshHome()
    return (words: string) => payroll(words.split(' '), { home, env })
  }

  test('somebody in both is one person, paid in Ireland', async () => {
    const run = await both({ uk: [ann, bea, cat], ireland: [bea] })
    const found = await run('candidates find IE-2')
    expect(found.json()).toMatchObject([{ agencyRef: 'IE-2', variant: 'ireland' }])
    const updated = await run('candidates update IE-2 --set city=Cork --yes')
    expect(updated).toMatchObject(endedWith(2, /IE-2 is Ann Sample, an Irish candidate.*\n.*add --ireland/))
    const checked = await run('check --only same-reference --json')
    expect([checked.code, checked.json()]).toEqual([0, []])
  })

  test('changes says of nobody that they are gone whom its mark had in both countries', async () => {
    const lists = { uk: [bea], ireland: [bea] }
    const run = await both(lists)
    await run('changes --mark friday')
    lists.uk = [bea, cat]
    const rows = (await run('changes --mark friday --json')).json()
    expect(rows).toMatchObject([{ change: 'new', reference: 'UK-3', country: 'uk' }])
  })

  test.each([
    ['of both countries, and the list of one now', 'changes --mark friday', 'changes --uk --since friday'],
    ['of one country, and both lists now', 'changes --uk --mark friday', 'changes --since friday'],
  ])('changes says of nobody in both that they are new or gone: a mark %s', async (_, first, then) => {
    const run = await both({ uk: [ann, bea, cat], ireland: [bea] })
    await run(first)
    expect(await run(then)).toMatchObject({ code: 0, out: '[]\n' })
  })

  test('changes says who is gone where the lists show numbers alone, each from one on', async () => {
    const lists = { uk: [{ id: '1' }, { id: '2' }], ireland: [{ id: '1' }] }
    const run = await both(lists)
    await run('changes --mark friday')
    lists.uk = [{ id: '2' }]
    const rows = (await run('changes --mark friday --json')).json()
    expect(rows).toMatchObject([{ change: 'gone', country: 'uk' }])
  })

  test('people with one id in two countries are two', async () => {
    const run = await both({ uk: [ann, cat], ireland: [person('1', 'IE-1')] })
    const found = (await run('candidates find Ann')).json()
    expect(found.map(({ agencyRef }: { agencyRef: string }) => agencyRef)).toEqual(['UK-1', 'UK-3', 'IE-1'])
  })

  test('people are not one where two lists show numbers alone, each from one on', async () => {
    const { env } = await service(({ url = '' }, response) => {
      const numbers = url.includes('ireland') ? [1] : [1, 2]
      const data = numbers.map((id) => ({ id }))
      const [, id] = /(\d)$/.exec(url.replace(/\?.*/, '')) ?? []
      answerJson(response, 200, id ? { data: { id: Number(id) } } : { data, totalDocs: data.length })
    })
    const home = freshHome()
    const run = (words: string) => payroll(words.split(' '), { home, env })
    expect((await run('candidates get 1')).err).not.toContain('Irish')
    expect((await run('changes --mark friday')).err).toContain('of 3 people')
  })
})

/** References that no path can have in it, and that a shell or a parser could take for something else. */
const awkward = ['AC/001', '-17', 'id:7', '--uk', '50%']
const others = ['EMP 12', 'A#1', 'É-1', "O'Brien", '$(touch x)', 'a.b', 'A"B', 'a\\b', 'R'.repeat(200)]

describe('a person whose reference is', () => {
  test.each(awkward)('%j is created by it, and known by it to every command', async (reference) => {
    const { runWords: run, writes } = await staffed()
    const named = ['forename=Ann', 'surname=Sample', 'hours=39'].flatMap((field) => ['--set', field])
    const made = await run(asTyped`candidates create --incomplete --set agencyRef=${reference} ${named}`)
    expect(made.code).toBe(0)
    // Nothing else says what is meant by a text that begins with id:.
    const text = reference.startsWith('id:') ? `reference:${reference}` : reference
    for (const [command, word] of [
      ['get', text],
      ['get --reference', reference],
      ['find', reference],
      ['update --set city=Leeds', text],
    ] as const) {
      const { code, json } = await run(['candidates', ...command.split(' '), '--json', '--', word])
      expect([command, code, [json()].flat()[0].agencyRef]).toEqual([command, 0, reference])
    }
    const document = ['--set', 'name=a.pdf', '--set', 'content=YQ==']
    expect((await run(asTyped`documents create --employee ${text} ${document}`)).code).toBe(0)
    const documents = (await run(asTyped`documents list --employee=${text}`)).json()
    expect(documents).toMatchObject([{ name: 'a.pdf' }])
    const copy = await run(asTyped`candidates create --incomplete --from=${text} --dry-run --json`)
    expect(copy.json().body.generalSetting).toMatchObject({ hours: 39 })
    expect((await run(asTyped`timesheets create --set subcontractorRef=${reference}`)).code).toBe(0)
    const sheet = (await run(asTyped`timesheets get --json -- ${text}`)).json()
    expect(sheet.subcontractorRef).toBe(reference)
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST', 'POST'])
  })

  test('one of many others is created and updated by it', async () => {
    const { runWords: run } = await staffed()
    for (const reference of others) {
      const made = await run(
        asTyped`candidates create --incomplete --set agencyRef=${reference} --set surname=Sample`,
      )
      const changed = await run(asTyped`candidates update --set city=Leeds --json -- ${reference}`)
      expect([made.code, changed.code, changed.json().agencyRef]).toEqual([0, 0, reference])
    }
  })

  test.each([
    ['A\nB', 'it holds a control character, such as a line break or a tab'],
    ['A\u2028B', 'a line break in it: a reference is one line'],
  ])(
    '%j, with a line break, is not created and not changed to: exit 3, and nothing is sent',
    async (reference, message) => {
      const { runWords, writes } = await staffed([uk, 'UK-1'])
      const issues = [{ path: 'generalSetting.agencyRef', message }]
      for (const verb of [
        ['create', '--incomplete'],
        ['update', 'UK-1'],
      ]) {
        const argv = asTyped`candidates ${verb} --set agencyRef=${reference} --json`
        const { code, error } = await runWords(argv)
        expect([code, error().issues, writes()]).toEqual([3, issues, []])
      }
    },
  )
})

test('a reference that a loop over a file of Windows gives is sent without its line end', async () => {
  const { runWords, writes } = await staffed()
  const argv = asTyped`candidates create --incomplete --set agencyRef=${'A-17\r\n'} --json`
  expect((await runWords(argv)).code).toBe(0)
  expect(JSON.parse(String(writes().at(-1)?.body)).generalSetting.agencyRef).toBe('A-17')
})

describe('of 250 people on a service that says of each request what it was,', () => {
  const people = Array.from({ length: 250 }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    ...{ agencyRef: `REF-${at}`, forename: 'Ann', surname: 'Sample' },
    ...{ pensionSetting: {}, bank: {}, setting: {} },
  }))
  const id = people[150]?.id ?? ''
  const pages = ['GET ?page=1', 'GET ?page=2', 'GET ?page=3', 'GET ?page=1']
  const change = [`GET /${id}`, `GET /${id}`, `PUT /${id}`]

  test.each([
    ['get --uk', 'REF-150', [...pages, `GET /${id}`]],
    ['get --uk', id, [`GET /${id}`]],
    ['update --uk --set city=Leeds', 'REF-150', [...pages, ...change]],
    ['update --uk --set city=Leeds', id, change],
  ])(
    'candidates %s %s reads no page of the list twice, but for the check of the first',
    async (words, name, asked) => {
      let { record } = wholeFor(['candidates'], people[150])
      const { env, received } = await service(({ method, url, body }, response) => {
        if (method === 'PUT') record = { ...record, ...JSON.parse(body).generalSetting }
        const page = Number(/page=(\d+)/.exec(url)?.[1])
        if (!page) return answerJson(response, 200, { data: record })
        answerJson(response, 200, { data: people.slice(100 * page - 100, 100 * page), totalDocs: 250 })
      })
      const run = await payroll(`candidates ${words} ${name} --json`.split(' '), { env })
      expect([run.code, run.json().agencyRef]).toEqual([0, 'REF-150'])
      const short = received.map(({ method, url }) => `${method} ${url.slice(uk.length).replace(/&.*/, '')}`)
      // The pages behind the first are asked for together.
      expect(short.toSorted()).toEqual(asked.toSorted())
    },
  )
})

describe('a record that cannot be told', () => {
  test('from another of its reference is exit 6 with both', async () => {
    const { run, writes } = await staffed([uk, 'SAME'], [ireland, 'SAME'])
    for (const words of ['candidates get SAME --json', 'candidates update SAME --set city=Leeds --json']) {
      const { code, error } = await run(words)
      expect([code, error()]).toMatchObject([6, { code: 'refused', outcome: 'not-sent' }])
      expect(error().issues).toEqual([
        { path: expect.any(String), message: 'SAME, Ann Sample, a UK candidate' },
        { path: expect.any(String), message: 'SAME, Ann Sample, an Irish candidate' },
      ])
    }
    expect(writes()).toEqual([])
  })

  test.each([
    ['candidates get UK-12', uk],
    ['timesheets update t2 --set taxYear=2026/27', '/svc/time-sheets'],
    ['documents delete d2 --employee id:c1 --yes', '/svc/employees/c1/documents'],
  ])('because %s is mistyped is exit 5, and names the id', async (words, path) => {
    const { env } = await service(({ method, url }, response) => {
      const isList = method === 'GET' && url.startsWith(`${path}?`)
      answerJson(response, isList ? 200 : 404, isList ? { data: [{ id: 'c1' }], totalDocs: 1 } : {})
    })
    const { code, error } = await payroll(`${words} --json`.split(' '), { env })
    expect([code, error().status]).toEqual([5, 404])
    expect(error().message).toContain(`with the id ${words.split(' ')[2]} (404)`)
  })

  test.each([
    ['update UK-2 --set city=Leeds', 'the id or the reference "UK-2" (404)'],
    ['get UK-2', 'the id, the reference or the name "UK-2" (404)'],
    ['update UK-2 --id --set city=Leeds', 'the id UK-2 (404)'],
  ])('by candidates %s is exit 5, and says what it was looked for by', async (words, says) => {
    const { run } = await staffed([uk, 'UK-1'])
    const { code, error } = await run(`candidates ${words} --json`)
    expect([code, error().message]).toEqual([5, expect.stringContaining(says)])
  })

  test('below which something is created is exit 5, and nothing is sent; a UUID and id: read no list', async () => {
    const { run, requests, writes } = await staffed([uk, 'UK-1'])
    const add = (employee: string) => run(`documents create --employee ${employee} --set name=a.pdf --json`)
    const { code, error } = await add('UK-2')
    expect([code, writes()]).toEqual([5, []])
    expect(error()).toMatchObject({ code: 'not-found', outcome: 'not-sent' })
    expect(error().hint).toContain('--employee id:UK-2')
    requests.length = 0
    for (const id of ['4f1c2a3b-0000-4000-8000-000000000001', 'id:nobody']) await add(id)
    expect(requests.slice(0, 2).map(({ method }) => method)).not.toEqual(['GET', 'GET'])
    expect(writes().length).toBeGreaterThan(0)
  })

  test('where the list has no answer is exit 7 of a read, and the id is not tried as well', async () => {
    const { env, received } = await service((_, response) => response.destroy())
    const { code, error } = await payroll(['payment-rates', 'get', 'r1', '--json'], { env })
    expect([code, error().outcome]).toEqual([7, null])
    expect(received.filter(({ url }) => !url.includes('page='))).toEqual([])
  })

  test.each([
    ['', 2],
    [' ', 2],
    ['.', 3],
    ['..', 3],
  ])('because %j is no name is exit %i, and nothing is sent', async (name, code) => {
    const { env, received } = await service((_, response) => answerJson(response, 200, {}))
    const all = [`candidates get`, `candidates update`, 'payslips get', 'documents list', 'timesheets list']
    for (const words of code === 2 ? all : all.slice(0, 2)) {
      const { err, ...run } = await payroll([...words.split(' '), name], { env })
      expect([words, run.code, err]).toEqual([words, code, expect.stringMatching(/empty|Not a valid id/)])
    }
    expect(received).toEqual([])
  })

  test.each(['candidates get UK-1', 'candidates update UK-1 --set city=Leeds'])(
    'because a list breaks off is exit 10 of %s, and nothing is changed',
    async (words) => {
      const { env, received } = await service(({ url }, response) => {
        if (!url.includes('page=')) return answerJson(response, 404, { message: 'none' })
        const data = url.includes('page=1&') ? [{ id: 'c-1', agencyRef: 'UK-1' }] : []
        answerJson(response, 200, { data, totalDocs: 2 })
      })
      const { code, out } = await payroll(words.split(' '), { env })
      expect([code, out]).toEqual([10, ''])
      expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )
})

test.each(['update IE-1 --set city=Cork', 'create --incomplete --from IE-1 --set city=Cork'])(
  'candidates %s, of a record of the other country, is exit 2, with what to type',
  async (words) => {
    const { run, writes } = await staffed([ireland, 'IE-1'])
    const { code, out, err } = await run(`candidates ${words}`)
    expect([code, out, writes()]).toEqual([2, '', []])
    expect(err).toContain('IE-1 is Ann Sample, an Irish candidate')
    expect(err).toContain('add --ireland')
    if (words.startsWith('update')) expect((await run(`candidates ${words} --ireland`)).code).toBe(0)
  },
)

test('the country that was asked for is doubted where only the other country may have the reference', async () => {
  const { run } = await staffed([uk, 'AGENCY-UK-02'], [ireland, 'AGENCY-IE-02'])
  const update = await run('candidates update AGENCY-UK-02 --ireland --set city=Cork --yes')
  expect(update.code).toBe(5)
  expect(update.err).toMatch(/Is the person in another country\? Add --uk\b/s)
})

test('documents delete takes the name of a document, once', async () => {
  const { run, call, idOf, writes } = await staffed([uk, 'UK-1'])
  const employee = await idOf('UK-1')
  for (const name of ['passport.pdf', 'visa.pdf'])
    await call('POST', `/svc/employees/${employee}/documents`, { name, content: 'YQ==' })
  expect(await run(`documents delete passport.pdf --employee ${employee} --yes`)).toMatchObject(
    endedWith(0, 'passport.pdf is a document'),
  )
  expect(writes()).toHaveLength(1)
  expect((await run(`documents list --employee ${employee}`)).json()).toMatchObject([{ name: 'visa.pdf' }])
  expect((await run(`documents delete nothing --employee ${employee} --yes`)).code).toBe(5)
})

describe('a reference that was found before', () => {
  /** A service with two people, and the paths that were asked for since the last look. */
  async function found() {
    const at = await staffed([uk, 'UK-1'], [uk, 'UK-2'])
    expect((await at.run('candidates get UK-1')).code).toBe(0)
    let seen = at.requests.length
    const asked = () => {
      const since = at.requests.slice(seen).map(({ method, url }) => `${method} ${url.split('?')[0]}`)
      seen = at.requests.length
      return since
    }
    return { ...at, asked, id: await at.idOf('UK-1') }
  }

  test('is read where it was: one request, and no list', async () => {
    const { run, asked, id } = await found()
    asked()
    const got = await run('candidates get UK-1')
    expect([got.code, got.json().id]).toEqual([0, id])
    expect(got.err).toContain(`UK-1 is Ann Sample, a UK candidate (${id}).`)
    expect(asked()).toEqual([`GET ${uk}/${id}`])
  })

  test('is looked for again where its record has another reference now, and where there is no such record', async () => {
    const { run, asked, id, idOf } = await found()
    const other = await idOf('UK-2')
    expect((await run(`candidates update ${id} --set agencyRef=UK-9 --yes`)).code).toBe(0)
    expect((await run(`candidates update ${other} --set agencyRef=UK-1 --yes`)).code).toBe(0)
    asked()
    const got = await run('candidates get UK-1')
    expect([got.code, got.json().id]).toEqual([0, other])
    expect(asked()).toContain(`GET ${uk}`)
    asked()
    expect((await run('candidates get UK-1')).json().id).toBe(other)
    expect(asked()).toEqual([`GET ${uk}/${other}`])
  })

  test.each([
    [uk, ''],
    [ireland, '--ireland '],
  ])(
    'is looked for in the lists for an update in %s, because another record may have it too by now',
    async (path, country) => {
      const { run, writes, call } = await staffed([path, 'A-1'])
      const update = `candidates update A-1 ${country}--set city=Cork --yes`
      expect((await run(update)).code).toBe(0)
      const sent = writes().length
      await call('POST', path, { generalSetting: { agencyRef: 'A-1', forename: 'Bea', surname: 'Sample' } })
      expect(await run(update)).toMatchObject(endedWith(6, 'A-1 can mean 2 records.'))
      expect(writes().length).toBe(sent)
    },
  )

  test('and whose record is gone is looked for in the lists again', async () => {
    const people = [{ id: 'c-1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }]
    const home = freshHome()
    const { env, received } = await service(({ url }, response) => {
      if (url.includes('page=')) {
        const data = url.startsWith(ireland) ? [] : people
        return answerJson(response, 200, { data, totalDocs: data.length })
      }
      const record = people.find(({ id }) => url === `${uk}/${id}`)
      answerJson(response, record ? 200 : 404, record ? { data: record } : {})
    })
    const get = async () => (await payroll(['candidates', 'get', 'UK-1', '--json'], { env, home })).json()
    expect((await get()).id).toBe('c-1')
    people.splice(0, 1, { id: 'c-2', agencyRef: 'UK-1', forename: 'Bea', surname: 'Sample' })
    received.length = 0
    expect((await get()).id).toBe('c-2')
    expect(received[0]?.url).toBe(`${uk}/c-1`)
  })

  test('is that of the same person, where a document of each has one name', async () => {
    const passports = ['a', 'b'].map((person) => ({
      id: `p-${person}`,
      name: 'passport.pdf',
      content: 'YQ==',
    }))
    const home = freshHome()
    // The service looks a document up by its id alone.
    const { env } = await service(({ url }, response) => {
      const data = passports.find(({ id }) => url.endsWith(`/documents/${id}`))
      const listed = passports.filter(({ id }) => url.includes(`/${id.slice(-1)}/documents`))
      answerJson(response, 200, data ? { data } : { data: listed, totalDocs: listed.length })
    })
    const get = (person: string) => [
      'documents',
      'get',
      'passport.pdf',
      '--employee',
      `id:${person}`,
      '--json',
    ]
    for (const person of ['a', 'b', 'a'])
      expect((await payroll(get(person), { env, home })).json().id).toBe(`p-${person}`)
    passports.push({ id: 'new-a', name: 'passport.pdf', content: 'Yg==' })
    expect((await payroll(get('a'), { env, home })).code).toBe(6)
  })

  test('of two records is refused each time', async () => {
    const { run } = await staffed([uk, 'SAME'], [uk, 'SAME'])
    for (const words of ['get SAME', 'get SAME', 'update SAME --set city=Leeds --yes'])
      expect([words, (await run(`candidates ${words}`)).code]).toEqual([words, 6])
  })

  test('is forgotten once this computer creates a record with that reference', async () => {
    const { run } = await found()
    await run('candidates create --set agencyRef=UK-1 --set forename=Zoe --set surname=Sample --yes')
    expect((await run('candidates get UK-1')).code).toBe(6)
  })

  test('does not stand in the way of the country that was asked for', async () => {
    const { run } = await found()
    expect((await run('candidates get UK-1 --ireland')).code).toBe(5)
  })
})

test.each(['get NEW-1', 'update NEW-1 --set city=Leeds --yes', 'get --reference NEW-1'])(
  'candidates %s with a key that the service does not know sends it once: exit 4',
  async (words) => {
    const { env, received } = await service((_, response) =>
      answerJson(response, 401, { message: 'Unknown key' }),
    )
    const { code, error } = await payroll(`candidates ${words} --json`.split(' '), { env })
    expect([code, error().status, received.length]).toEqual([4, 401, 1])
    // With --id the key would be refused as well.
    expect(error().hint).not.toContain('--id')
  },
)
