import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { loopback } from '../targets.ts'

const people = [
  {
    id: '1',
    agencyRef: 'R-10',
    surname: 'Ní Shampla',
    rateHour: 9.5,
    badge: 12,
    paidOn: '2026-04-18T23:00:00Z',
    dateOfJoining: '2026-04-19',
    dateLeft: null,
  },
  {
    id: '2',
    agencyRef: 'R-9',
    surname: 'sample',
    rateHour: 27.5,
    dateOfJoining: '2026-04-20',
    hours: '37.50',
    badge: '0012',
    paidOn: '2026-04-20',
    address: [],
  },
  { id: '3', agencyRef: 'R-1', surname: 'Łukowski', rateHour: 100, createdAt: '2026-04-20T23:30:00.000Z' },
  { id: '4', surname: 'O’Example', address: ['Flat 2', '1 Example St'], allowPortalLogin: true, points: 12 },
]

const where = (condition: string, text?: string) => left(['--where', condition], text)

/** The ids of what is left of a list of these items, or the error. */
async function left(
  words: readonly string[],
  text = JSON.stringify({ data: people, totalDocs: 4 }),
  output = 'json',
) {
  const { env, received } = await service((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(text)
  })
  const tried = await payroll(['candidates', 'list', ...words, '-o', output], { env })
  const ids =
    tried.code === 0 && output === 'json' ? tried.json().map(({ id }: { id: string }) => id) : undefined
  return { ids, tried, received }
}

