/**
 * Builds the tool into dist: `npm run build`. The bundler's own command lists each of some 170 files, and so would every
 * installation. A command that starts meanwhile runs the version before: dist is replaced at the end.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'

const [made, old] = ['dist.new', 'dist.old']
const remove = (folder) => rmSync(folder, { recursive: true, force: true })
remove(made)
remove(old)
for (const { output, ...input } of await loadConfig('rolldown.config.ts')) {
  const bundle = await rolldown({ ...input, logLevel: 'warn', checks: { bundlerTimings: false } })
  await bundle.write({ ...output, dir: made })
  await bundle.close()
}
if (existsSync('dist')) renameSync('dist', old)
renameSync(made, 'dist')
remove(old)
process.stdout.write('Built payroll into dist.\n')
