import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type * as Payroll from '../payroll.ts'
import { freshHome } from '../payroll.ts'
import type * as Reference from './reference.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of what runs, to change: the packages are those of the tree. */
function copyOfTree(): string {
  const copy = freshHome()
  for (const name of ['src', 'test/payroll.ts', 'test/docs/reference.ts', 'README.md', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  return copy
}

/** Puts a line before or behind a text that stands once in a file. */
function edit(copy: string, file: string, at: string, change: (at: string) => string): void {
  const path = join(copy, file)
  const parts = readFileSync(path, 'utf8').split(at)
  expect(parts, `${file} has "${at}" once`).toHaveLength(2)
  writeFileSync(path, parts.join(change(at)))
}

test('the recipes for an environment variable and for a heading do what they say, on a copy of the tree', async () => {
  const recipes = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
  expect(recipes).toContain('Its line in `variables` of `src/environment.ts`')
  expect(recipes).toContain('After a bar in the line of its field in `src/model/values/headings.ts`')
  const copy = copyOfTree()
  edit(
    copy,
    'src/environment.ts',
    "  PAYROLL_OUTPUT: 'the output format",
    (at) => `  PAYROLL_GREETING: 'what a run begins with',\n${at}`,
  )
  edit(copy, 'src/model/values/headings.ts', "  forename: '", (at) => `${at}what the person is called | `)

  const { payroll }: typeof Payroll = await import(join(copy, 'test/payroll.ts'))
  const { describeCommands }: typeof Reference = await import(join(copy, 'test/docs/reference.ts'))

  const help = await payroll(['help', 'environment'], { home: freshHome() })
  expect(help.out).toMatch(/PAYROLL_GREETING +what a run begins with/)
  expect(await describeCommands()).toContain('| `PAYROLL_GREETING` | what a run begins with |')

  const typed = ['candidates', 'create', '--incomplete', '--dry-run', '--json', '--profile', 'sandbox']
  const set = await payroll([...typed, '--set', 'What the person is called=Ann'], { home: freshHome() })
  expect(set.json().body).toEqual({ generalSetting: { forename: 'Ann' } })
})