describe('--where', () => {
  test.each([
    ['numbers by their size', 'rateHour>=27.5', ['2', '3']],
    ['numbers as they are, however they are written', 'rateHour=27.50', ['2']],
    ['numeric text as numbers', 'hours<=37.5', ['2']],
    ['a day', 'dateOfJoining>=2026-04-20', ['2']],
    ['a day as a person types it', 'dateOfJoining<20/4/2026', ['1']],
    ['a day that is not declared, as a person types it', 'paidOn<20/4/2026', ['1']],
    ['a time by its day', 'createdAt=2026-04-20', ['3']],
    ['a time by the minute', 'createdAt>2026-04-20T23:29:59Z', ['3']],
    ['a time in another zone', 'createdAt<=2026-04-21T00:30:00+01:00', ['3']],
    ['text without regard to capitals', 'surname=SAMPLE', ['2']],
    ['the accents of a whole text', 'surname=Ni Shampla', []],
    ['a part without accents', 'surname~ni sh', ['1']],
    ['a part with a letter that is no accent', 'surname~luk', ['3']],
    ['a part without its apostrophe', 'surname~oexam', ['4']],
    ['what it is not', 'surname!=sample', ['1', '3', '4']],
    ['items without a value as different', 'rateHour!=100', ['1', '2', '4']],
    ['no value', 'agencyRef=', ['4']],
    ['any value', 'agencyRef!=', ['1', '2', '3']],
    ['one line of several', 'address~example', ['4']],
    ['an empty list as no value', 'address=', ['1', '2', '3']],
    ['digits of a field that is not declared digit for digit', 'badge=12', ['1']],
    ['yes and no', 'allowPortalLogin=yes', ['4']],
    ['a field of the service itself', 'points>9', ['4']],
    ['a field by its path in a request', 'generalSetting.rateHour<10', ['1']],
    ['a field by its label', 'Hourly rate<10', ['1']],
    ['a value after two signs', 'surname==sample', ['2']],
    ['a value with operators in it', 'surname!=a=b<c', ['1', '2', '3', '4']],
  ])('compares %s', async (_, condition, ids) => {
    expect((await where(condition)).ids).toEqual(ids)
  })

  test('must hold with every other', async () => {
    expect((await left(['--where', 'rateHour>9', '--where', 'rateHour<50'])).ids).toEqual(['1', '2'])
  })

  test('takes what a table shows of an id or a text that it cut, and a field of the service that ours are called like', async () => {
    const id = 'a975ff36-1df5-42df-881a-78ac565fcdaf'
    const data = [
      { id, surname: "O'Example-Sample", reference: 'P-1' },
      { id: 'a975ff36', reference: 'P-2' },
    ]
    const text = JSON.stringify({ data, totalDocs: 2 })
    for (const condition of ['id=A975FF36-1df5', 'id=a975ff36-1…', "surname=O'Ex…", 'reference=P-1'])
      expect([condition, (await where(condition, text)).ids]).toEqual([condition, [id]])
    expect((await where('id!=a975ff36', text)).ids).toEqual([])
    expect((await where('id=a975f', text)).ids).toEqual([])
    const { tried } = await left(['--columns', 'reference'], text)
    expect(tried.json()).toEqual([{ reference: 'P-1' }, { reference: 'P-2' }])
  })

  test('compares numbers that no double holds digit for digit', async () => {
    const rows = '{"id":"a","points":9007199254740993},{"id":"b","points":9007199254740992}'
    const text = `{"data":[${rows}],"totalDocs":2}`
    expect((await where('points>9007199254740992', text)).ids).toEqual(['a'])
    expect((await where('points=9007199254740993', text)).ids).toEqual(['a'])
    expect((await where('points<1e400', text)).ids).toEqual([])
  })

  test.each([
    // One word may be a field of the service: only its list tells.
    ['surnam=x', 'Did you mean surname?', true],
    ['nothing like it=x', 'payroll explain candidates.uk'],
    ['zodiac=Leo', 'payroll explain candidates.uk', true],
    ['bank=x', 'bank holds several fields.'],
    ['reference=A-1', 'Did you mean agencyRef or pensionSetting.reference?', true],
    ['dateOfJoining>=2026-02-30', '2026-02-30 is not a date'],
    ['dateOfJoining=next sunday', 'next sunday is not a date'],
    ['rateHour>much', 'much is not a number'],
    ['allowPortalLogin=perhaps', 'perhaps is not yes or no'],
    ['allowPortalLogin>yes', 'only = and != compare it'],
    ['rateHour>', 'has no value to compare with'],
    ['surname', 'is not a condition'],
    ['=x', 'is not a condition'],
  ])('refuses %j: exit 2, and one clear sentence', async (condition, says, isAsked = false) => {
    const { tried, received } = await where(condition)
    expect([tried.code, tried.out, received.length > 0]).toEqual([2, '', isAsked])
    expect(`${tried.error().message} ${tried.error().hint}`).toContain(says)
    expect(tried.error().hint ?? '').not.toMatch(/(,.*){5}/)
  })

  test('says that no item has a value of the field, where nothing is left because of that', async () => {
    const { ids, tried } = await where('department=Night')
    expect([ids, tried.err]).toEqual([
      [],
      expect.stringMatching(/no item of this list has a value of department/),
    ])
  })

  describe('of a value that no item has', () => {
    const data = ['MONTHLY', 'WEEKLY', 'WEEKLY'].map((payFrequency, at) => ({
      id: `${at}`,
      surname: 'Sample',
      payFrequency,
    }))
    const text = JSON.stringify({ data, totalDocs: 3 })

    test.each([
      ['payFrequency=WEKLY', true],
      ['payFrequency=FORTNIGHTLY', false],
      ['surname=Nobody', false],
    ])('a word that is not known is said, for it may be misspelt: %s', async (condition, isTold) => {
      const { ids, tried } = await where(condition, text)
      const says = 'no item of this list has the payFrequency that --where names.'
      expect([tried.code, ids, tried.err]).toEqual([0, [], isTold ? expect.stringContaining(says) : ''])
    })
  })

  test.each([
    ['dateOfJoining>=2026-07-01', 'dateOfJoining in this list can be read as a date'],
    ['rateHour<20', 'rateHour in this list can be read as a number'],
    ['paidOn>1/7/2026', 'paidOn in this list can be read as a date'],
  ])('%s is exit 10 where no value can be compared: nobody would be left', async (condition, says) => {
    const data = [{ id: '1', dateOfJoining: '12/07/2026', rateHour: '12 an hour', paidOn: '12/07/2026' }]
    const { tried } = await where(condition, JSON.stringify({ data, totalDocs: 1 }))
    expect([tried.code, tried.out, tried.error().message]).toEqual([10, '', expect.stringContaining(says)])
    const part = await where('dateOfJoining~07/2026', JSON.stringify({ data, totalDocs: 1 }))
    expect([part.ids, part.tried.err]).toEqual([['1'], ''])
  })

  test('says of how many items it could not compare the value', async () => {
    const data = ['2026-07-12', '12/07/2026', null, '0000-00-00', 'n/a'].map((dateOfJoining, at) => ({
      id: `${at}`,
      dateOfJoining,
    }))
    const words = ['--where', 'dateOfJoining>=2026-07-01', '--sort', 'dateOfJoining']
    const { ids, tried } = await left(words, JSON.stringify({ data, totalDocs: 5 }))
    expect(ids).toEqual(['0'])
    expect(tried.err).toContain('1 value of dateOfJoining cannot be read as a date')
  })

  test.each([
    ['--sum', 'units'],
    ['--where', 'rates.units>40'],
    ['--sort', '-rates.units'],
  ])('a field in lines has the same name for %s as for the others', async (option, field) => {
    const rates = (...units: readonly string[]) => units.map((each) => ({ units: each }))
    const data = [
      { id: '1', rates: rates('8') },
      { id: '2', rates: rates('4', '44.5') },
    ]
    const { env } = await answering(200, { data, totalDocs: 2 })
    const list = (words: readonly string[]) => payroll(['timesheets', 'list', ...words, '--json'], { env })
    if (option === '--sum') {
      const total = async (name: string) => (await list(['--sum', name])).json()[0].sum
      expect([await total('rates.units'), await total('rates[0].units')]).toEqual([
        { units: 56.5 },
        { units: 12 },
      ])
    } else
      expect((await list([option ?? '', field ?? ''])).json()[0].id).toBe(option === '--sort' ? '1' : '2')
  })

  test.each(['--page=1', '--size=5'])('is not combined with one page alone: %s', async (page) => {
    expect((await left(['--where', 'surname~a', page])).tried.code).toBe(2)
  })
})

