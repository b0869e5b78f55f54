import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { listedPeople } from '../../people-service.ts'
import { answerJson, type Received, service } from '../../service.ts'
import { file } from '../targets.ts'

interface Upload {
  readonly id?: string
  readonly name: unknown
  readonly content?: unknown
  readonly size?: number
  readonly updatedAt?: string
  /** What the service answers in place of the document. */
  readonly status?: number
}

type Uploads = Record<string, readonly Upload[]>

const ann = { id: '1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
const ben = { id: '2', agencyRef: 'UK-2', forename: 'Ben', surname: 'Sample' }
const aoife = { id: '3', agencyRef: 'IE/3', forename: 'Aoife', surname: 'Shampla' }

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A service with two people in the UK and one in Ireland, and these documents by the id of their person. */
async function withDocuments(
  uploads: Uploads = three,
  people: readonly { readonly id: string }[] = [ann, ben],
) {
  const notFound: [number, unknown] = [404, { success: false, message: 'Not found' }]
  const answerTo = ({ url }: Received): [number, unknown] => {
    const [, employee = '', id] = /\/employees\/(\w+)\/documents\/?(\w+)?/.exec(url) ?? []
    const own = uploads[employee]
    if (id !== undefined) {
      const found = own?.find((each) => each.id === id)
      if (found?.status !== undefined) return [found.status, { message: 'Not this one' }]
      return found ? [200, { data: found }] : notFound
    }
    if (employee !== '' && !own) return notFound
    if (own?.some(({ id }) => id === undefined)) {
      const [{ status } = {}] = own
      if (status !== undefined) return [status, { message: 'No such list today' }]
    }
    const person = [...people, aoife].find(({ id }) => url.endsWith(`/${id}`))
    if (person) return [200, { data: person }]
    const listed = listedPeople(url, (country) =>
      country === 'uk' ? people : country === 'ireland' ? [aoife] : [],
    )
    const items = listed ?? (own ?? []).map(({ content, ...item }) => item)
    return [200, { data: items, totalDocs: items.length }]
  }
  const { env, received } = await service((request, response) => answerJson(response, ...answerTo(request)))
  const home = freshHome()
  const out = join(home, 'docs')
  const run = (...words: string[]) => payroll(['documents', ...words], { home, env })
  return { home, out, received, run, save: (...who: string[]) => run('export', ...who, '--out', out) }
}

const scan = { id: 'a', name: 'scan.pdf', content: base64('fake scan') }
const letter = { id: 'b', name: 'letter.txt', content: base64('fake letter') }
const three: Uploads = { 1: [scan], 2: [], 3: [letter] }

/** A list that the service answers with this status. */
const closedList = (status: number): readonly Upload[] => [{ name: 'not listed', status }]
const ofAnn = { reference: 'UK-1', name: 'Ann Sample', country: 'uk', id: '1' }
const ofAoife = { reference: 'IE/3', name: 'Aoife Shampla', country: 'ireland', id: '3' }

describe('payroll documents list without a person', () => {
  test('lists the documents of everybody, each with its person', async () => {
    const { code, json } = await (await withDocuments()).run('list')
    expect(code).toBe(0)
    expect(json()).toEqual([
      { person: ofAnn, id: 'a', name: 'scan.pdf' },
      { person: ofAoife, id: 'b', name: 'letter.txt' },
    ])
  })

  test.each([
    ['--ireland', ['IE/3']],
    ['--uk', ['UK-1']],
  ])('with %s lists those of that country', async (flag, references) => {
    const { run, received } = await withDocuments()
    const { json } = await run('list', flag)
    const listed = json() as { person: { reference: string } }[]
    expect(listed.map(({ person }) => person.reference)).toEqual(references)
    expect(received.filter(({ url }) => /candidates(\/ireland)?\?/.test(url))).toHaveLength(1)
  })

  test('warns of the people for whom the service has no list, and is exit 5 where that is everybody', async () => {
    const listed = await (await withDocuments({ 1: [scan], 3: [] })).run('list')
    expect(listed).toMatchObject(endedWith(0, 'no list of documents for 1 person: Ben Sample (UK-2).'))
    expect(listed.json()).toMatchObject([{ id: 'a' }])
    expect(await (await withDocuments({})).run('list')).toMatchObject({ code: 5, out: '' })
  })

  test('is exit 10 where the people of the own country cannot be seen, and 0 of another: PAYROLL_COUNTRY says which, then the profile', async () => {
    const { env, baseUrl } = await service(({ url }, response) =>
      url.includes('/ireland?') ? answerJson(response, 403, {}) : answerJson(response, 200, noItems),
    )
    const home = freshHome()
    const set = ['profiles', 'set', 'acme', '--base-url', baseUrl, '--country', 'uk']
    await payroll(set, { home })
    for (const [PAYROLL_COUNTRY, code] of [
      ['ireland', 10],
      ['', 0],
    ] as const) {
      const listed = await payroll(['documents', 'list'], {
        home,
        env: { ...env, PAYROLL_BASE_URL: undefined, PAYROLL_COUNTRY },
      })
      expect([listed.code, listed.json()]).toEqual([code, []])
    }
  })

  test('lists nothing where the list of one person fails, names the person, and asks for no more', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ id: `m${at}`, agencyRef: `UK-9${at}` }))
    const uploads = { 1: [scan], 2: closedList(403), 3: [letter] }
    const { run, received } = await withDocuments(uploads, [ann, ben, ...many])
    const says = 'The documents of Ben Sample (UK-2) could not be listed. The service says that this key'
    expect(await run('list')).toMatchObject({ ...endedWith(4, says), out: '' })
    expect(received.filter(({ url }) => url.includes('documents?')).length).toBeLessThan(20)
  })

  test.each(['--page=1', '--size=5', '--consistent'])('is exit 2 with %s, without effect', async (flag) => {
    const { run, received } = await withDocuments()
    expect(await run('list', flag)).toMatchObject(endedWith(2, 'have no effect without a person'))
    expect(received).toEqual([])
  })
})

