import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
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
    expect(await run(clone(), '--profile', 'sandbox', 'candidates', 'list', '--json')).toMatchObject({
      code: 0,
      out: '[]\n',
      err: '',
    })
  })

  test.skipIf(runsTypes(node))('says so in one line', async () => {
    expect(await run(clone(), 'candidates', 'list')).toMatchObject({
      code: 2,
      out: '',
      err: 'Error: The tool is not built yet. In its folder: npm run build\n',
    })
  })

  test('knows its version', async () => {
    expect(await run(clone(), '--version')).toMatchObject({ code: 0, err: '' })
  })
})
