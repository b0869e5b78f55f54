import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { type Case, files } from './cases.ts'
import { allowed, type Judgement } from './expected.ts'
import { judge } from './judge.ts'
import { start } from './service.ts'
import { type Shape, shapes, shareOf } from './shapes.ts'
import { chosen } from './store.ts'

/** One test for each command in each shape in which it could go differently. */
export function tryAll(cases: readonly Case[]): void {
  for (const shape of shapes) {
    const concerned = cases.filter((each) => applies(shape, each))
    const tried = shareOf(shape, concerned)
    // A group without a test is a failure.
    if (tried.length === 0) continue
    describe(`a service with ${shape.name}`, () => {
      for (const one of tried) {
        const may = allowed(shape, one)
        test(`payroll ${one.command}: ${may.join(' or ')}`, async () => {
          const { verdict, why, run } = await tryCell(shape, one)
          expect(may, `${verdict}: ${why}\nexit ${run.code}\n${run.err}`).toContain(verdict)
        })
      }
    })
  }
}

const lists: readonly Case['does'][] = ['list', 'export', 'status']
const writes: readonly Case['does'][] = ['create', 'update', 'delete', 'raw write']

/** Whether a shape can make a difference to a command; an update is tried in all of them. */
function applies(shape: Shape, { kind, does, command, once }: Case): boolean {
  const isAsDocumented = Object.keys(shape).length === 1
  if (once) return isAsDocumented
  // A number of an account is what may be hidden, or may not be there.
  const mayLack = shape.masked || shape.maskedAs || shape.leavesOut || shape.lacks || shape.form === 'no-bank'
  if (/accountNumber/.test(command) && !mayLack && !isAsDocumented) return false
  const person = kind === 'uk' || kind === 'ireland'
  // What an id may mean is decided before the record is read.
  const idsDiffer = shape.referencesAreIds || shape.numbersAsText || shape.list?.cutShort || shape.ids
  if (/ --id /.test(command) && !idsDiffer && !isAsDocumented) return false
  if (shape.writesAlone) return writes.includes(does)
  if (does === 'connect') return shape.errorBody !== undefined || isAsDocumented
  if (shape.candidates && !person) return false
  if (shape.leavesOut || shape.lacks || (shape.idAs && !shape.answersAnother)) return does === 'update'
  if (shape.idAs) return does === 'update' || (does === 'get' && shape.idAs !== 'nothing')
  if (shape.typedShort || shape.referencesAreIds)
    return command.includes('{id}') && !command.startsWith('api')
  if (shape.hides) return kind === 'ireland' && (does === 'update' || does === 'export')
  if (shape.list?.lag) return command.includes('--find')
  // No reader of a list can know that a reference was longer.
  if (shape.list?.shortReferences) return does === 'list' || command.includes('--find')
  if (shape.list) return lists.includes(does) || does === 'update' || command.includes('--find')
  if (shape.etags || shape.weakEtags || shape.ignoresPut || shape.putsAnother || shape.putAnswers)
    return does === 'update' || command.startsWith('api PUT')
  if (shape.queued) return writes.includes(does)
  // interface.md: a UK candidate is answered "201, no body".
  if (shape.answersAnother) return !lists.includes(does) && !command.includes('--uk --file')
  return true
}

/** Runs one command against the service in one shape, and judges what came of it. */
async function tryCell(shape: Shape, tried: Case): Promise<Judgement & { readonly run: Run }> {
  const { second, env } = await start(shape, !writes.includes(tried.does))
  const home = freshHome()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content)
  const id = chosen(second.before, tried.kind)
  const typed = shape.typedShort ? id.slice(0, -1) : id
  const words = tried.command.replace('{id}', typed).replace('{home}', home).split(' ')
  const run = await payroll([...words, ...(tried.does === 'export' ? [] : ['--json'])], {
    home,
    env,
    ...(tried.input && { input: tried.input }),
  })
  const file = join(home, 'saved.pdf')
  const saved = existsSync(file) ? readFileSync(file, 'base64') : undefined
  return { ...judge(second, tried, id, run, saved), run }
}
