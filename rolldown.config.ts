import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

/**
 * One file for each thing that is loaded on its own. CommonJS, because Node 20 starts it 11 ms sooner than ES
 * modules. Only the database stays outside: it is a native module. Whatever is inside comes with its licence.
 */
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['libsql'],
  plugins: [licences()],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
    minify: { compress: true, mangle: false, codegen: true },
  },
})

/** Writes LICENCES.txt: the licence of every package of which a module is in the bundle. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const packages = new Set(
        modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
      )
      const source = [...packages].sort().map(licenceOf).join('\n\n')
      this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source })
    },
  }
}

function licenceOf(directory: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file && existsSync(join(directory, file)) ? readFileSync(join(directory, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}`
}
