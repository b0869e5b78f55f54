import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The test files that run the command in their own process: those that import `payroll.ts`, themselves or by a helper.
 * All others call functions, and are told apart so that they can answer within a minute.
 */
export function commandTests(root: string): string[] {
  const known = new Map<string, boolean>()
  const runsCommand = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const text = readFileSync(join(root, file), 'utf8')
    const imports = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    )
    const runs = imports.some(
      (path) => path === 'test/payroll.ts' || (path.startsWith('test/') && runsCommand(path)),
    )
    known.set(file, runs)
    return runs
  }
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && runsCommand(file))
}
