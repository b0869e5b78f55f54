import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { type JournalState, readJournal } from '../../src/import/read-journal.ts'
import { decodeLine, encodeLine, openJournal } from '../../src/import/write-journal.ts'
import { freshHome } from '../payroll.ts'

const header = {
  origin: 'https://payroll.example.com',
  base: '',
  profile: 'production',
  operation: 'candidates.create',
  sha256: '0'.repeat(64),
  salt: '1'.repeat(32),
}
const hash = 'f'.repeat(32)
const line = (key: string, state: string, more = {}) => ({ key, hash, state, attempt: 1, ...more })

/** A journal of three rows: one created, one refused, one about to be sent. */
async function written(): Promise<{ path: string; bytes: Buffer }> {
  const path = join(freshHome(), 'imports', 'one.journal')
  const journal = await openJournal(path, header, undefined, Date.now)
  for (const each of [
    line('A-1', 'intent'),
    line('A-1', 'created', { id: 'one', http: 201 }),
    line('A-2', 'intent'),
    line('A-2', 'refused', { http: 422 }),
    line('A-3', 'intent'),
  ]) {
    await journal.append(each)
  }
  await journal.close()
  return { path, bytes: readFileSync(path) }
}

const read = async (path: string, bytes: Uint8Array): Promise<JournalState | Failure> => {
  writeFileSync(path, bytes)
  try {
    return (await readJournal(path)) as JournalState
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

const statesOf = ({ rows }: JournalState) => [...rows].map(([key, { creation }]) => [key, creation?.state])

describe('journals', () => {
  test('a journal remembers the last word on every row; what was about to be sent is in doubt', async () => {
    const { path } = await written()
    const found = await readJournal(path)
    expect(found?.header).toMatchObject({ v: 1, ...header })
    expect(statesOf(found as JournalState)).toEqual([
      ['a-1', 'done'],
      ['a-2', 'refused'],
      ['a-3', 'unclear'],
    ])
    expect(found?.rows.get('a-1')).toEqual({
      reference: 'A-1',
      creation: {
        ...{ state: 'done', requests: 1, hash, id: 'one', tries: [{ isAcknowledged: true }] },
        at: expect.any(Number),
      },
      left: undefined,
    })
    expect(found?.torn).toBe(false)
  })

  test('a journal that is a link to another file is not followed', async () => {
    const { path } = await written()
    const link = join(path, '..', 'two.journal')
    symlinkSync(path, link)
    await expect(readJournal(link)).rejects.toMatchObject({ code: 'usage' })
    await expect(openJournal(link, header, undefined, Date.now)).rejects.toMatchObject({ code: 'bug' })
  })

  test('a journal says nobody was created who was not, wherever a crash cut it off', async () => {
    const { path, bytes } = await written()
    const created = bytes.indexOf('"state":"created"')
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10)
    for (let length = 0; length < bytes.length; length++) {
      const found = (await read(path, bytes.subarray(0, length))) as JournalState
      expect(found).not.toBeInstanceOf(Failure)
      const whole = ends.filter((end) => end < length).length
      expect(found.seq).toBe(whole)
      expect(found.end).toBe(whole === 0 ? 0 : (ends[whole - 1] as number) + 1)
      expect(found.torn).toBe(length !== found.end)
      if (length < created) expect(found.rows.get('a-1')?.creation?.state).not.toBe('done')
      for (const key of ['a-2', 'a-3']) expect(found.rows.get(key)?.creation?.state).not.toBe('done')
    }
  })

  test('a journal goes on after a cut as if the cut line had never been begun', async () => {
    const { path, bytes } = await written()
    const before = (await read(path, bytes.subarray(0, bytes.length - 5))) as JournalState
    const journal = await openJournal(path, header, before, Date.now)
    await journal.append(line('A-9', 'intent'))
    await journal.close()
    const after = (await readJournal(path)) as JournalState
    expect(after.torn).toBe(false)
    expect(statesOf(after).map(([key]) => key)).toEqual(['a-1', 'a-2', 'a-9'])
  })

  test('a journal of which not even the first line was written is begun anew', async () => {
    const { path, bytes } = await written()
    const before = (await read(path, bytes.subarray(0, 20))) as JournalState
    expect(before.header).toBeUndefined()
    await (await openJournal(path, { ...header, salt: '2'.repeat(32) }, before, Date.now)).close()
    expect((await readJournal(path))?.header?.salt).toBe('2'.repeat(32))
  })

  test('a journal with any one bit turned calls nobody created who was not', async () => {
    const { path, bytes } = await written()
    const lineFeed = 10
    const tryBit = async (at: number, bit: number) => {
      const turned = Buffer.from(bytes)
      turned[at] = (turned[at] as number) ^ (1 << bit)
      // One bit of each byte through a file, and those that make or unmake a line: the others only spoil a line.
      if (bit > 0 && bytes[at] !== lineFeed && turned[at] !== lineFeed) {
        const line = turned.subarray(bytes.lastIndexOf(lineFeed, at) + 1, bytes.indexOf(lineFeed, at))
        expect(decodeLine(line)).toBeUndefined()
        return
      }
      const found = await read(`${path}.${bit}`, turned)
      if (found instanceof Failure) return
      const created = statesOf(found).filter(([, state]) => state === 'done')
      expect(created.every(([key]) => key === 'a-1')).toBe(true)
      // Whatever is read is a beginning of what was written.
      expect(bytes.subarray(0, found.end).equals(turned.subarray(0, found.end))).toBe(true)
    }
    for (const at of bytes.keys()) await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((bit) => tryBit(at, bit)))
  })

  const damaged = 'The journal of this import is damaged at line 3.'
  const bug = { code: 'bug', details: { outcome: 'not-sent' } }
  const cut = (line: string) => line.slice(0, -3)

  test.each<[string, (lines: string[]) => string[], object]>([
    [
      'that is damaged in a line before its last',
      (lines) => lines.toSpliced(2, 1, cut(lines[2] ?? '')),
      { ...bug, message: damaged },
    ],
    ['of which a line before its last was taken out', (lines) => lines.toSpliced(2, 1), bug],
    // A crash cuts off only one.
    [
      'whose last two lines are damaged',
      (lines) => [...lines.slice(0, -2), ...lines.slice(-2).map(cut)],
      bug,
    ],
    ['of another version', () => [encodeLine({ seq: 1, v: 2, ...header }).trimEnd()], { code: 'usage' }],
  ])('a journal %s is not used', async (_, change, failure) => {
    const { path, bytes } = await written()
    const lines = change(bytes.toString().trimEnd().split('\n'))
    expect(await read(path, Buffer.from(`${lines.join('\n')}\n`))).toMatchObject(failure)
  })

  test('a journal lets a thousand rows wait together and keeps their order', async () => {
    const path = join(freshHome(), 'imports', 'many.journal')
    const journal = await openJournal(path, header, undefined, Date.now)
    await Promise.all(Array.from({ length: 1000 }, (_, at) => journal.append(line(`A-${at}`, 'intent'))))
    await journal.close()
    const found = (await readJournal(path)) as JournalState
    expect(found.seq).toBe(1001)
    expect([...found.rows.keys()].slice(0, 3)).toEqual(['a-0', 'a-1', 'a-2'])
  })

  test('a journal that cannot be written never says it was, and is not asked again', async () => {
    const path = join(freshHome(), 'imports', 'closed.journal')
    const journal = await openJournal(path, header, undefined, Date.now)
    await journal.close()
    for (let times = 0; times < 2; times++) {
      await expect(journal.append(line('A-1', 'intent'))).rejects.toMatchObject({ code: 'bug' })
    }
  })
})
