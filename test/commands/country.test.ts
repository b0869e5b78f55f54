import { describe, expect, test } from 'vitest'
import { countryIds } from '../../src/model/countries/countries.ts'
import { wordList } from '../../src/text/words.ts'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { answering, service } from '../service.ts'
import { seededHome } from '../start-sandbox.ts'

const list = ['candidates', 'list']
const typed = (words: string, home = freshHome()) => payroll(words.split(' '), { home })

async function open() {
  const { env, baseUrl, received } = await answering(200, { data: [], totalDocs: 0 })
  const home = freshHome()
  const run = (argv: readonly string[], more: Record<string, string | undefined> = {}) =>
    payroll(argv, { home, env: { ...env, ...more } })
  const paths = () => received.splice(0).map(({ url }) => url.split('?')[0])
  return { home, baseUrl, run, paths }
}

const [uk, irish] = ['/svc/candidates', '/svc/candidates/ireland']

describe('the country of a command that names none', () => {
  test('is that of PAYROLL_COUNTRY, and a flag wins', async () => {
    const { run, paths } = await open()
    const env = { PAYROLL_COUNTRY: 'ireland' }
    await run(list)
    await run(list, env)
    await run([...list, '--uk'], env)
    await run([...list, '--ireland'], { PAYROLL_COUNTRY: 'uk' })
    await run(list, { PAYROLL_COUNTRY: '' })
    expect(paths()).toEqual([uk, irish, uk, irish, uk])
  })

  test('is that of the profile; PAYROLL_COUNTRY wins over the default profile, and a named one over it', async () => {
    const { run, paths, baseUrl } = await open()
    const own = { PAYROLL_BASE_URL: undefined, PAYROLL_API_KEY: undefined }
    const set = await run(['profiles', 'set', 'acme', '--base-url', baseUrl, '--country', 'ireland'], own)
    expect(set.code).toBe(0)
    const key = { PAYROLL_BASE_URL: undefined }
    await run(list, key)
    await run(list, { ...key, PAYROLL_COUNTRY: 'uk' })
    await run([...list, '--profile', 'acme'], { ...key, PAYROLL_COUNTRY: 'uk' })
    await run([...list, '--uk'], key)
    expect(paths()).toEqual([irish, uk, irish, uk])
    expect((await run(['profiles', 'show', 'acme'], own)).json().country).toBe('ireland')
  })

  test('is used by writes too, and the command that checks one names it', async () => {
    const { run } = await open()
    const create = 'candidates create --incomplete --dry-run --set surname=Shampla'.split(' ')
    const env = { PAYROLL_COUNTRY: 'ireland' }
    expect((await run(create, env)).json().url).toMatch(/candidates\/ireland$/)
    expect((await run([...create, '--uk'], env)).json().url).toMatch(/candidates$/)
    const losing = await service((_, response) => response.destroy())
    const lost = 'candidates create --incomplete --uk --set agencyRef=UK-1'.split(' ')
    expect(await payroll(lost, { env: { ...losing.env, ...env } })).toMatchObject(
      endedWith(8, 'payroll candidates get UK-1 --reference --uk'),
    )
  })

  test.each(['france', 'IE', 'ireland '])('that is unknown is exit 2, nothing sent: %j', async (name) => {
    const { run, paths } = await open()
    const refused = await run(list, { PAYROLL_COUNTRY: name })
    expect(refused).toMatchObject(endedWith(2, `PAYROLL_COUNTRY is ${name.trim()}`))
    expect(refused.err).toContain(`must be ${wordList(countryIds, 'or')}.`)
    expect(paths()).toEqual([])
  })

  test('is refused by profiles set where it is unknown', async () => {
    const refused = await typed('profiles set acme --country france')
    expect(refused).toMatchObject(endedWith(2, `Allowed choices are ${countryIds.join(', ')}.`))
  })
})

describe('the country of a kind of record', () => {
  test.each([
    ['schema candidates --ireland', 'schema candidates.ireland'],
    ['schema candidates --uk', 'schema candidates.uk'],
    ['schema candidates.uk --uk', 'schema candidates.uk'],
    ['template candidates --ireland -o csv', 'template candidates.ireland -o csv'],
    ['explain candidates --ireland', 'explain candidates.ireland'],
    ['explain candidates.ppsNumber --ireland', 'explain candidates.ireland.ppsNumber'],
    ['--profile sandbox candidates.ireland list', '--profile sandbox candidates list --ireland'],
    ['--profile sandbox candidates.uk export -o json', '--profile sandbox candidates export --uk -o json'],
    ['candidates.ireland --profile sandbox list', 'candidates list --ireland --profile sandbox'],
    ['candidates.ireland import none.csv', 'candidates import none.csv --ireland'],
    [
      '--profile sandbox candidates.ireland -o csv find -- sample',
      '--profile sandbox candidates find --ireland -o csv -- sample',
    ],
    ['candidates.ireland --json', 'candidates --json'],
  ])('is typed beside it or in its name: %s is %s', async (one, other) => {
    const home = await seededHome()
    const [first, second] = [await typed(one, home), await typed(other, home)]
    expect([first.code, first.out]).toEqual([second.code, second.out])
    expect(first.err.replace(/See .*/, '')).toBe(second.err.replace(/See .*/, ''))
  })

  test.each([
    ['schema candidates.ireland --uk', 'candidates.ireland and --uk are two countries.'],
    ['template candidates.uk --ireland', 'candidates.uk and --ireland are two countries.'],
    ['explain candidates.ireland.ppsNumber --uk', 'are two countries.'],
    ['schema candidates --uk --ireland', 'cannot be combined.'],
    ['--profile sandbox candidates.ireland list --uk', 'cannot be combined.'],
    ['template payment-rates --ireland', '--ireland has no effect on payment-rates'],
    ['explain --ireland', '--ireland has no effect'],
  ])('is exit 2 where it contradicts itself or has no effect: %s', async (words, says) => {
    expect(await typed(words)).toMatchObject({ ...endedWith(2, says), out: '' })
  })
})
