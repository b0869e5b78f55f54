import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import { longest, sortTestFiles } from './test/projects.ts'

const filesOf = sortTestFiles(import.meta.dirname)
const projects = ['process', 'tables', 'commands', 'unit'] as const

/** Half of the time of most files was the loading of the tool, so files share what is loaded: the tool keeps nothing from one run to the next. */
const sharing = (include: string[]) => ({ include, isolate: false })

/** Each worker loads the tool anew for each project: without a project asked for, all files are one. */
const isProjectAsked = process.argv.some((word) => word.startsWith('--project'))

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

const places = new Map(
  projects.flatMap((name, at) => filesOf[name].map((file) => [join(import.meta.dirname, file), at] as const)),
)

/** The longest files first, and project after project, so that at the end no worker waits long for another. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? longest.length : at
    }
    const place = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? 0
    return (await super.sort(files)).sort((a, b) => place(a) - place(b) || rank(a) - rank(b))
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
    // A file is compiled once, not once for each project.
    experimental: { fsModuleCache: true },
    reporters: ['default', whySkipped],
    ...(isProjectAsked
      ? {
          projects: projects.map(
            (name) => ({ extends: true, test: { name, ...sharing(filesOf[name]) } }) as const,
          ),
        }
      : sharing(Object.values(filesOf).flat())),
    sequence: { sequencer: LongestFirst },
    // Each test waits for a loopback server or a process much of its time.
    maxWorkers: availableParallelism() + 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
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
