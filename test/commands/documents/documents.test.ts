import {
  appendFileSync,
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
import { asTyped, atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { answering, service } from '../../service.ts'
import { seededHome } from '../../start-sandbox.ts'
import { file } from '../targets.ts'

const [bytes, large] = [100, 5 * 1024 * 1024].map((size) => Buffer.alloc(size, 'fake passport ')) as [
  Buffer,
  Buffer,
]

/** A service whose document bears this name, and a home. */
async function naming(name: unknown, content = bytes) {
  const data = { id: '7', name, content: content.toString('base64') }
  return { ...(await answering(200, { data })), home: freshHome() }
}

const get = (out: string, ...more: string[]) => asTyped`documents get 7 --employee 4f1c --out ${out} ${more}`
const upload = (path: string, ...more: string[]) =>
  asTyped`documents create --employee id:4f1c --upload ${path} ${more}`

/** What a run wrote into a folder, but for what the tool remembers of the service. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => name !== 'service-knowledge.jsonl')

/** A sandbox with the sample people, and the first person of a list with a document. */
async function seeded(...country: readonly string[]) {
  const home = await seededHome()
  const sandbox = (...words: string[]) => payroll(['--profile', 'sandbox', ...words], { home })
  const [person] = (await sandbox('candidates', 'list', ...country, '--limit', '1')).json()
  const listed = async (): Promise<any[]> =>
    (await sandbox('documents', 'list', '--employee', person.id)).json()
  const [document] = await listed()
  const at = (words: string[]) => atTerminal(['--profile', 'sandbox', 'documents', ...words], { home })
  return { home, sandbox, person, document, listed, at }
}

describe('documents get --out', () => {
  test('puts a document called ../../.bashrc nowhere but in the folder asked for, its bytes identical', async () => {
    const { env, home } = await naming('../../.bashrc', large)
    const folder = join(home, 'a', 'b')
    mkdirSync(folder, { recursive: true })
    const run = await payroll(get(folder), { home, env })
    const saved = join(folder, 'bashrc')
    expect([run.code, run.json()]).toEqual([0, { id: '7', name: '../../.bashrc', file: saved }])
    expect(filesIn(home)).toEqual(['a', 'a/b', 'a/b/bashrc'])
    expect(readFileSync(saved).equals(large)).toBe(true)
    expect(statSync(saved).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['nothing', { name: 'a.pdf' }, '', 'empty'],
    ['less than its size', { name: 'a.pdf', size: 9 }, '%PDF-1.7', 'cut short: 8 of 9 bytes'],
    ['an error as a page', { name: 'a.pdf' }, '<html>error</html>', 'as a web page'],
    ['a page of a proxy', { name: 'a.pdf' }, '\uFEFF\n<!DOCTYPE html><p>Sign in</p>', 'as a web page'],
  ])('writes no document of which %s came, and is exit 10', async (_, named, text, says) => {
    const data = { id: '7', ...named, content: Buffer.from(text).toString('base64') }
    const [{ env }, home] = [await answering(200, { data }), freshHome()]
    const out = join(home, 'a.pdf')
    for (const to of [out, '-'])
      expect(await payroll(get(to), { home, env })).toMatchObject(
        endedWith(10, `The document came back ${says}`),
      )
    expect(existsSync(out)).toBe(false)
  })

  test('writes a page that is named as one', async () => {
    const { env, home } = await naming('terms.html', Buffer.from('<html>terms</html>'))
    expect((await payroll(get(join(home, 'terms.html')), { home, env })).code).toBe(0)
  })

  test('leaves a file that is there, unless forced', async () => {
    const { env, home } = await naming('a.pdf')
    const out = file(home, 'a.pdf', 'mine')
    expect(await payroll(get(out), { home, env })).toMatchObject(endedWith(2, '--force'))
    expect(readFileSync(out, 'utf8')).toBe('mine')
    expect((await payroll(get(out, '--force'), { home, env })).code).toBe(0)
    expect(readFileSync(out).equals(bytes)).toBe(true)
  })

  test.each([[[]], [['--force']]])('never writes through a symbolic link (%j)', async (more) => {
    const { env, home } = await naming('link')
    const target = file(home, 'target', 'mine')
    symlinkSync(target, join(home, 'link'))
    expect((await payroll(get(home, ...more), { home, env })).code).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('mine')
  })

  test('- is standard output: the bytes of the document and nothing else, whatever the environment says', async () => {
    const { env } = await naming('a.pdf', large)
    const run = await payroll(get('-'), { env: { ...env, PAYROLL_OUTPUT: 'table' } })
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('Wrote')])
    expect(Buffer.from(run.out).equals(large)).toBe(true)
    expect(existsSync('-')).toBe(false)
  })

  test('- is exit 2 at a terminal and says what to type, and nothing is read', async () => {
    const { env, received } = await naming('a.pdf')
    const terminal = atTerminal(get('-'), { env })
    expect([(await terminal.ended).code, received]).toEqual([2, []])
    expect(terminal.screen()).toMatch(/--out - \|\s+less/)
  })

  test.each([
    ['missing/', false],
    ['missing/a.pdf', true],
  ])('says that the folder of %s is missing, and writes nothing', async (out, isRead) => {
    const { env, received, home } = await naming('a.pdf')
    expect(await payroll(get(join(home, out)), { home, env })).toMatchObject(
      endedWith(2, /there is no folder \S+missing/i),
    )
    expect([received.length > 0, filesIn(home)]).toEqual([isRead, []])
  })

  test.runIf(process.platform === 'linux')(
    'does not call a folder missing in which no file can be made',
    async () => {
      const { env, home } = await naming('a.pdf')
      expect(await payroll(get('/proc/a.pdf'), { home, env })).toMatchObject(
        endedWith(2, '/proc/a.pdf could not be written (ENOENT)'),
      )
      // Nobody may make a file there, not even root.
      const refused = await payroll(get('/sys/a.pdf'), { home, env })
      expect(refused).toMatchObject(endedWith(2, '/sys/a.pdf could not be written: you may not write there'))
      expect(refused.err).toContain('Name a file in a folder of your own.')
    },
  )

  test.each([
    ['payslip.pdf', 'payslip.pdf'],
    ['..\\..\\system.ini', 'system.ini'],
    ['/etc/passwd', 'passwd'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['a\u0000b\u202Efdp.exe', 'abfdp.exe'],
    ['name. . ', 'name'],
    ['Lohnzettel für Jürgen.pdf', 'Lohnzettel für Jürgen.pdf'],
    [`${'é'.repeat(500)}.pdf`, `${'é'.repeat(98)}.pdf`],
    ['.bashrc', 'bashrc'],
    [' .ssh', 'ssh'],
    ['C:\\x', 'x'],
    ['a::$DATA', 'a$DATA'],
    ['a<b>', 'ab'],
    ['x\u2028y\uFEFF', 'xy'],
    ['😀'.repeat(99), '😀'.repeat(50)],
    ['..', undefined],
    ['', undefined],
    ['///', undefined],
  ])('a document that is called %j becomes the file %j of a folder', async (name, saved) => {
    const { env, home } = await naming(name, Buffer.from('fake'))
    const { code } = await payroll(get(`${home}/`), { home, env })
    expect([code, filesIn(home)]).toEqual(saved === undefined ? [2, []] : [0, [saved]])
  })
})

test('documents create takes the person and the file, and asks nothing else of a script', async () => {
  const { listed, home, person } = await seeded()
  const path = file(home, 'one.pdf', 'fake')
  const create = ['--profile', 'sandbox', 'documents', 'create', person.agencyRef]
  expect((await payroll([...create, path], { home })).code).toBe(0)
  expect((await listed()).map(({ name }) => name)).toContain('one.pdf')
  const twice = await payroll([...create, path, '--upload', path + path], { home })
  expect(twice).toMatchObject(endedWith(2, '--upload cannot be combined with a file'))
  const both = await payroll([...create, path, '--file', path], { home })
  expect(both).toMatchObject(endedWith(2, '--file cannot be combined with a file to upload'))
})

test('documents create says at a terminal that a document of this name is there already', async () => {
  const { home, person, at, listed } = await seeded()
  const file = join(home, 'passport.pdf')
  writeFileSync(file, '%PDF-1.7')
  const upload = () => at(['create', person.agencyRef, file])
  expect((await upload().ended).err).not.toContain('already')
  const [{ id }] = (await listed()).filter(({ name }) => name === 'passport.pdf')
  const again = upload()
  await again.type('Upload passport.pdf', keys.enter)
  const { code, err } = await again.ended
  expect([code, err.replace(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining(`a document of this name is there already (${id})`),
  ])
  expect((await listed()).filter(({ name }) => name === 'passport.pdf')).toHaveLength(1)
})

test('documents create takes the person and the file, whichever comes first', async () => {
  const { sandbox, home, person } = await seeded()
  const path = file(home, 'one.pdf', 'fake')
  const create = (...words: string[]) => sandbox('documents', 'create', ...words)
  expect(await create(person.agencyRef, path, '--employee', 'SANDBOX-UK-02')).toMatchObject(
    endedWith(2, '--employee cannot be combined with a person'),
  )
  expect((await create(path, '--employee', person.agencyRef)).json()).toMatchObject({ name: 'one.pdf' })
  expect((await create(path, person.agencyRef)).json()).toMatchObject({ name: 'one.pdf' })
  expect(await create(path, path)).toMatchObject(endedWith(5, 'No record'))
  // No path of a file, and so a person.
  for (const reference of [`${path}/1`, 'x'.repeat(300)])
    expect(await create(reference, path)).toMatchObject(endedWith(5, 'No record'))
})

describe('documents create --upload', () => {
  test('sends the name without its folder, the media type and the bytes', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const path = file(freshHome(), 'passport.pdf', 'fake passport')
    expect((await payroll(upload(path, '--set', 'description=Fake'), { env })).code).toBe(0)
    expect(received[0]?.url).toBe('/svc/employees/4f1c/documents')
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      name: 'passport.pdf',
      contentType: 'application/pdf',
      content: Buffer.from('fake passport').toString('base64'),
      description: 'Fake',
    })
  })

  test('says on standard error where a link leads, and sends the name of the link', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const home = freshHome()
    const [other, link] = [file(home, 'other.pdf', 'fake passport'), join(home, 'link.pdf')]
    symlinkSync(other, link)
    const linked = await payroll(upload(link, '--quiet'), { home, env })
    expect(linked).toMatchObject(endedWith(0, `link.pdf is a link to ${other}; that file is sent.`))
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ name: 'link.pdf' })
    const plain = await payroll(upload(other), { home, env })
    expect([plain.code, plain.err]).toEqual([0, expect.not.stringContaining('is a link')])
  })

  test('refuses what is no plain file, and what is too large, before anything is sent', async () => {
    const { env, received } = await answering(201, {})
    const home = freshHome()
    const large = file(home, 'large.bin', Buffer.alloc(17 * 1024 * 1024))
    for (const path of ['/dev/zero', home, large, join(home, 'missing')]) {
      const { code, err } = await payroll(upload(path), { home, env })
      expect([path, code, err]).toEqual([path, 2, expect.stringContaining('Nothing was sent')])
    }
    expect(received).toEqual([])
  })

  test.each([
    ['passport.pdf', 'hello\n', true],
    ['passport.jpg', '%PDF-1.7', true],
    ['passport.pdf', '\n%PDF-1.7', false],
    ['note.txt', 'hello\n', false],
    ['payslip.pdf', '<!doctype html><title>Sign in</title>', true],
    ['page.html', '<!doctype html><title>Sign in</title>', false],
  ])('says of %s with %j whether it is the document that its name says', async (name, content, isOther) => {
    const { env } = await answering(201, { data: { id: '7' } })
    const home = freshHome()
    const { code, err } = await payroll(upload(file(home, name, content)), { home, env })
    expect([code, err.includes('is not the document that its name says')]).toEqual([0, isOther])
  })

  test('refuses a file that changes while it is read: half of the one and half of the other would be sent', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const path = file(freshHome(), 'scan.bin', Buffer.alloc(8 * 1024 * 1024))
    const running = payroll(upload(path), { env })
    const writing = setInterval(() => appendFileSync(path, 'more'), 0)
    const run = await running.finally(() => clearInterval(writing))
    expect(run).toMatchObject(endedWith(3, 'scan.bin was changed while it was read. Nothing was sent.'))
    expect(received).toEqual([])
  })

  test('refuses a file of no bytes: nothing could be read of it again', async () => {
    const { env, received } = await answering(201, { data: { id: '7' } })
    const run = await payroll(upload(file(freshHome(), 'empty.pdf', '')), { env })
    expect(run).toMatchObject(endedWith(3, 'empty.pdf is empty. Nothing was sent'))
    expect(received).toEqual([])
  })
})