const noItems = { data: [], totalDocs: 0 }

describe('payroll documents list <person>', () => {
  test('takes a page of them', async () => {
    const { run, received } = await withDocuments()
    expect((await run('list', 'UK-1', '--page', '1', '--size', '5')).json()).toMatchObject([{ id: 'a' }])
    expect(received.at(-1)?.url).toBe('/svc/employees/1/documents?page=1&size=5')
  })

  test('says which country was looked at where nobody there has the name', async () => {
    const { run } = await withDocuments()
    const says = 'No Irish candidate has the id, the reference or the name "Ann".'
    expect(await run('list', 'Ann', '--ireland')).toMatchObject(endedWith(5, says))
  })

  test.each(['uk-1', 'ann', 'SAMPLE, Ann', '1'])('lists the documents of %s as they came', async (words) => {
    const { code, json } = await (await withDocuments()).run('list', ...words.split(' '))
    expect([code, json()]).toEqual([0, [{ id: 'a', name: 'scan.pdf' }]])
  })

  test.each([
    ['sample', 6, '1: UK-1, Ann Sample, a UK candidate\n  2: UK-2, Ben Sample'],
    ['cara', 5, 'No record in the lists has the id, the reference or the name "cara"'],
    ['ann --employee 1', 2, '--employee cannot be combined'],
  ])('lists nothing for %s: exit %i', async (words, code, says) => {
    const { run } = await withDocuments()
    expect(await run('list', ...words.split(' '))).toMatchObject({ ...endedWith(code, says), out: '' })
  })
})

