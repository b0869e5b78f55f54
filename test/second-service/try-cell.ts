import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { type Case, files } from './cases.ts'
import { judge } from './judge.ts'
import { start } from './service.ts'
import type { Shape } from './shapes.ts'
import { chosen } from './store.ts'
import type { Judgement } from './verdict.ts'

const writing: readonly Case['does'][] = ['create', 'update', 'delete', 'raw write']

/** Runs one command against the service in one shape, and judges what came of it. */
export async function tryCell(shape: Shape, tried: Case): Promise<Judgement & { readonly run: Run }> {
  const { second, env } = await start(shape, !writing.includes(tried.does))
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
