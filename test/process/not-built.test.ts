import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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

describe('npm run build', () => {
  /** Builds in a folder whose configuration is this. */
  const build = (folder: string, config: string) => {
    writeFileSync(join(folder, 'rolldown.config.ts'), config)
    for (const name of ['first', 'second'])
      writeFileSync(join(folder, `${name}.js`), `console.log('${name}')\n`)
    const script = join(tool, '../../scripts/build.js')
    return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
  }
  const bundle = (name: string, more = '') =>
    `{ input: '${name}.js', output: { dir: 'dist' }, plugins: [{ name: 'more', ${more} }] }`

  test('leaves a whole dist where another build ran meanwhile', () => {
    const folder = freshHome()
    // Between two bundles of one build, another one starts and ends.
    const other = `buildStart() {
      if (process.env.IS_OTHER) return
      const { spawnSync } = process.getBuiltinModule('node:child_process')
      spawnSync(process.execPath, process.argv.slice(1), { env: { ...process.env, IS_OTHER: '1' } })
    }`
    expect(build(folder, `export default [${bundle('first')}, ${bundle('second', other)}]\n`)).toMatchObject({
      status: 0,
    })
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['first.js', 'second.js'])
  })

  test('leaves dist as it was where it fails', () => {
    const folder = freshHome()
    build(folder, `export default [${bundle('first')}, ${bundle('second')}]\n`)
    const failed = build(folder, `export default [${bundle('first')}, ${bundle('none')}]\n`)
    expect(failed.status).toBe(1)
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['first.js', 'second.js'])
    expect(readdirSync(folder).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  })
})
