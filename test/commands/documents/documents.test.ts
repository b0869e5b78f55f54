import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answering, service } from '../../service.ts'

const bytes = Buffer.alloc(5 * 1024 * 1024, 'fake passport ')

/** A service whose document bears this name. */
const naming = (name: unknown) =>
  answering(200, { data: { id: '7', name, content: bytes.toString('base64') } })

const get = (out: string, ...more: string[]) => asTyped`documents get 7 --employee 4f1c --out ${out} ${more}`

/** A sandbox with the sample people, and the first person of a list. */
async function seeded(...country: readonly string[]) {
  const home = freshHome()
  const sandbox = (...words: string[]) => payroll(['--profile', 'sandbox', ...words], { home })
  await sandbox('sandbox', 'seed')
  const [person] = (await sandbox('candidates', 'list', ...country, '--limit', '1')).json()
  return { home, sandbox, person }
}

describe('documents get --out', () => {
  test('puts a document called ../../.bashrc nowhere but in the folder asked for, its bytes identical', async () => {
    const { env } = await naming('../../.bashrc')
    const home = freshHome()
    const folder = join(home, 'a', 'b')
    mkdirSync(folder, { recursive: true })
    const run = await payroll(get(folder), { home, env })
    expect(run.code).toBe(0)
    expect(readdirSync(folder)).toEqual(['bashrc'])
    expect(readdirSync(home)).toEqual(['a'])
    expect(readdirSync(join(home, 'a'))).toEqual(['b'])
    expect(readFileSync(join(folder, 'bashrc')).equals(bytes)).toBe(true)
    expect(statSync(join(folder, 'bashrc')).mode & 0o777).toBe(0o600)
    expect(run.json()).toEqual({ id: '7', name: '../../.bashrc', file: join(folder, 'bashrc') })
  })

  test('leaves a file that is there, unless forced', async () => {
    const { env } = await naming('a.pdf')
    const home = freshHome()
    const out = join(home, 'a.pdf')
    writeFileSync(out, 'mine')
    const run = await payroll(get(out), { home, env })
    expect(run.code).toBe(2)
    expect(run.err).toContain('--force')
    expect(readFileSync(out, 'utf8')).toBe('mine')
    expect((await payroll(get(out, '--force'), { home, env })).code).toBe(0)
    expect(readFileSync(out).equals(bytes)).toBe(true)
  })

  test.each([[[]], [['--force']]])('never writes through a symbolic link (%j)', async (more) => {
    const { env } = await naming('link')
    const home = freshHome()
    const target = join(home, 'target')
    writeFileSync(target, 'mine')
    symlinkSync(target, join(home, 'link'))
    const run = await payroll(get(home, ...more), { home, env })
    expect(run.code).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('mine')
  })

  test('- is standard output: the bytes of the document and nothing else, whatever the environment says', async () => {
    const { env } = await naming('a.pdf')
    const run = await payroll(get('-'), { env: { ...env, PAYROLL_OUTPUT: 'table' } })
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('Wrote')])
    expect(Buffer.from(run.out).equals(bytes)).toBe(true)
    expect(existsSync('-')).toBe(false)
  })

  test.each(['--force', '--json', '--columns=id', '--query=id'])(
    '- is exit 2 with %s, which would have no effect, and nothing is read',
    async (option) => {
      const { env, received } = await naming('a.pdf')
      const run = await payroll(get('-', option), { env })
      expect([run.code, run.out, received]).toEqual([2, '', []])
      expect(run.err).toContain('has no effect with --out -')
    },
  )

  test('- is exit 2 at a terminal and says what to type, and nothing is read', async () => {
    const { env, received } = await naming('a.pdf')
    const terminal = atTerminal(get('-'), { env })
    expect([(await terminal.ended).code, received]).toEqual([2, []])
    expect(terminal.screen()).toMatch(/--out - \|\s+less/)
  })

  test.each([
    ['missing/', []],
    ['missing/a.pdf', ['GET']],
  ])('says that the folder of %s is missing, and writes nothing', async (out, methods) => {
    const { env, received } = await naming('a.pdf')
    const home = freshHome()
    const run = await payroll(get(join(home, out)), { home, env })
    expect(run.code).toBe(2)
    expect(run.err).toMatch(/there is no folder \S+missing/i)
    expect(received.slice(-1).map(({ method }) => method)).toEqual(methods)
    expect(readdirSync(home)).not.toContain('missing')
  })
})

