/** Builds what people install into packages: `npm run package`. Its sources are TypeScript, which Node 20 does not run. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const folder = 'node_modules/.cache/payroll'
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  input: 'build/package/package.ts',
  platform: 'node',
  external: /^[^./]/,
  logLevel: 'warn',
})
await bundle.write({ file: `${folder}/package.mjs`, format: 'esm', codeSplitting: false })
await bundle.close()
const { makePackages } = await import(pathToFileURL(resolve(folder, 'package.mjs')).href)
await makePackages('packages', (line) => process.stdout.write(`${line}\n`))
