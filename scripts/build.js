/**
 * Builds the tool into dist: `npm run build`. The bundler's own command lists each of some 170 files, and so would every
 * installation. A command that starts meanwhile runs the version before: dist is replaced once all is built, by a folder
 * that no other build writes into.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'

const files = []
for (const { output, ...input } of await loadConfig('rolldown.config.ts')) {
  const bundle = await rolldown({ ...input, logLevel: 'warn', checks: { bundlerTimings: false } })
  files.push(...(await bundle.generate(output)).output)
  await bundle.close()
}

const [made, old] = [`dist.${process.pid}`, `dist.${process.pid}.old`]
for (const { fileName, code, source } of files) {
  const path = join(made, fileName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code ?? source)
}
if (existsSync('dist')) renameSync('dist', old)
renameSync(made, 'dist')
rmSync(old, { recursive: true, force: true })
process.stdout.write('Built payroll into dist.\n')