describe('documents create --upload', () => {
  test('sends the name without its folder, the media type and the bytes', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const home = freshHome()
    writeFileSync(join(home, 'passport.pdf'), 'fake passport')
    const argv = ['documents', 'create', '--employee', 'id:4f1c', '--upload', join(home, 'passport.pdf')]
    const run = await payroll([...argv, '--set', 'description=Fake'], { home, env })
    expect(run.code).toBe(0)
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      name: 'passport.pdf',
      contentType: 'application/pdf',
      content: Buffer.from('fake passport').toString('base64'),
      description: 'Fake',
    })
    expect(received[0]?.url).toBe('/svc/employees/4f1c/documents')
  })

  test('says on standard error where a link leads, and sends the name of the link', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const home = freshHome()
    writeFileSync(join(home, 'other.pdf'), 'fake passport')
    symlinkSync(join(home, 'other.pdf'), join(home, 'link.pdf'))
    const argv = ['documents', 'create', '--employee', 'id:4f1c', '--upload']
    const linked = await payroll([...argv, join(home, 'link.pdf'), '--quiet'], { home, env })
    expect(linked.code).toBe(0)
    expect(linked.err).toContain(`link.pdf is a link to ${join(home, 'other.pdf')}; that file is sent.`)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ name: 'link.pdf' })
    const plain = await payroll([...argv, join(home, 'other.pdf')], { home, env })
    expect([plain.code, plain.err]).toEqual([0, expect.not.stringContaining('is a link')])
  })

  test('refuses what is no plain file, and what is too large, before anything is sent', async () => {
    const { env, received } = await answering(201, {})
    const home = freshHome()
    writeFileSync(join(home, 'large.bin'), Buffer.alloc(17 * 1024 * 1024))
    for (const file of ['/dev/zero', home, join(home, 'large.bin'), join(home, 'missing')]) {
      const run = await payroll(asTyped`documents create --employee id:4f1c --upload ${file}`, {
        home,
        env,
      })
      expect([file, run.code]).toEqual([file, 2])
      expect(run.err).toContain('Nothing was sent')
    }
    expect(received).toEqual([])
  })
})

