import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeSplittingGroup, defineConfig, type Plugin } from 'rolldown'
import { ascii } from './build/ascii.ts'
import { lazyModules } from './build/lazy-modules.ts'

/**
 * What nearly every command loads, in three files in the place of forty: help needs the first, what is set up here
 * the first two, a call of the service all three. To open and compile a file costs more than the few lines in it that
 * one command does not use.
 */
const groups: CodeSplittingGroup[] = [
  {
    name: 'candidate-fields',
    test: /\/src\/model\/resources\/(samples|candidate|(uk|ireland)-candidate|country-candidates)\.ts$/,
    priority: 4,
    includeDependenciesRecursively: false,
  },
  { name: 'core', tags: ['$initial'], priority: 3 },
  {
    name: 'help',
    test: /\/src\/commands\/help\/(help|layout|topics)\.ts$/,
    priority: 2,
  },
  // With what declares a field: commands that send nothing say by it what they answer.
  {
    name: 'settings',
    test: /\/src\/(credentials\/(resolve|settings|keys|key|profile|base-url)|files\/local\/leftovers|model\/fields\/field)\.ts$/,
    priority: 2,
  },
  {
    name: 'call',
    test: /\/src\/(commands\/kit\/resource|context\/create-client|model\/natural-key)\.ts$/,
    priority: 1,
  },
]

/**
 * ky and our transport say `globalThis.Request`, and get these. The sandbox and its packages say `Request`, and get Node's:
 * a server needs all of it.
 */
const webClasses = fileURLToPath(new URL('build/web-classes.ts', import.meta.url))

const minify = { compress: true, mangle: { keepNames: true }, codegen: true }

/**
 * One file for each thing that is loaded on its own. CommonJS, because Node 20 starts it 11 ms sooner than ES
 * modules. Only the database stays outside: it is a native module. Whatever is inside is named, with its licence.
 * The source maps stay in a clone: they are larger than the tool, and Node reads them only when it is told to.
 */
const tool = defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['libsql'],
  // Only bin loads the entry, and only for main: what else a chunk exports for others may stand there too.
  preserveEntrySignatures: 'allow-extension',
  transform: {
    inject: {
      'globalThis.Request': [webClasses, 'Request'],
      'globalThis.Response': [webClasses, 'Response'],
      'globalThis.Headers': [webClasses, 'Headers'],
    },
    // ky asks whether the platform has these. Nothing of ours is a form with files or a stream.
    define: { 'globalThis.FormData': 'undefined', 'globalThis.ReadableStream': 'undefined' },
  },
  plugins: [lazyModules(), ownZod(), ascii(), contents()],
  output: {
    dir: 'dist',
    format: 'cjs',
    // No hash in a name: what is compiled of a file is kept by its name, and that of another build takes its place.
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    // What is outside the bundle is required: import() would load Node's loader of ES modules.
    dynamicImportInCjs: false,
    sourcemap: true,
    codeSplitting: { groups },
    minify,
  },
})

/** What bin loads before all else, to load the tool with what was compiled of it. */
const beforehand = defineConfig({
  input: { 'compile-cache': 'src/files/local/compile-cache.ts' },
  platform: 'node',
  plugins: [ascii()],
  output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs', minify },
})

export default [tool, beforehand]

/**
 * Gives what reads the settings a copy of zod/mini of its own, with the few functions that it uses: nearly every command loads
 * it, and would else load all that the other stored files use of zod.
 */
function ownZod(): Plugin {
  const mark = '?settings'
  return {
    name: 'own-zod',
    async resolveId(source, importer, options) {
      const isOurs = importer?.endsWith('/settings-shape.ts') && source === 'zod/mini'
      if (!isOurs && !importer?.endsWith(mark)) return null
      const found = await this.resolve(source, importer?.replace(mark, ''), { ...options, skipSelf: true })
      return found && { ...found, id: found.id + mark }
    },
    load: (id) => (id.endsWith(mark) ? readFileSync(id.slice(0, -mark.length), 'utf8') : null),
  }
}

/** The commit that is built, with a word where the sources are not those of it; empty where there is no git. */
function commitOfSources(): string {
  const asked = ['describe', '--always', '--exclude', '*', '--abbrev=8', '--dirty=-changed']
  const { status, stdout } = spawnSync('git', asked, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/**
 * Writes what is in the bundle of other packages: LICENCES.txt for people, sbom.cdx.json for programs; and build.json, which
 * tells one build from another.
 */
function contents(): Plugin {
  return {
    name: 'contents',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const packages = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
      const licences = packages.map(licenceOf).join('\n\n')
      this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: licences })
      const id = createHash('sha256')
      for (const file of Object.values(bundle)) if (file.type === 'chunk') id.update(file.code)
      const about = { commit: commitOfSources(), id: id.digest('hex').slice(0, 16) }
      const source = `${JSON.stringify(about)}\n`
      this.emitFile({ type: 'asset', fileName: 'build.json', source })
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: billOfMaterials(packages) })
    },
  }
}

/** The folder of the package that a module belongs to. */
function packageOf(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]
}

function licenceOf(directory: string): string {
  const { name, version, license } = manifestIn(directory)
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file && existsSync(join(directory, file)) ? readFileSync(join(directory, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}`
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

function manifestIn(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

/**
 * The packages as CycloneDX 1.6, which a scanner reads: `npm audit` of a user sees none of them. It holds no date and
 * no number of its own, so that the same sources build the same file.
 */
function billOfMaterials(packages: readonly string[]): string {
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...componentOf(manifestIn('.')) } },
    components: packages.map((directory) => {
      const { integrity } = locked[relative('.', directory).replaceAll('\\', '/')] ?? {}
      return { type: 'library', ...componentOf(manifestIn(directory)), ...hashOf(integrity) }
    }),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

function componentOf({ name, version, license }: Manifest) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { 'bom-ref': purl, name, version, ...(license && { licenses: [{ expression: license }] }), purl }
}

/** The hash of the package as npm locked it, in the notation of CycloneDX. */
function hashOf(integrity: string | undefined) {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? []
  if (!digest) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
}
