import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answering, service } from '../service.ts'

const list = ['candidates', 'list']

async function open() {
  const { env, baseUrl, received } = await answering(200, { data: [], totalDocs: 0 })
  const home = freshHome()
  const run = (argv: readonly string[], more: Record<string, string> = {}) =>
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
    const own = { PAYROLL_BASE_URL: '', PAYROLL_API_KEY: '' }
    const set = await run(['profiles', 'set', 'acme', '--base-url', baseUrl, '--country', 'ireland'], own)
    expect(set.code).toBe(0)
    const key = { PAYROLL_BASE_URL: '' }
    await run(list, key)
    await run(list, { ...key, PAYROLL_COUNTRY: 'uk' })
    await run([...list, '--profile', 'acme'], { ...key, PAYROLL_COUNTRY: 'uk' })
    await run([...list, '--uk'], key)
    expect(paths()).toEqual([irish, uk, irish, uk])
    expect((await run(['profiles', 'show', 'acme'], own)).json().country).toBe('ireland')
  })

  test('is used by writes too, and the command that checks one names it', async () => {
    const { run } = await open()
    const create = 'candidates create --incomplete --dry-run --set generalSetting.surname=Shampla'.split(' ')
    const env = { PAYROLL_COUNTRY: 'ireland' }
    expect((await run(create, env)).json().url).toMatch(/candidates\/ireland$/)
    expect((await run([...create, '--uk'], env)).json().url).toMatch(/candidates$/)
  })

  test.each(['france', 'IE', 'ireland '])(
    'is exit 2 where it is unknown, and no request is sent: %j',
    async (name) => {
      const { run, paths } = await open()
      const { code, err } = await run(list, { PAYROLL_COUNTRY: name })
      expect([code, paths()]).toEqual([2, []])
      expect(err).toContain(`PAYROLL_COUNTRY is ${name.trim()}`)
      expect(err).toContain('must be uk or ireland.')
    },
  )

  test('is refused by profiles set where it is unknown', async () => {
    const { run } = await open()
    const { code, err } = await run(['profiles', 'set', 'acme', '--country', 'france'])
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are uk, ireland.')])
  })
})

test('a lost write under an Irish default is looked up in the country it was sent to', async () => {
  const { env } = await service((_, response) => response.destroy())
  const create = ['candidates', 'create', '--incomplete', '--uk', '--set', 'generalSetting.agencyRef=UK-1']
  const { code, err } = await payroll(create, {
    env: { ...env, PAYROLL_COUNTRY: 'ireland' },
  })
  expect([code, err]).toEqual([8, expect.stringContaining('payroll candidates get UK-1 --reference --uk')])
})

test('profiles set says which profile is the default now', async () => {
  const home = freshHome()
  const set = async (name: string) =>
    (await payroll(['profiles', 'set', name, '--base-url', 'http://127.0.0.1:9'], { home })).err
  expect(await set('acme')).toContain('It is the default profile now: commands without --profile use it.')
  expect(await set('staging')).toContain('Saved the profile staging. The default profile is still acme.')
  expect(await set('acme')).toContain('Saved the profile acme. It is the default profile.')
})
