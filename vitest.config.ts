import { defineConfig } from 'vitest/config'
import { commandTests } from './test/projects.ts'

/** Tests that start processes, most of them of the built tool: `npm run test:process` builds it first. */
const processes = [
  'test/process/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/docs/architecture.test.ts',
  'test/api/**/{openapi,key,size,tls}.test.ts',
  'test/commands/**/schema.test.ts',
  'test/files/{atomic-file,lock,lock-holder}.test.ts',
  'test/import/**/{asleep,disk-order,form-and-import,harness,killed-process,workbooks,wrong-clocks}.test.ts',
  'test/profile/**/*.test.ts',
]

/** Tests that go through every cell of a large table, or every question of a form. */
const tables = [
  'test/{faults,second-service}/**/*.test.ts',
  'test/sandbox/faults/**/*.test.ts',
  'test/api/**/{json-suite,json-responses,exact-numbers,not-sent,changing-lists}.test.ts',
  'test/commands/**/{every-operation,update-shapes}.test.ts',
  'test/import/**/{blind-lists,troubles,terminal}.test.ts',
  'test/prompts/**/{candidates,form,form-keys,question}.test.ts',
]

/** Tests that run the command in their own process, most of them against the sandbox. */
const commands = commandTests(import.meta.dirname)

const project = (name: string, include: string[], exclude: string[] = []) =>
  ({ extends: true, test: { name, include, exclude } }) as const

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], [...processes, ...tables, ...commands]),
      project('commands', commands, [...processes, ...tables]),
      project('tables', tables),
      project('process', processes),
    ],
    // Each test waits for a loopback server much of its time.
    maxWorkers: '100%',
    testTimeout: 60_000,
    tags: [
      {
        name: 'timing',
        description:
          'Measures a clock or a processor: right on an idle machine only. npm run test:timing runs these, npm test does not.',
      },
    ],
  },
})
