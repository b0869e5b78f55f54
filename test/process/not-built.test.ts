import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { launch, tool } from './built.ts'

test('a clone that was not built says so in one line, and its version', async () => {
  const home = freshHome()
  for (const name of ['bin', 'package.json']) {
    cpSync(join(tool, '../..', name), join(home, name), { recursive: true })
  }
  const run = (...words: string[]) =>
    launch(process.execPath, [join(home, 'bin/payroll.js'), ...words], { home }).ended
  const { code, out, err } = await run('candidates', 'list')
  expect([code, out, err]).toEqual([
    2,
    '',
    'Error: The tool is not built yet. In its folder: npm run build\n',
  ])
  expect(await run('--version')).toMatchObject({ code: 0, err: '' })
})
