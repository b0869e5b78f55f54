import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { once } from '../../src/once.ts'
import { run as built, start } from '../process/built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => JSON.parse(readFileSync(`${root}${name}`, 'utf8'))

/** The files of the package, as npm would pack them. */
const packed = once((): string[] => {
  const argv = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [{ files }] = JSON.parse(execFileSync('npm', argv, { cwd: root, encoding: 'utf8' }))
  return files.map(({ path }: { path: string }) => path)
})

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

describe('an unexpected error shows nothing of what it holds', () => {
  test.each([
    ['thrown', 'throw new Error(text)'],
    ['rejected', 'Promise.reject(new Error(text))'],
    ['no error at all', 'throw text'],
    ['with more in it', 'throw Object.assign(new TypeError(text),{headers:{authorization:text}})'],
  ])('%s: exit 1, one line and what to do', async (_, statement) => {
    const text = 'what stands at CANARY (file:///CANARY)\\n    at CANARY'
    // Once the tool has begun: it waits for its standard input.
    const source = `setTimeout(()=>{const text='${text}';${statement}},300)`
    const module = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
    const argv = ['auth', 'login', '--profile', 'development', '--base-url', 'http://127.0.0.1:9']
    const { child, ended } = start(argv, { env: { NODE_OPTIONS: `--import=${module}` }, open: true })
    setTimeout(() => child.stdin.end('CANARYkey0000'), 900)
    const { code, out, err } = await ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Error: payroll itself failed \(\w+.*\)\.\nThis is a bug in the tool\. .*\n$/)
    expect(err).not.toContain('CANARY')
  })
})

test('only the consent page is opened, and only the editor, the pager, the browser and what asks the keyring are started', () => {
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const starting = sources.filter((name) =>
    /child_process|\bshell: (?!async )|from 'open'/.test(readFileSync(`${root}src/${name}`, 'utf8')),
  )
  expect(starting.sort()).toEqual([
    'commands/auth/sign-in.ts',
    'commands/kit/update/editor.ts',
    'context/pager.ts',
    'credentials/keyring.ts',
  ])
})

describe('what is installed', () => {
  test('is the tool, its licences and its examples, and nothing else', () => {
    const odd = packed().filter(
      (path) =>
        !/^(bin|dist|examples)\/|^docs\/((decisions\/)?[\w-]+\.md|screens\/\w+\.svg)$|^(package\.json|[A-Z]+\.md|LICENSE)$/.test(
          path,
        ) || path.endsWith('.map'),
    )
    expect(odd).toEqual([])
    expect(packed()).toEqual(expect.arrayContaining(['dist/LICENCES.txt', 'dist/sbom.cdx.json']))
  })

  test('has all that its README and its documents lead to', () => {
    const shipped = packed()
    const documents = shipped.filter((path) => path.endsWith('.md'))
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/import.md', 'docs/security.md']))
    const targets = documents.flatMap((path) =>
      [...readFileSync(`${root}${path}`, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target.replace(/#.*$/, ''))
        .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
        .map((target) => posix.join(posix.dirname(path), target)),
    )
    expect(targets.length).toBeGreaterThan(5)
    expect(targets.filter((target) => !shipped.includes(target))).toEqual([])
  })

  test('names each package that is inside it, for a scanner, as CycloneDX', () => {
    const bill = read('dist/sbom.cdx.json')
    expect(Object.keys(bill).sort().join(' ')).toBe('bomFormat components metadata specVersion version')
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    const text = expect.any(String)
    const component = {
      type: expect.stringMatching(/^(application|library)$/),
      'bom-ref': text,
      name: text,
      version: text,
      licenses: expect.any(Array),
      purl: expect.stringMatching(/^pkg:npm\/(%40[^/]+\/)?[^/@]+@\d/),
    }
    const hash = { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }
    expect(bill.metadata.component).toMatchObject(component)
    expect(bill.components.length).toBeGreaterThanOrEqual(20)
    for (const { hashes, ...each } of bill.components) {
      expect(each).toMatchObject(component)
      for (const one of hashes) expect(one).toMatchObject(hash)
      for (const licence of each.licenses) expect(licence).toHaveProperty('expression')
    }
    const { name, version } = read('package.json')
    expect(bill.metadata.component).toMatchObject({ name, version })

    const components: { name: string; version: string; purl: string }[] = bill.components
    const licences = readFileSync(`${root}dist/LICENCES.txt`, 'utf8')
    for (const each of components) expect(licences).toContain(`${each.name} ${each.version} (`)
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length)
    const named = components.map((each) => each.name)
    expect(named).toEqual(expect.arrayContaining(['commander', 'hono', 'ky', 'zod', '@inquirer/core']))
    for (const outside of ['@napi-rs/keyring', 'libsql', 'rolldown', 'typescript'])
      expect(named).not.toContain(outside)
  })

  test('runs nothing when it is installed, from a registry or from a file, and needs no other package', () => {
    const { scripts, dependencies = {}, optionalDependencies } = read('package.json')
    // npm builds a clone after `prepare`, whether there is one or not; of a package it would ask to allow one.
    const install = ['preinstall', 'install', 'postinstall', 'prepare', 'dependencies']
    expect(Object.keys(scripts).filter((name) => install.includes(name))).toEqual([])
    expect([Object.keys(dependencies), Object.keys(optionalDependencies)]).toEqual([
      [],
      ['@napi-rs/keyring', 'libsql'],
    ])
  })

  test('is locked by hash, and no package runs anything when it is installed', () => {
    const { lockfileVersion, packages } = read('package-lock.json')
    expect(lockfileVersion).toBe(3)
    const installed = Object.entries(packages as Record<string, Locked>).filter(([path]) => path !== '')
    // Where a package comes from is the setting of each machine; the hash says that it is the same one.
    const loose = installed.filter(
      ([, { resolved, integrity = '' }]) => resolved !== undefined || !integrity.startsWith('sha512-'),
    )
    expect(loose.map(([path]) => path)).toEqual([])
    const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(running.map(([path]) => path)).toEqual([])
  })

  test('asks the network for nothing by itself', async () => {
    const dialled = "()=>{throw new Error('dialled')}"
    const spy = `import net from 'node:net';import dns from 'node:dns';net.Socket.prototype.connect=${dialled};dns.lookup=${dialled}`
    const module = `data:text/javascript;base64,${Buffer.from(spy).toString('base64')}`
    const env = { NODE_OPTIONS: `--import=${module}` }
    for (const line of ['--version', '--help', 'profiles list', '--profile sandbox candidates list'])
      expect(await built(line.split(' '), { env })).toMatchObject({ code: 0, err: '' })
  })
})
