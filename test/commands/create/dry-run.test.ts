import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyFieldFile } from '../../every-field.ts'
import { body, candidateTargets, loopback, places, production } from '../targets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe.each(candidateTargets)('candidates create --dry-run of a $adjective candidate', (target) => {
  const argv = ['candidates', 'create', ...target.flags, '--file', root + target.example, '--dry-run']

  test('prints the request exactly, with the key redacted, and sends nothing', async () => {
    const { run, requests, baseUrl } = await loopback()
    const tried = await run([...argv, '--set', 'generalSetting.mobile=07700 900999'])
    const expected = body(target.example)
    expected.generalSetting.mobile = '07700 900999'
    expect(tried.code).toBe(0)
    expect(tried.json()).toEqual({
      dryRun: true,
      method: 'POST',
      url: baseUrl + target.path,
      headers: {
        Authorization: '[redacted]',
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      body: expected,
      warnings: expect.any(Array),
    })
    expect(Object.keys(tried.json())).toEqual(['dryRun', 'method', 'url', 'headers', 'body', 'warnings'])
    expect(requests).toEqual([])
  })

  test('sends what it showed, once it is run without --dry-run', async () => {
    const { run, requests } = await loopback()
    const shown = (await run(argv)).json()
    await run([...argv.filter((word) => word !== '--dry-run'), '--same-person'])
    expect(requests).toHaveLength(1)
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(shown.body)
  })

  test('lists what the public standards doubt by path, and no value of it', async () => {
    const { run } = await loopback()
    const tried = await run([...argv, '--set', 'bankSetting.IBANReference=GB00NWBK60161331926819'])
    const { warnings } = tried.json()
    expect(warnings).toContainEqual({ path: 'bankSetting.IBANReference', message: expect.any(String) })
    for (const warning of warnings) expect(Object.keys(warning)).toEqual(['path', 'message'])
    expect(JSON.stringify(warnings)).not.toContain('GB00NWBK60161331926819')
  })

  test('is refused for what could not be sent: exit 3', async () => {
    const { run, requests } = await loopback()
    const tried = await run([...argv, '--json', '--set', 'generalSetting.DOB=2001-02-30'])
    expect(tried.code).toBe(3)
    expect(tried.out).toBe('')
    expect(tried.error().issues).toEqual([expect.objectContaining({ path: 'generalSetting.DOB' })])
    expect(requests).toEqual([])
  })

  test('masks what is sensitive for a person, and shows it with --reveal', async () => {
    const { run } = await loopback()
    const { DOB } = body(target.example).generalSetting
    expect((await run([...argv, '-o', 'table'])).out).not.toContain(DOB)
    expect((await run([...argv, '-o', 'table', '--reveal'])).out).toContain(DOB)
  })

  test('needs no --yes on a protected profile', async () => {
    const { run, requests } = await production()
    const tried = await run(argv)
    expect(tried.code).toBe(0)
    expect(tried.json()).toMatchObject({ dryRun: true, headers: { Authorization: '[redacted]' } })
    expect(requests).toEqual([])
  })
})

describe.each(places)('candidates update --dry-run, at $place', ({ open }) => {
  test.each(candidateTargets)(
    'shows the whole $adjective record as it would be sent, and changes nothing',
    async (v) => {
      const { run } = await open()
      await run(['candidates', 'create', ...v.flags, '--file', everyFieldFile(v.country)])
      const [before] = (await run(['candidates', 'list', ...v.flags])).json()
      const argv = ['candidates', 'update', before.id, ...v.flags, '--set', 'generalSetting.city=Leeds']
      const tried = await run([...argv, '--dry-run'])
      expect(tried.code).toBe(0)
      expect(tried.json()).toMatchObject({
        dryRun: true,
        method: 'PUT',
        url: expect.stringMatching(new RegExp(`${v.path}/${before.id}$`)),
        headers: { Authorization: '[redacted]' },
        body: { generalSetting: { city: 'Leeds', forename: before.forename } },
      })
      expect(tried.err).toMatch(/^ {2}generalSetting\.city: \w+ → Leeds$/m)
      expect((await run(['candidates', 'get', before.id, ...v.flags])).json()).toEqual(before)
    },
  )
})