describe('documents', () => {
  test.each(['get', 'update --set name=x.pdf', 'delete --yes'])(
    'need to know whose they are: without that %s is exit 2, and names the list that says it',
    async (words) => {
      const { person, document, sandbox } = await seeded('--ireland')
      const [verb = '', ...more] = words.split(' ')
      for (const typed of [document.id, `${document.id.slice(0, 8)}…`]) {
        const { code, error } = await sandbox('documents', verb, typed, ...more, '--errors', 'json')
        const condition = `id~${typed.replace('…', '')}`
        expect([code, error().message]).toEqual([2, expect.stringContaining('--employee')])
        expect(error().hint).toContain(`payroll documents list --where "${condition}"`)
        const found = (await sandbox('documents', 'list', '--where', condition)).json()
        expect(found).toMatchObject([{ id: document.id, person: { id: person.id } }])
      }
    },
  )

  test('of everybody are listed by their own ids, not by that of the person', async () => {
    const { person, document, sandbox } = await seeded()
    const ids = async (id: string) =>
      (await sandbox('documents', 'list', '--where', `id=${id}`)).json().map((one: any) => one.id)
    expect([await ids(document.id), await ids(person.id)]).toEqual([[document.id], []])
  })

  test.each([
    ['id', 'id'],
    ['name', 'agencyRef'],
  ])(
    'are deleted after one question, which names the document, and the person as typed: by %s and %s',
    async (by, who) => {
      const { person, document, listed, at } = await seeded('--ireland')
      const terminal = at(['delete', document[by], '--employee', person[who]])
      const whose = who === 'id' ? `the person with the id ${person.id}` : person.agencyRef
      await terminal.type(`Delete ${document.name} of ${whose} on sandbox?`, `y${keys.enter}`)
      const { code, err } = await terminal.ended
      expect([code, err]).toEqual([0, expect.stringContaining(`Deleted ${document.name} of ${whose}.\n`)])
      expect(terminal.screen().match(/✔ Delete /g)).toHaveLength(1)
      expect(await listed()).not.toContainEqual(expect.objectContaining({ id: document.id }))
    },
  )

  test('are looked up before a deletion is asked about', async () => {
    const { person, at } = await seeded('--ireland')
    const missing = at(['delete', 'no-such-file.txt', '--employee', person.agencyRef])
    expect((await missing.ended).code).toBe(5)
    expect(missing.screen()).not.toContain('?')
  })

  test.each(['agencyRef', 'id'])(
    'are uploaded after each question was asked once, the last with the person as typed: by %s',
    async (by) => {
      const { home, person, listed, at } = await seeded()
      const whose = by === 'id' ? `the person with the id ${person.id}` : person.agencyRef
      const path = file(home, 'passport.pdf', 'fake passport')
      const terminal = at(['create', '--employee', person[by]])
      await terminal.type('File', path + keys.enter)
      await terminal.type('Name', keys.enter)
      await terminal.type('Description', keys.enter)
      await terminal.type(`Upload passport.pdf for ${whose} on sandbox?`, `y${keys.enter}`)
      expect((await terminal.ended).code).toBe(0)
      expect(terminal.screen().match(/✔ (File|Upload) /g)).toEqual(['✔ File ', '✔ Upload '])
      expect((await listed()).filter(({ name }) => name === 'passport.pdf')).toHaveLength(1)
    },
  )

  test('are shown at a terminal without their content, with the command that saves it', async () => {
    const { env } = await naming('passport.pdf', large)
    const argv = ['documents', 'get', '7', '--employee', '4f1c']
    const terminal = atTerminal(argv, { env })
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen().length).toBeLessThan(1000)
    expect(terminal.screen()).toMatch(/passport\.pdf[\s\S]*5242880/)
    expect(terminal.screen()).toContain(`payroll ${argv.join(' ')} --out passport.pdf`)
    expect((await payroll(argv, { env })).json().content).toBe(large.toString('base64'))
  })

  test('are found by the reference of the person, or the beginning of the id', async () => {
    const { sandbox, person, listed } = await seeded('--ireland')
    const list = (employee: string) => sandbox('documents', 'list', '--employee', employee)
    for (const typed of [person.agencyRef, person.id.slice(0, 8)]) {
      const run = await list(typed)
      expect(run).toMatchObject(endedWith(0, person.surname))
      expect(run.json()).toEqual(await listed())
    }
    expect((await list('ZZ-NOBODY')).code).not.toBe(0)
  })

  test('are not deleted without a word', async () => {
    const { env, received } = await service((_, response) => response.writeHead(204).end())
    const argv = ['documents', 'delete', '7', '--id', '--employee', 'id:4f1c']
    expect([(await payroll(argv, { env })).code, received]).toEqual([2, []])
    const run = await payroll([...argv, '--yes'], { env })
    expect([run.code, run.json()]).toEqual([0, { deleted: true, id: '7' }])
  })
})

test('a document that is not there under its name is said in plain words', async () => {
  const home = await seededHome()
  const words = asTyped`--profile sandbox documents get nope.pdf --reference --employee SANDBOX-UK-01`
  expect(await payroll(words, { home })).toMatchObject(
    endedWith(5, 'No document has the reference nope.pdf.'),
  )
})
