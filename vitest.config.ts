import { defineConfig } from 'vitest/config'

/** Tests that start processes, most of them of the built tool: `npm run test:process` builds it first. */
const processes = [
  'test/process/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/docs/architecture.test.ts',
  'test/files/{atomic-file,lock,lock-holder}.test.ts',
  'test/import/{disk-order,harness,killed-process,workbooks}.test.ts',
]

export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: processes } },
      { extends: true, test: { name: 'process', include: processes } },
    ],
  },
})
