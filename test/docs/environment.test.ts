import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variablesByGroup } from '../../src/environment.ts'
import { secretVariables } from '../../src/secrets.ts'
import { payroll } from '../payroll.ts'

const root = new URL('../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const filesOf = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}${path}`)

const names: string[] = variablesByGroup().flatMap(({ rows }) => rows.map(([name]) => name))
const sources = filesOf('src/', '.ts').filter((path) => path !== 'src/environment.ts')
const exceptions = [
  // Sets HOME for a library that cannot be loaded without it.
  'src/credentials/change-settings.ts',
]
const code = sources.map(read).join('\n')

describe('the environment variables', () => {
  test('are all on the page that payroll help environment prints', async () => {
    const { out, code } = await payroll(['help', 'environment'])
    expect(code).toBe(0)
    const listed = [...out.matchAll(/^ {2}(\w+)(?: {2,}|$)/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...names].sort())
  })

  test.each(names)('have no entry that nothing reads: %s', (name) => {
    const ways = [
      `env\\??\\.${name}\\b`,
      `isOn\\(env, '${name}'`,
      `\\{ ${name}(: \\w+)? \\}(: Environment| = .*\\benv$)`,
      // The names of a list, of which the first that is set counts.
      `: \\[.*'${name}'.*\\],$`,
    ]
    expect(code).toMatch(new RegExp(ways.join('|'), 'm'))
  })

  test('are hidden from all output where they say that they hold a secret', () => {
    const rows = variablesByGroup().flatMap((group) => group.rows)
    const holding = rows.filter(([, summary]) =>
      /^(the|its) (key|secret|passphrase|password)\b/.test(summary),
    )
    // The password of the database is hidden where it is read: without a shared journal it is none of ours.
    expect(holding.map(([name]) => name).filter((name) => name !== 'PGPASSWORD')).toEqual([
      ...secretVariables,
    ])
  })

  test('are read from the host alone, which has no others', () => {
    const besides = sources.filter(
      (path) =>
        !exceptions.includes(path) && /process\.env|import .*\benv\b.* from 'node:process'/.test(read(path)),
    )
    expect(besides).toEqual([])
    expect(sources).toEqual(expect.arrayContaining(exceptions))
    // Types say so to the compiler: `host.env.PAYROLL_TYPO` is an error.
    expect(read('src/context/host.ts')).toMatch(/readonly env: Environment$/m)
  })

  test.each(['README.md', ...filesOf('docs/', '.md')])('are declared where %s names one', (path) => {
    const unknown = [...read(path).matchAll(/\bPAYROLL_[A-Z_]+/g)].filter(([name]) => !names.includes(name))
    expect(unknown.map(([name]) => name)).toEqual([])
  })
})
