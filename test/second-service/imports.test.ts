import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { allowed } from './expected.ts'
import { judgeImport } from './judge-import.ts'
import { type Break, start } from './service.ts'
import { type Shape, shapes, shareOf } from './shapes.ts'
import { imports, type Starters } from './starters.ts'

const never: Break = () => false
/** The answer to one row of five is lost, after the row was stored. */
const oneOfFive: Break = ({ method, body }) => method === 'POST' && body.includes('STARTER-3')

/** An import creates and reads lists; how the service answers a PUT does not concern it. */
function concerns(shape: Shape, { kind }: Starters): boolean {
  if (shape.etags || shape.weakEtags || shape.ignoresPut || shape.putsAnother || shape.putAnswers)
    return false
  if (shape.hides || shape.leavesOut || shape.lacks || shape.idAs) return false
  return !shape.candidates || kind !== 'timesheets'
}

async function tryImport(shape: Shape, starters: Starters, breaks: Break) {
  const { second, env } = await start(shape, false, breaks)
  const home = freshHome()
  const file = join(home, 'starters.ndjson')
  writeFileSync(file, starters.rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const words = [...starters.command.split(' '), file, '--settle', '1', '--json']
  const run = await payroll(words, { home, env })
  const { verdict, why } = judgeImport(second, starters, run)
  const may = allowed(shape, { ...starters, does: 'import' })
  expect(may, `${verdict}: ${why}\n${run.err}`).toContain(verdict)
}

for (const shape of shapes) {
  const concerned = imports.filter((each) => concerns(shape, each))
  const tried = shareOf(shape, concerned)
  // A group without a test is a failure.
  if (tried.length === 0) continue
  describe(`into a service with ${shape.name}`, () => {
    for (const starters of tried) {
      test(`payroll ${starters.command}`, () => tryImport(shape, starters, never))

      // In the other shapes no row is answered for, with or without a connection.
      if (shape.queued || shape.errorBody) continue
      test(`payroll ${starters.command}, when an answer is lost after its row was stored`, () =>
        tryImport(shape, starters, oneOfFive))
    }
  })
}
