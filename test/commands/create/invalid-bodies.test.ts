import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { candidateTargets, file } from '../targets.ts'
import { invalid } from './invalid-bodies.ts'

/** A service that would take anything, and what reached it. */
async function taking() {
  const { env, received } = await answering(201, { success: true })
  const home = freshHome()
  const run = (argv: readonly string[], given: { input?: string } = {}) =>
    payroll(argv, { home, env, ...given })
  return { run, home, requests: received }
}

describe.each(candidateTargets)('an invalid body of a $adjective candidate', ({ flags }) => {
  test.each(invalid)(
    'is refused for %s: exit 3, its place named, nothing sent',
    async (_, content, path, says) => {
      const { run, requests, home } = await taking()
      const source = file(home, 'starter.json', content)
      const argv = ['candidates', 'create', ...flags, '--file', source]
      const made = await run([...argv, '--json'])
      expect(made.code).toBe(3)
      expect(made.out).toBe('')
      const error = made.error()
      expect(error).toMatchObject({ code: 'input', exitCode: 3, outcome: 'not-sent', retryable: false })
      expect(error.message).toContain('Nothing was sent.')
      if (path === undefined) {
        expect(error.message).toContain(says)
        expect(error.issues).toEqual([])
      } else {
        expect(error.issues).toEqual([{ path, message: expect.stringContaining(says) }])
      }
      const plain = await run(argv)
      expect(plain.code).toBe(3)
      expect(plain.err).toMatch(/^Error: /)
      expect(plain.err).toContain(says)
      if (path) expect(plain.err).toContain(`\n  ${path}: `)
      expect(requests).toEqual([])
    },
  )
})

describe('an invalid body', () => {
  test('has the fields of the other country named as such', async () => {
    const { run, requests, home } = await taking()
    const given = {
      generalSetting: { NINumber: 'QQ123456A', primaryAgencyId: 'A' },
      payrollSetting: { taxCode: '1257L', ppsNumber: '1234567T' },
    }
    const argv = ['candidates', 'create', '--ireland', '--json']
    const made = await run([...argv, '--file', file(home, 'uk.json', JSON.stringify(given))])
    expect(made.code).toBe(3)
    expect(made.error().message).toBe('3 fields cannot be sent as they are. Nothing was sent.')
    expect(made.error().issues).toEqual([
      {
        path: 'generalSetting.NINumber',
        message: 'not a field of an Irish candidate, only of a UK candidate',
      },
      {
        path: 'generalSetting.primaryAgencyId',
        message: 'not a field of an Irish candidate, only of a UK candidate',
      },
      {
        path: 'payrollSetting.taxCode',
        message: 'not a field of an Irish candidate, only of a UK candidate',
      },
    ])
    expect(requests).toEqual([])
  })

  test('is never repeated in what is said of it: it holds a person', async () => {
    const { run, home } = await taking()
    const canary = 'CANARY-QQ123456A'
    for (const content of [
      `{"generalSetting":{"NINumber":{"x":"${canary}"}}}`,
      `{"generalSetting":{"DOB":"${canary}"}}`,
      `{"generalSetting":{"country":"${canary}"}}`,
      `{"generalSetting": ${canary}}`,
      `{"generalSetting":{"NINumber":"${canary}`,
      `${canary}`,
    ]) {
      const argv = ['candidates', 'create', '--file', file(home, 'starter.json', content)]
      for (const more of [[], ['--json'], ['--debug']]) {
        const made = await run([...argv, ...more])
        expect(made.code).toBe(3)
        expect(made.out + made.err).not.toContain('CANARY')
      }
    }
  })

  test('names what is wrong with many fields once to a person, and each of them to a script', async () => {
    const { run, home } = await taking()
    const generalSetting = Object.fromEntries([...Array(25).keys()].map((n) => [`zodiac_${n}_sign`, 1]))
    const argv = ['candidates', 'create', '--file', file(home, 'x.json', JSON.stringify({ generalSetting }))]
    const plain = await run(argv)
    expect(plain.err.match(/not a field of a UK candidate/g)).toHaveLength(1)
    expect(plain.err).toContain('generalSetting.zodiac_2_sign … and 22 more\n')
    expect((await run([...argv, '--json'])).error().issues).toHaveLength(25)
  })

  test('is refused from a pipe as from a file', async () => {
    const { run, requests } = await taking()
    for (const argv of [
      ['candidates', 'create'],
      ['candidates', 'create', '--file', '-'],
    ]) {
      expect((await run(argv, { input: '{"generalSetting":{"city":7}}' })).code).toBe(3)
      expect((await run(argv, { input: '' })).err).toContain('Standard input holds no record: it is empty.')
      expect((await run(argv, { input: 'x'.repeat(2 * 1024 * 1024) })).code).toBe(3)
    }
    expect(requests).toEqual([])
  })

  test('cannot take a --set when it is a list', async () => {
    const { run } = await taking()
    const set = ['--file', '-', '--set', 'generalSetting.city=Leeds']
    const made = await run(['candidates', 'create', ...set], { input: '[]' })
    expect(made.code).toBe(3)
    expect(made.err).toContain('The input is not one record.')
  })

  test('says where a long file stops being JSON', async () => {
    const { run, home } = await taking()
    const text = '{\n  "generalSetting": {\n    "city": "Le\neds"\n  }\n}\n'
    const made = await run(['candidates', 'create', '--file', file(home, 'x.json', text)])
    expect(made.err).toContain('it is not JSON at line 3, column')
  })

  test('is exit 2 for a file that cannot be opened, and for a folder', async () => {
    const { run, home, requests } = await taking()
    mkdirSync(join(home, 'folder'))
    const missing = await run(['candidates', 'create', '--file', join(home, 'missing.json')])
    const folder = await run(['candidates', 'create', '--file', join(home, 'folder')])
    expect([missing.code, folder.code]).toEqual([2, 2])
    expect(missing.err).toContain('missing.json cannot be opened (ENOENT)')
    expect(folder.err).toContain('folder is a folder')
    expect(requests).toEqual([])
  })

  test('is stopped at 1 MiB when it has no end', async () => {
    const { run } = await taking()
    const made = await run(['candidates', 'create', '--file', '/dev/zero'])
    expect(made.code).toBe(3)
    expect(made.err).toContain('larger than 1 MiB')
  })

  test('is not looked at where no service is chosen', async () => {
    const made = await payroll(['candidates', 'create', '--set', 'x=1'])
    expect(made.code).toBe(2)
    expect(made.err).toContain('No profile is configured.')
  })
})