describe('--sort', () => {
  test.each([
    ['rateHour', ['1', '2', '3', '4']],
    ['-rateHour', ['3', '2', '1', '4']],
    ['agencyRef', ['3', '2', '1', '4']],
    ['surname', ['3', '1', '4', '2']],
    ['-dateOfJoining', ['2', '1', '3', '4']],
  ])('puts items in the order of %s, those without a value at the end', async (field, ids) => {
    expect((await left(['--sort', field])).ids).toEqual(ids)
  })

  test('comes before --limit, and after --where', async () => {
    const words = ['--where', 'rateHour>9', '--sort', '-rateHour', '--limit', '2']
    expect((await left(words)).ids).toEqual(['3', '2'])
  })

  test('refuses a field that is misspelt, and says what was probably meant', async () => {
    const { tried } = await left(['--sort', 'surnme'])
    expect([tried.code, tried.error().hint]).toEqual([2, expect.stringContaining('Did you mean surname')])
  })

  test.each(['joining-date', 'Start date', 'startDate'])(
    'takes a heading that an import takes: %s',
    async (name) => {
      expect((await left(['--sort', name])).tried.code).toBe(0)
    },
  )
})

describe('a list of several pages', () => {
  test('is read no further for a program than --limit needs, and tells a person how many match', async () => {
    const { run, call, requests } = await loopback()
    for (let n = 0; n < 205; n++)
      await call('POST', '/svc/candidates', { generalSetting: { agencyRef: `R-${n}`, hours: n % 2 } })
    const list = async (words: string) => run(`candidates list ${words}`.split(' '))
    const firstOnes = ['R-1', 'R-3', 'R-5']
    expect((await list('--where hours=1 --limit 3 -o ndjson')).out.match(/R-\d+/g)).toEqual(firstOnes)
    expect(requests.length).toBeLessThan(3)
    const listed = await list('--where hours=1 --limit 3 -o table')
    expect(listed.out.match(/R-\d+/g)).toEqual(firstOnes)
    expect(listed.err).toMatch(/^3 of 102 that match \(205 in all\)$/m)
    expect((await list('--where hours=1 -o table')).err).toMatch(/^102 of 205$/m)
    expect((await list('--size 20 -o table')).err).toMatch(/^20 of 205$/m)
    expect((await list('--where hours=1 -o ndjson')).out.trimEnd().split('\n')).toHaveLength(102)
  })

  test.each([
    ['--where note=late', ['p150']],
    ['--where note= --limit 1', ['p0']],
    ['--sort note --limit 1', ['p150']],
  ])('may have a field on a later page alone: %s', async (words, ids) => {
    const { env } = await service(({ url }, response) => {
      const page = Number(new URL(url, 'http://service').searchParams.get('page'))
      const all = Array.from({ length: 151 }, (_, at) => ({
        id: `p${at}`,
        ...(at === 150 && { note: 'late' }),
      }))
      answerJson(response, 200, { data: all.slice((page - 1) * 100, page * 100), totalDocs: 151 })
    })
    const list = async (more: string) =>
      payroll(`payslips list ${more} --columns id -o csv`.split(' '), { env })
    expect((await list(words)).out.trim().split('\n').slice(1)).toEqual(ids)
    expect(await list('--where nowhere= --limit 1')).toMatchObject({ code: 2, out: '' })
    // Of what is not read nothing is said.
    expect((await list('--where agencyName= --limit 1')).err).toBe('')
  })

  test('that breaks off is exit 10, whatever is left of it', async () => {
    const { env } = await answering(200, { data: people, totalDocs: 9 })
    const argv = ['candidates', 'list', '--where', 'surname~sample', '--sort', 'surname', '--json']
    const tried = await payroll(argv, { env })
    expect([tried.code, tried.out]).toEqual([10, ''])
  })
})