describe('documents', () => {
  test('need to know whose they are', async () => {
    const run = await payroll(['--profile', 'sandbox', 'documents', 'get', '7'])
    expect([run.code, run.err]).toEqual([2, expect.stringContaining('--employee')])
  })

  test('are deleted after a question that names the document and the person', async () => {
    const { home, sandbox, person } = await seeded('--ireland')
    const employee = ['--employee', person.id]
    const [document] = (await sandbox('documents', 'list', ...employee)).json()
    const terminal = atTerminal(asTyped`--profile sandbox documents delete ${document.id} ${employee}`, {
      home,
    })
    const whose = `${person.forename} ${person.surname} (${person.agencyRef}, Ireland)`
    await terminal.type(`Delete ${document.name} of ${whose} on sandbox?`, `y${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
    const left = (await sandbox('documents', 'list', ...employee)).json()
    expect(left).not.toContainEqual(expect.objectContaining({ id: document.id }))
  })

  test('are looked up by name and reference before a deletion is asked about, and asked about once', async () => {
    const { home, sandbox, person } = await seeded('--ireland')
    const [document] = (await sandbox('documents', 'list', '--employee', person.id)).json()
    const remove = (name: string) =>
      atTerminal(asTyped`--profile sandbox documents delete ${name} --employee ${person.agencyRef}`, {
        home,
      })
    const missing = remove('no-such-file.txt')
    expect((await missing.ended).code).toBe(5)
    expect(missing.screen()).not.toContain('?')
    const terminal = remove(document.name)
    const whose = `${person.forename} ${person.surname} (${person.agencyRef}, Ireland)`
    await terminal.type(`Delete ${document.name} of ${whose} on sandbox?`, `y${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen().match(/✔ Delete /g)).toHaveLength(1)
  })

  test.each([
    ['the reference', (person: any) => person.agencyRef],
    ['the id', (person: any) => person.id],
  ])(
    'are uploaded after each question was asked once, the last with the name of the person: by %s',
    async (_, typed) => {
      const { home, sandbox, person } = await seeded()
      writeFileSync(join(home, 'passport.pdf'), 'fake passport')
      const argv = ['--profile', 'sandbox', 'documents', 'create', '--employee', typed(person)]
      const terminal = atTerminal(argv, { home })
      await terminal.type('File', join(home, 'passport.pdf') + keys.enter)
      await terminal.type('Name', keys.enter)
      await terminal.type('Description', keys.enter)
      const whose = `${person.forename} ${person.surname} (${person.agencyRef}, UK)`
      await terminal.type(`Upload passport.pdf for ${whose} on sandbox?`, `y${keys.enter}`)
      expect((await terminal.ended).code).toBe(0)
      expect(terminal.screen().match(/✔ (File|Upload) /g)).toEqual(['✔ File ', '✔ Upload '])
      const listed = (await sandbox('documents', 'list', '--employee', person.id)).json()
      expect(listed.filter(({ name }: any) => name === 'passport.pdf')).toHaveLength(1)
    },
  )

  test('are shown at a terminal without their content, with the command that saves it', async () => {
    const { env } = await naming('passport.pdf')
    const argv = ['documents', 'get', '7', '--employee', '4f1c']
    const terminal = atTerminal(argv, { env })
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen().length).toBeLessThan(1000)
    expect(terminal.screen()).toMatch(/passport\.pdf[\s\S]*5242880/)
    expect(terminal.screen()).toContain(`payroll ${argv.join(' ')} --out passport.pdf`)
    const piped = await payroll(argv, { env })
    expect(piped.json().content).toBe(bytes.toString('base64'))
  })

  test.each([
    ['the reference', (person: any) => person.agencyRef],
    ['the beginning of the id', (person: any) => person.id.slice(0, 8)],
  ])('are found by %s of the person', async (_, typed) => {
    const { sandbox, person } = await seeded('--ireland')
    const list = ['documents', 'list', '--employee']
    const listed = await sandbox(...list, typed(person))
    expect(listed.code).toBe(0)
    expect(listed.json()).toEqual((await sandbox(...list, person.id)).json())
    expect(listed.err).toContain(person.surname)
    expect((await sandbox(...list, 'ZZ-NOBODY')).code).not.toBe(0)
  })

  test('are not deleted without a word', async () => {
    const { env, received } = await service((_, response) => response.writeHead(204).end())
    const home = freshHome()
    const argv = ['documents', 'delete', '7', '--id', '--employee', 'id:4f1c']
    expect((await payroll(argv, { home, env })).code).toBe(2)
    expect(received).toEqual([])
    const run = await payroll([...argv, '--yes'], { home, env })
    expect([run.code, run.json()]).toEqual([0, { deleted: true, id: '7' }])
  })
})

describe('documents get into a folder: the name that the service gives a file', () => {
  /** The files that are written of a document with this name. */
  async function written(name: string): Promise<string[]> {
    const data = { id: '7', name, content: Buffer.from('fake').toString('base64') }
    const { env } = await answering(200, { data })
    const home = freshHome()
    const { code } = await payroll(get(`${home}/`), { home, env })
    const files = readdirSync(home).filter((each) => !each.startsWith('.'))
    expect([code, files.length]).toEqual(files.length === 1 ? [0, 1] : [2, 0])
    return files
  }

  test.each([
    ['payslip.pdf', 'payslip.pdf'],
    ['../../.bashrc', 'bashrc'],
    ['..\\..\\system.ini', 'system.ini'],
    ['/etc/passwd', 'passwd'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['a\u0000b\u202Efdp.exe', 'abfdp.exe'],
    ['name. . ', 'name'],
    ['Lohnzettel für Jürgen.pdf', 'Lohnzettel für Jürgen.pdf'],
    ['..', undefined],
    ['', undefined],
    ['///', undefined],
  ])('%j becomes %j', async (given, safe) => {
    expect(await written(given)).toEqual(safe === undefined ? [] : [safe])
  })

  test('has at most 200 bytes and keeps its ending', async () => {
    const [name = ''] = await written(`${'é'.repeat(500)}.pdf`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name.endsWith('é.pdf')).toBe(true)
  })
})
