import { defineConfig } from 'rolldown'

/** One file for each thing that is loaded on its own. Only the database stays outside: it is a native module. */
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['libsql'],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  },
})