describe('payroll documents export', () => {
  /** The files of a folder, by their paths in it, with what is in them. */
  function filesIn(folder: string): Record<string, string> {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    return Object.fromEntries(
      names
        .filter((name) => statSync(join(folder, name)).isFile() && name !== 'manifest.csv')
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )
  }

  test('into one folder is one run at a time, however its path is typed', async () => {
    const { home, run, save } = await withDocuments()
    const both = await Promise.all([save(), run('export', '--out', `${home}/./docs`)])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 11])
  })

  test('writes a folder for each person, for you alone, and a manifest with size and SHA-256', async () => {
    const { save, out } = await withDocuments()
    const { code, json } = await save()
    const counts = { people: 2, documents: 2, written: 2, there: 0, failed: 0 }
    expect([code, json()]).toEqual([0, { folder: out, manifest: join(out, 'manifest.csv'), ...counts }])
    expect(filesIn(out)).toEqual({
      'IE-3 Aoife Shampla/letter.txt': 'fake letter',
      'UK-1 Ann Sample/scan.pdf': 'fake scan',
    })
    const modes = ['', 'UK-1 Ann Sample', 'UK-1 Ann Sample/scan.pdf', 'manifest.csv'].map(
      (name) => statSync(join(out, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600])
    const manifest = readFileSync(join(out, 'manifest.csv'), 'utf8').replace(/^\uFEFF/, '')
    expect(manifest.split('\r\n')).toEqual(
      expect.arrayContaining([
        'reference,name,file,size,sha256,id,changed,person',
        // printf 'fake scan' | sha256sum
        'UK-1,Ann Sample,UK-1 Ann Sample/scan.pdf,9,a34f07f763b5c2581f12333e087139c4b7dc87e29b673b14cb9208d5c7b8473a,a,,1',
      ]),
    )
  })

  test('leaves what is there, and reads only what is new, if only under the id of another person, or was changed in size or in time', async () => {
    const dated = (content: string, updatedAt: string) => ({
      ...letter,
      content: base64(content),
      size: 11,
      updatedAt,
    })
    const uploads: Record<string, Upload[]> = {
      1: [{ ...scan, size: 9 }],
      2: [],
      3: [dated('fake letter', '2026-11-01')],
    }
    const { save, out, received } = await withDocuments(uploads)
    await save()
    received.length = 0
    expect((await save()).json()).toMatchObject({ written: 0, there: 2 })
    expect(received.filter(({ url }) => /documents\/\w/.test(url))).toEqual([])
    uploads[1] = [{ ...scan, content: base64('new scan'), size: 8 }]
    uploads[2] = [{ ...scan, content: base64('of Ben') }]
    expect((await save()).json()).toMatchObject({ written: 2, there: 1 })
    uploads[3] = [dated('next letter', '2026-11-02')]
    expect((await save()).json()).toMatchObject({ written: 1, there: 2 })
    expect(filesIn(out)).toEqual({
      'IE-3 Aoife Shampla/letter (2).txt': 'next letter',
      'IE-3 Aoife Shampla/letter.txt': 'fake letter',
      'UK-1 Ann Sample/scan (2).pdf': 'new scan',
      'UK-1 Ann Sample/scan.pdf': 'fake scan',
      'UK-2 Ben Sample/scan.pdf': 'of Ben',
    })
    expect((await save()).json()).toMatchObject({ written: 0, there: 3 })
  })

  test('gives two people of one name a folder each, where the service shows no reference', async () => {
    const people = ['1', '2'].map((id) => ({ id, forename: 'Ann', surname: 'Sample' }))
    const uploads = { 1: [scan], 2: [{ ...scan, content: base64('of the other') }], 3: [] }
    const { save, out } = await withDocuments(uploads, people)
    await save()
    const both = { '1 Ann Sample/scan.pdf': 'fake scan', '2 Ann Sample/scan.pdf': 'of the other' }
    expect(filesIn(out)).toEqual(both)
    people.reverse()
    expect((await save()).json()).toMatchObject({ written: 0, there: 2 })
    expect(filesIn(out)).toEqual(both)
  })

  test.each<[string, string, object]>([
    ['anew in its own place where that has no bytes', '', { 'UK-1 Ann Sample/scan.pdf': 'fake scan' }],
    [
      'again beside a file of its size that somebody changed',
      'fake scam',
      { 'UK-1 Ann Sample/scan (2).pdf': 'fake scan', 'UK-1 Ann Sample/scan.pdf': 'fake scam' },
    ],
  ])('writes a document %s', async (_, found, files) => {
    const { save, out } = await withDocuments()
    await save()
    file(out, 'UK-1 Ann Sample/scan.pdf', found)
    expect((await save()).json()).toMatchObject({ written: 1, there: 1, failed: 0 })
    expect(filesIn(out)).toEqual({ 'IE-3 Aoife Shampla/letter.txt': 'fake letter', ...files })
  })

  test.each<[string, Partial<Upload>, string]>([
    ['is empty but for blanks', { content: ' \n' }, 'came back empty'],
    ['was cut inside of a byte', { content: 'ZmFrZSBzY2F' }, 'without usable content'],
    ['is no base64, but the others', { content: 'not base64!' }, 'Ann Sample (UK-1): scan.pdf'],
  ])('does not write a document that %s, and ends with 9', async (_, more, says) => {
    const { save, out } = await withDocuments({ 1: [{ ...scan, ...more }], 2: [], 3: [letter] })
    const run = await save()
    expect(run).toMatchObject(endedWith(9, says))
    expect(run.json()).toMatchObject({ written: 1, failed: 1 })
    expect(Object.keys(filesIn(out))).toEqual(['IE-3 Aoife Shampla/letter.txt'])
  })

  test.each<[string, Partial<Upload>]>([
    ['in a data URL', { content: `data:application/pdf;base64,${base64('fake ~~?')}` }],
    [
      'in the alphabet for URLs',
      { content: base64('fake ~~?').replaceAll('=', '').replaceAll('+', '-'), size: 8 },
    ],
  ])('writes a document that comes %s', async (_, more) => {
    const { save, out } = await withDocuments({ 1: [{ ...scan, ...more }], 2: [], 3: [] })
    expect((await save()).json()).toMatchObject({ written: 1, failed: 0 })
    expect(filesIn(out)).toEqual({ 'UK-1 Ann Sample/scan.pdf': 'fake ~~?' })
  })

  test.each([
    ['cannot be given', 500, 'The service answered 500'],
    ['may not be read by this key', 403, 'does not have the permission (403)'],
  ])('writes the others where a document %s, each night, and ends with 9', async (_, status, says) => {
    const withheld = Array.from({ length: 15 }, (_, at) => ({ id: `x${at}`, name: `${at}.pdf`, status }))
    const { run, out } = await withDocuments({ 1: [...withheld, scan], 2: [], 3: [letter] })
    for (const counts of [
      { written: 2, there: 0, failed: 15 },
      { written: 0, there: 2, failed: 15 },
    ]) {
      const night = await run('export', '--out', out, '--retry-for', '0')
      expect(night).toMatchObject(endedWith(9, '15 documents of 17 not written.'))
      expect(night.err).toContain(says)
      expect(night.json()).toMatchObject(counts)
    }
    expect(Object.keys(filesIn(out))).toEqual(['IE-3 Aoife Shampla/letter.txt', 'UK-1 Ann Sample/scan.pdf'])
  })

  test('writes the documents of the others where the list of one person fails, names the person, and ends with 9', async () => {
    const { run, out } = await withDocuments({ 1: closedList(500), 2: closedList(403), 3: [letter] })
    const night = await run('export', '--out', out, '--retry-for', '0')
    expect(night).toMatchObject(endedWith(9, 'The documents of 2 people not listed.'))
    expect(night.err).toMatch(/Ann Sample \(UK-1\): The service answered 500/)
    expect(night.err).toMatch(/Ben Sample \(UK-2\): The service says/)
    expect(Object.keys(filesIn(out))).toEqual(['IE-3 Aoife Shampla/letter.txt'])
  })

  test('asks for no more where a service fails at one document after the other, and where the key may read none', async () => {
    const failing = (status: number, length = 40) =>
      Array.from({ length }, (_, at) => ({ id: `x${at}`, name: `${at}.pdf`, status }))
    const down = await withDocuments({ 1: failing(503), 2: [], 3: [letter] })
    const night = await down.run('export', '--out', down.out, '--retry-for', '0')
    expect(night).toMatchObject(endedWith(7, 'The service answered 503'))
    expect(down.received.filter(({ url }) => /documents\/x/.test(url)).length).toBeLessThan(20)
    const closed = await withDocuments({ 1: failing(403), 2: closedList(403), 3: [] })
    expect(await closed.save()).toMatchObject(endedWith(4, 'does not have the permission (403)'))
    // However many the key may not read, or the service cannot give: they keep no other out of each run.
    for (const status of [403, 500]) {
      const { run, out } = await withDocuments({ 1: [letter, ...failing(status, 120)], 2: [scan], 3: [] })
      expect((await run('export', '--out', out, '--retry-for', '0')).code).toBe(9)
      expect(Object.keys(filesIn(out))).toHaveLength(2)
    }
    const broken = await withDocuments({ 1: failing(500), 2: [], 3: [] })
    const run = await broken.run('export', '--out', broken.out, '--retry-for', '0')
    expect(run).toMatchObject(endedWith(7, 'The service answered 500'))
  })

  test('writes no copy each night of a service that says another size or time than it did', async () => {
    const uploads: Record<string, Upload[]> = { 1: [{ ...scan, size: 1 }], 2: [], 3: [] }
    const { save, out } = await withDocuments(uploads)
    expect((await save()).json()).toMatchObject({ written: 1, there: 0 })
    for (const updatedAt of ['2026-11-01', '2026-11-02']) {
      expect((await save()).json()).toMatchObject({ written: 0, there: 1 })
      uploads[1] = [{ ...scan, updatedAt }]
    }
    expect(filesIn(out)).toEqual({ 'UK-1 Ann Sample/scan.pdf': 'fake scan' })
  })

  test('writes a document whose size is that of its base64', async () => {
    const { save } = await withDocuments({ 1: [{ ...scan, size: scan.content.length }], 2: [], 3: [] })
    expect((await save()).json()).toMatchObject({ written: 1, failed: 0 })
  })

  test('names a document of which the list shows no id, and writes the others', async () => {
    const { save } = await withDocuments({ 1: [{ name: 'letter.txt' }, scan], 2: [], 3: [] })
    const run = await save()
    expect([run.code, run.json().written]).toEqual([9, 1])
    expect(run.err).toContain('Ann Sample (UK-1): letter.txt: the list shows no id of it')
  })

  test('of a service that shows nobody is exit 10', async () => {
    const { run, home } = await withDocuments({}, [])
    const says = 'The service shows nobody, so nothing was exported.'
    expect(await run('export', '--uk', '--out', join(home, 'docs'))).toMatchObject(endedWith(10, says))
  })

  test('marks in the manifest what a spreadsheet would take for a formula', async () => {
    const { save, out } = await withDocuments(three, [
      { ...ann, surname: '=1+1', forename: '=HYPERLINK("x")' },
      ben,
    ] as never)
    await save()
    expect(readFileSync(join(out, 'manifest.csv'), 'utf8')).toContain(`"'=HYPERLINK(""x"") =1+1"`)
  })

  test('without its manifest, as after a kill, writes no document a second time', async () => {
    const { save, out } = await withDocuments({ 1: [scan, { ...scan, id: 'b' }], 2: [], 3: [] })
    await save()
    const before = filesIn(out)
    writeFileSync(join(out, 'manifest.csv'), '')
    expect((await save()).json()).toMatchObject({ written: 0, there: 2 })
    expect(filesIn(out)).toEqual(before)
    expect(Object.keys(before)).toEqual(['UK-1 Ann Sample/scan (2).pdf', 'UK-1 Ann Sample/scan.pdf'])
  })

  test('writes a file anew that was deleted, and one of your own stays', async () => {
    const { save, out } = await withDocuments()
    mkdirSync(join(out, 'UK-1 Ann Sample'), { recursive: true })
    file(out, 'UK-1 Ann Sample/scan.pdf', 'mine')
    await save('ann')
    expect(filesIn(out)).toEqual({
      'UK-1 Ann Sample/scan (2).pdf': 'fake scan',
      'UK-1 Ann Sample/scan.pdf': 'mine',
    })
  })

  test.each([
    // For Windows and macOS, to which these are one name.
    [
      ['scan.pdf', 'SCAN.PDF'],
      ['SCAN (2).PDF', 'scan.pdf'],
    ],
    [['../../.bashrc'], ['bashrc']],
    [['..'], ['document a']],
    [['con.txt'], ['_con.txt']],
    [['COM¹.pdf'], ['_COM¹.pdf']],
    [['nul .pdf'], ['_nul .pdf']],
    [['P60 2025/26.pdf'], ['P60 2025-26.pdf']],
    [['C:\\fakepath\\a.pdf'], ['a.pdf']],
  ])('puts documents called %j nowhere but into the folder of the person, as %j', async (names, saved) => {
    const own = names.map((name, at) => ({ ...scan, id: 'ab'.charAt(at), name }))
    const { save, out } = await withDocuments({ 1: own, 2: [], 3: [] })
    expect((await save()).code).toBe(0)
    expect(Object.keys(filesIn(out))).toEqual(saved.map((name) => `UK-1 Ann Sample/${name}`))
  })

  test('writes nothing through a link that stands where the folder of a person would be', async () => {
    const { save, home, out } = await withDocuments()
    mkdirSync(out)
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), join(out, 'UK-1 Ann Sample'))
    expect(await save('ann')).toMatchObject(
      endedWith(2, 'is not a folder. It was not changed.\nName another with --out.'),
    )
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
  })

  test.each([
    ['no folder', []],
    ['standard output', ['--out', '-']],
  ])('is exit 2 with %s, and nothing is read', async (_, words) => {
    const { run, received } = await withDocuments()
    expect(await run('export', ...words)).toMatchObject(endedWith(2, 'into a folder'))
    expect(received).toEqual([])
  })

  test('is exit 2 where a file of your own is called manifest.csv, which stays', async () => {
    const { save, out, received } = await withDocuments()
    mkdirSync(out)
    const own = file(out, 'manifest.csv', 'my,own\n1,2\n')
    expect([(await save()).code, received]).toEqual([2, []])
    expect(readFileSync(own, 'utf8')).toBe('my,own\n1,2\n')
    expect(existsSync(join(out, 'UK-1 Ann Sample'))).toBe(false)
  })
})
