import { defineConfig } from 'vitest/config'
import { sortTestFiles } from './test/projects.ts'

const { unit, commands, tables, process } = sortTestFiles(import.meta.dirname)

const project = (name: string, include: string[]) => ({ extends: true, test: { name, include } }) as const

export default defineConfig({
  test: {
    projects: [
      project('unit', unit),
      project('commands', commands),
      project('tables', tables),
      project('process', process),
    ],
    // Each test waits for a loopback server much of its time.
    maxWorkers: '100%',
    testTimeout: 60_000,
    tags: [
      {
        name: 'process',
        description:
          'Starts processes, most of them of the built tool: npm run test:process builds it first.',
      },
      {
        name: 'tables',
        description: 'Goes through every cell of a large table, or every question of a form.',
      },
      {
        name: 'timing',
        description:
          'Measures a clock or a processor: right on an idle machine only. npm run test:timing runs these, npm test does not.',
      },
    ],
  },
})
