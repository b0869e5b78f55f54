import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

/**
 * One file for each thing that is loaded on its own. CommonJS, because Node 20 starts it 11 ms sooner than ES
 * modules. Only the database stays outside: it is a native module. Whatever is inside comes with its licence.
 */
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['libsql'],
  plugins: [license({ thirdParty: { output: 'dist/LICENCES.txt' } })],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
    minify: { compress: true, mangle: false, codegen: true },
  },
})
