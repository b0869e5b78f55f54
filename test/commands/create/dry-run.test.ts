import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyFieldFile } from '../../every-field.ts'
import { body, candidateTargets, loopback, places, production } from '../targets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe.each(candidateTargets)('candidates create --dry-run of a $adjective candidate', (target) => {
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
      ['warnings', expect.any(Array)],
    ])
  })

  test('sends what it showed, once it is run without --dry-run', async () => {
    const { run, requests } = await loopback()
    const shown = (await run(argv)).json()
    await run([...argv.filter((word) => word !== '--dry-run'), '--same-person'])
    expect(requests.map((request) => JSON.parse(request.body))).toEqual([shown.body])
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
    expect([tried.code, tried.out, requests]).toEqual([3, '', []])
    expect(tried.error().issues).toMatchObject([{ path: 'generalSetting.DOB' }])
  })

  test('masks what is sensitive for a person, and shows it with --reveal', async () => {
    const { run } = await loopback()
    const { DOB } = body(target.example).generalSetting
    expect((await run([...argv, '-o', 'table'])).out).not.toContain(DOB)
    expect((await run([...argv, '-o', 'table', '--reveal'])).out).toContain(DOB)
  })

  test('needs no --yes on a protected profile', async () => {
    const { run, requests } = await production()
    const { code, json } = await run(argv)
    expect([code, json(), requests]).toMatchObject([0, { dryRun: true }, []])
  })
})

describe.each(places)('candidates update --dry-run, at $place', ({ open }) => {
  test.each(candidateTargets)('shows the $adjective record to be sent, and changes nothing', async (v) => {
    const { run } = await open()
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
