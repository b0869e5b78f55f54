import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The projects of `vitest.config.ts`: which files of `root` each of them runs. A run that names no project takes all as one. */
export type TestFiles = Record<'unit' | 'commands' | 'tables' | 'process', string[]>

/** A folder whose files all belong to one project. In other folders, a file names it: `// @module-tag process`. */
const folders: readonly (readonly [folder: string, project: keyof TestFiles])[] = [
  ['test/process/', 'process'],
  ['test/security/', 'process'],
  ['test/second-service/', 'tables'],
  ['test/sandbox/faults/', 'tables'],
]

/** The files that take longest, which begin first: no other could be beside them at the end. */
export const longest: readonly string[] = [
  'test/windows/wine.test.ts',
  'test/import/workbooks.test.ts',
  'test/process/keyring.test.ts',
  'test/import/killed-process.test.ts',
  'test/process/readme.test.ts',
  'test/security/canary.test.ts',
  'test/import/harness.test.ts',
  'test/second-service/candidates.test.ts',
  'test/prompts/form.test.ts',
]

/**
 * Sorts the test files: by folder or tag; else `commands` are those that import `payroll.ts`, themselves or by a helper.
 * All others call functions, and are told apart so that they can answer within a minute. A tag that is no project of
 * ours is an error of vitest.
 */
export function sortTestFiles(root: string): TestFiles {
  const texts = new Map<string, string>()
  const textOf = (file: string) => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
    texts.set(file, text)
    return text
  }
  const known = new Map<string, boolean>()
  const runsCommand = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const imports = [...textOf(file).matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
      join(dirname(file), path).replaceAll('\\', '/'),
    )
    const runs = imports.some(
      (path) => path === 'test/payroll.ts' || (path.startsWith('test/') && runsCommand(path)),
    )
    known.set(file, runs)
    return runs
  }
  const projectOf = (file: string): keyof TestFiles => {
    const folder = folders.find(([path]) => file.startsWith(path))
    if (folder) return folder[1]
    const tag = /^\/\/ @module-tag (process|tables)$/m.exec(textOf(file))?.[1]
    return (tag as keyof TestFiles | undefined) ?? (runsCommand(file) ? 'commands' : 'unit')
  }
  const files: TestFiles = { unit: [], commands: [], tables: [], process: [] }
  for (const path of readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })) {
    const file = `test/${path.replaceAll('\\', '/')}`
    if (file.endsWith('.test.ts')) files[projectOf(file)].push(file)
  }
  return files
}
