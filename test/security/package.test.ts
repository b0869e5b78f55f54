import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { run as built, start } from '../process/built.ts'

const root = new URL('../..', import.meta.url).pathname
const read = (name: string) => JSON.parse(readFileSync(`${root}${name}`, 'utf8'))

const registry = 'https://registry.npmjs.org/'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

describe('4: an error that nobody caught shows nothing of what it holds', () => {
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

describe('26: no address is ever opened', () => {
  test('the only program that is started is the editor that a person named', () => {
    const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const starting = sources.filter((name) =>
      /child_process|\bshell:|from 'open'/.test(readFileSync(`${root}src/${name}`, 'utf8')),
    )
    expect(starting).toEqual(['commands/kit/editor.ts'])
  })
})

describe('50: what is installed', () => {
  test('is the tool, its licences and its examples, and nothing else', () => {
    const argv = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const [{ files }] = JSON.parse(execFileSync('npm', argv, { cwd: root, encoding: 'utf8' }))
    const odd = (files as { path: string }[])
      .map(({ path }) => path)
      .filter(
        (path) => !/^(bin|dist|examples)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path),
      )
    expect(odd).toEqual([])
    expect(files.map(({ path }: { path: string }) => path)).toContain('dist/LICENCES.txt')
  })

  test('runs nothing when it is installed, and depends on few', () => {
    const { scripts, dependencies } = read('package.json')
    const install = ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare', 'dependencies']
    expect(Object.keys(scripts).filter((name) => install.includes(name))).toEqual([])
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(15)
  })

  test('is locked, by hash, to one registry, and no package runs anything when it is installed', () => {
    const { lockfileVersion, packages } = read('package-lock.json')
    expect(lockfileVersion).toBe(3)
    const installed = Object.entries(packages as Record<string, Locked>).filter(([path]) => path !== '')
    const loose = installed.filter(
      ([, { resolved = registry, integrity = '' }]) =>
        !resolved.startsWith(registry) || !integrity.startsWith('sha512-'),
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
    for (const argv of [
      ['--version'],
      ['--help'],
      ['profiles', 'list'],
      ['--profile', 'sandbox', 'candidates', 'list'],
    ]) {
      expect(await built(argv, { env })).toMatchObject({ code: 0, err: '' })
    }
  })
})
