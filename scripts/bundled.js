import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** A module of build/package, bundled: its sources are TypeScript, which Node 20 does not run. */
export async function bundled(name) {
  const folder = 'node_modules/.cache/payroll'
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: `build/package/${name}.ts`,
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'warn',
  })
  await bundle.write({ file: `${folder}/${name}.mjs`, format: 'esm', codeSplitting: false })
  await bundle.close()
  return import(pathToFileURL(resolve(folder, `${name}.mjs`)).href)
}
