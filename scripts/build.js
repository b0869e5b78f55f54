/**
 * Builds the tool into dist: `npm run build`. The bundler's own command lists each of some 170 files, and so would every
 * installation.
 */
import { rmSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'

rmSync('dist', { recursive: true, force: true })
for (const { output, ...input } of await loadConfig('rolldown.config.ts')) {
  const bundle = await rolldown({ ...input, logLevel: 'warn' })
  await bundle.write(output)
  await bundle.close()
}
process.stdout.write('Built payroll into dist.\n')
