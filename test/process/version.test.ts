import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run } from './built.ts'

const root = new URL('../..', import.meta.url)

test('a build says which one it is: --version and doctor name the commit', async () => {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const { out } = await run(['--version'])
  const [version, commit = ''] = out.trim().split('+')
  expect(version).toBe('0.2.0')
  // Made of an archive without git it has none.
  if (stdout !== '') expect(commit).toMatch(/^[0-9a-f]{8}(-changed)?$/)
  // bin/payroll.js answers the first by itself.
  for (const words of [
    ['--version', '--no-color'],
    ['--debug', '-V'],
    ['candidates', 'list', '--version'],
  ])
    expect(await run(words)).toMatchObject({ code: 0, out })
  const [first] = JSON.parse((await run(['doctor', '--json', '--profile', 'sandbox'])).out).checks
  expect(first.found).toBe(commit === '' ? version : `${version}, commit ${commit}`)
})
