import { readFileSync, statfsSync } from 'node:fs'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { sortTestFiles } from './test/projects.ts'

const { unit, commands, tables, process: processes } = sortTestFiles(import.meta.dirname)

const project = (name: string, include: string[], isolate = false) =>
  ({ extends: true, test: { name, include, isolate } }) as const

/**
 * Where tests have their folders: in memory, where Linux has room for them and runs programs from there. Journals and drafts
 * are synced to the disk with each row and answer, which took half of the time of their tests.
 */
function folderInMemory(): Record<string, string> {
  const folder = '/dev/shm'
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .match(/^\S+ \/dev\/shm \S+ (\S+)/m)?.[1]
      ?.split(',')
    const { bavail, bsize } = statfsSync(folder)
    const isGood = mount?.includes('rw') && !mount.includes('noexec') && bavail * bsize > 2 ** 30
    return isGood ? { TMPDIR: folder } : {}
  } catch {
    return {}
  }
}

/** Says at the end why something was skipped. Titles have the reason, and the usual report has no titles of what did not run. */
const whySkipped: Reporter = {
  onTestRunEnd(modules) {
    const titles = modules.flatMap(({ children }) =>
      [...children.allTests('skipped')].flatMap(
        ({ fullName }) => /^.*\(skipped: [^>]*\)/.exec(fullName) ?? [],
      ),
    )
    for (const title of new Set(titles)) process.stdout.write(`Not run: ${title}\n`)
  },
}

export default defineConfig({
  test: {
    reporters: ['default', whySkipped],
    // Half of the time of most files was the loading of the tool, so the files of a project share what is loaded: the tool
    // keeps nothing from one run to the next. What handles signals or waits for processes has a process of its own.
    projects: [
      project('unit', unit),
      project('commands', commands),
      project('tables', tables),
      project('process', processes, true),
    ],
    // Each test waits for a loopback server much of its time.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: process.env.TMPDIR === undefined ? folderInMemory() : {},
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
