import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { launch, nodes, tool } from './built.ts'

/** A clone that was not built, in a folder of its own. */
function clone(): string {
  const folder = freshHome()
  for (const name of ['bin', 'src', 'package.json']) {
    cpSync(join(tool, '../..', name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(tool, '../../node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Whether this Node runs TypeScript as it is: 22.18 and newer. */
const runsTypes = (node: string) =>
  spawnSync(node, ['-p', 'Boolean(process.features.typescript)'], { encoding: 'utf8' }).stdout.trim() ===
  'true'

describe.each(nodes)('with %s a clone that was not built', (node) => {
  const run = (folder: string, ...words: string[]) =>
    launch(node, [join(folder, 'bin/payroll.js'), ...words], { home: folder }).ended

  test.runIf(runsTypes(node))('runs its sources', async () => {
    const listed = await run(clone(), '--profile', 'sandbox', 'candidates', 'list', '--json')
    expect(listed).toMatchObject({ code: 0, out: '[]\n', err: '' })
  })

  test.skipIf(runsTypes(node))('says so in one line', async () => {
    const err = 'Error: The tool is not built yet. In its folder: npm run build\n'
    expect(await run(clone(), 'candidates', 'list')).toMatchObject({ code: 2, out: '', err })
  })

  test('knows its version', async () => {
    expect(await run(clone(), '--version')).toMatchObject({ code: 0, err: '' })
  })
})

describe('payroll under a Node older than package.json asks for', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const needing = (least: string) => {
    const folder = clone()
    const manifest = join(folder, 'package.json')
    const { engines, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'))
    writeFileSync(manifest, JSON.stringify({ ...rest, engines: { ...engines, node: `>=${least}` } }))
    return launch(process.execPath, [join(folder, 'bin/payroll.js'), 'candidates', 'list'], { home: folder })
      .ended
  }

  test.each([`${major}.${minor + 1}`, `${major + 1}.0`])(
    'says which one it needs, here %s, and does nothing: exit 2',
    async (least) => {
      const err = `Error: payroll needs Node ${least} or newer; this is ${process.versions.node}. Nothing was done.\n`
      expect(await needing(least)).toMatchObject({ code: 2, out: '', err })
    },
  )

  test.each([`${major}.${minor}`, `${major - 1}.99`])('does not say so of its own age: %s', async (least) => {
    expect((await needing(least)).err).not.toContain('needs Node')
  })
})
