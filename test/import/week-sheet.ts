import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../start-sandbox.ts'

/** A sandbox with people, and a sheet of hours with these lines. */
export async function sheetOf(headings: string, ...lines: readonly string[]) {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(file, `${[headings, ...lines].join('\n')}\n`)
  return { ...at, argv: ['timesheets', 'import', file] }
}
