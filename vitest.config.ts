import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    tags: [
      {
        name: 'timing',
        description:
          'Measures a clock or a processor: right on an idle machine only. npm run test:timing runs these, npm test does not.',
      },
    ],
    tagsFilter: process.env.npm_lifecycle_event === 'test:timing' ? ['timing'] : ['!timing'],
  },
})
