import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { About } from './inside/entry.ts'
import { signForMacos } from './sign-macos.ts'
import { stripElf } from './strip-elf.ts'
import { isLinux, nodeFor, type SystemName } from './systems.ts'

const postject = 'node_modules/postject/dist/cli.js'

/**
 * Builds the executable of a system from dist and the Node for that system: one file that needs no Node and unpacks
 * nothing. The keyring's module is to lie beside it (`keyringFor`). Only the Node for Linux runs here, so only that executable has inside what V8 compiled of the tool.
 *
 * @param path where it is written
 */
export async function buildExecutable(system: SystemName, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'payroll-executable-'))
  try {
    const node = nodeFor(system)
    const files = namesIn('dist').filter((name) => name.endsWith('.cjs'))
    const compiled = system === 'linux-x64' ? await compile(resolve(node), folder) : []
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const { commit } = JSON.parse(readFileSync('dist/build.json', 'utf8'))
    const about: About = { version, build: `executable ${system}`, commit, compiled }
    writeFileSync(join(folder, 'about.json'), JSON.stringify(about))
    await bundle('entry', join(folder, 'entry.cjs'))
    const assets = {
      'about.json': join(folder, 'about.json'),
      ...Object.fromEntries(files.map((name) => [name, resolve('dist', name)])),
      ...Object.fromEntries(
        compiled.map((name) => [`${name}.compiled`, join(folder, 'compiled', `${name}.compiled`)]),
      ),
    }
    const blob = makeBlob(folder, assets)
    mkdirSync(dirname(path), { recursive: true })
    if (system === 'win-x64') return writeFileSync(path, withBlob(windowsWithRoom(node, folder), blob))
    if (isLinux(system)) writeFileSync(path, stripElf(readFileSync(node)), { mode: 0o755 })
    else copyFileSync(node, path)
    inject(path, blob, system === 'macos-arm64' ? ['--macho-segment-name', 'NODE_SEA'] : [])
    if (system === 'macos-arm64') writeFileSync(path, signForMacos(readFileSync(path), 'payroll'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function inject(path: string, blob: string, options: readonly string[] = []): void {
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
  run(process.execPath, [postject, path, 'NODE_SEA_BLOB', blob, ...fuse, ...options])
}

/** What is in the place of the blob until it is there: larger than any blob, and Node reads no further than its end. */
const room = Buffer.alloc(4 * 1024 * 1024)
room.write('the room for the blob of payroll')

/** The Node for Windows with room for a blob. Making it takes ten seconds, so it is kept beside that Node. */
function windowsWithRoom(node: string, folder: string): Buffer {
  const kept = join(dirname(node), `node-with-room-${room.length}.exe`)
  if (!existsSync(kept)) {
    const [made, filling] = [join(folder, 'node.exe'), join(folder, 'room')]
    copyFileSync(node, made)
    writeFileSync(filling, room)
    inject(made, filling)
    copyFileSync(made, `${kept}.${process.pid}`)
    renameSync(`${kept}.${process.pid}`, kept)
  }
  return readFileSync(kept)
}

function withBlob(program: Buffer, path: string): Buffer {
  const blob = readFileSync(path)
  const at = program.indexOf(room)
  if (at < 0 || blob.length > room.length) throw new Error(`there is no room for ${blob.length} bytes`)
  blob.copy(program, at)
  program.fill(0, at + blob.length, at + room.length)
  return program
}

/**
 * Makes the same bytes each time: one seed for the hashes of names, no compiled code dropped, and one thread,
 * because with more a busy machine numbers functions in another order.
 */
const alike = ['--hash-seed=1', '--no-flush-bytecode', '--single-threaded']

/** Runs some commands with the executable's Node. Returns the files whose compiled code it wrote. */
async function compile(node: string, folder: string): Promise<string[]> {
  const programs = { compile: join(folder, 'compile.mjs'), verify: join(folder, 'verify.mjs') }
  await bundle('compile', programs.compile)
  await bundle('verify', programs.verify)
  const flags = run(node, ['-p', "new vm.Script('').createCachedData().readUInt32LE(3 * 4)"]).trim()
  const to = join(folder, 'compiled')
  run(node, [...alike, programs.compile, resolve('dist'), to, flags])
  const names = namesIn(to).map((name) => name.replace(/\.compiled$/, ''))
  run(node, [programs.verify, resolve('dist'), to, ...names])
  return names
}

/** Makes what Node reads inside of itself: main script and assets. The Node for Linux makes every one. */
function makeBlob(folder: string, assets: Readonly<Record<string, string>>): string {
  const settings = { main: 'entry.cjs', output: 'payroll.blob', assets, disableExperimentalSEAWarning: true }
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(settings))
  // From within the folder: Node writes the path of the main script into the blob, as it was given.
  run(resolve(nodeFor('linux-x64')), ['--experimental-sea-config', 'sea.json'], folder)
  return join(folder, settings.output)
}

/** Bundles a program of `inside` into one file. An executable can begin with nothing but CommonJS. */
async function bundle(name: 'entry' | 'compile' | 'verify', file: string): Promise<void> {
  const made = await rolldown({
    input: `build/package/inside/${name}.ts`,
    platform: 'node',
    logLevel: 'warn',
  })
  await made.write({ file, format: name === 'entry' ? 'cjs' : 'esm' })
  await made.close()
}

/** The files below a folder, sorted, with slashes. */
function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** Runs a program to its end and returns what it printed. Throws with what it said, where it failed. */
function run(program: string, words: readonly string[], cwd = '.'): string {
  // What a program inherits must not change what it makes.
  const { PATH, TMPDIR, SystemRoot } = process.env
  // One thread for files: what is compiled is numbered in the order in which it is asked for.
  const env = { PATH, TMPDIR, SystemRoot, TZ: 'UTC', UV_THREADPOOL_SIZE: '1' }
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
