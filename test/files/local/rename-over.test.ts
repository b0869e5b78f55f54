import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replaceFile } from '../../../src/files/local/atomic-file.ts'
import { renameOver } from '../../../src/files/local/rename-over.ts'
import { freshHome } from '../../payroll.ts'

/** As the system reports it. */
const error = (code: string) => Object.assign(new Error(code), { code, syscall: 'rename' })

/** A rename that another program hinders so many times, and the pauses meanwhile. */
function hindered(times: number, code: string, system: NodeJS.Platform = 'win32') {
  const pauses: number[] = []
  let tries = 0
  const renamed = renameOver('from', 'to', {
    system,
    move: async () => {
      if (++tries <= times) throw error(code)
    },
    sleep: async (ms) => pauses.push(ms),
  })
  return { renamed, pauses, tries: () => tries }
}

describe('a rename on Windows', () => {
  test.each(['EBUSY', 'EPERM', 'EACCES'])(
    'is tried again while a scanner holds the file: %s',
    async (code) => {
      const { renamed, pauses } = hindered(3, code)
      await renamed
      expect(pauses).toEqual([10, 20, 40])
    },
  )

  test('is given up after some 1.3 seconds', async () => {
    const { renamed, pauses, tries } = hindered(100, 'EBUSY')
    await expect(renamed).rejects.toMatchObject({ code: 'EBUSY' })
    expect([pauses.reduce((sum, ms) => sum + ms), tries()]).toEqual([1270, 8])
  })
})

test.each([
  ['where the disk is full', 'ENOSPC', 'win32'],
  ['on another system, where nobody holds a file', 'EPERM', 'linux'],
] as const)('a rename is not tried again %s', async (_, code, system) => {
  const { renamed, tries } = hindered(1, code, system)
  await expect(renamed).rejects.toMatchObject({ code })
  expect(tries()).toBe(1)
})

describe('a file that is to be replaced, and is open in Excel', () => {
  /** What becomes of the files of a folder in which `people.csv` is held. */
  async function held(code: string, system: NodeJS.Platform, others: readonly string[] = []) {
    const home = freshHome()
    const path = join(home, 'people.csv')
    for (const name of ['people.csv', ...others]) writeFileSync(join(home, name), 'before')
    const part = join(home, 'part')
    writeFileSync(part, 'new')
    const rename = async () => {
      throw error(code)
    }
    const failure = await replaceFile(part, path, { system, rename }).catch((thrown: unknown) => thrown)
    return { home, path, failure, text: (name: string) => readFileSync(join(home, name), 'utf8') }
  }

  test('stays, and what was to be written is kept beside it: exit 2', async () => {
    const { home, path, failure, text } = await held('EBUSY', 'win32')
    expect(failure).toMatchObject({
      code: 'usage',
      message: `${path} is open in another program, such as Excel (EBUSY), and was not changed. What was to be written is in ${join(home, 'people (2).csv')}.`,
      details: { hint: 'Close it there, and use the new file in its place.' },
    })
    expect([text('people.csv'), text('people (2).csv')]).toEqual(['before', 'new'])
  })

  test('has what was to be written under the first name that is free', async () => {
    const { failure, text } = await held('EPERM', 'win32', ['people (2).csv', 'people (3).csv'])
    expect(failure).toMatchObject({ message: expect.stringContaining('people (4).csv') })
    expect([text('people (2).csv'), text('people (4).csv')]).toEqual(['before', 'new'])
  })

  test('is not said to be open in Excel on another system', async () => {
    const { failure } = await held('EPERM', 'linux')
    expect(failure).toMatchObject({ message: expect.stringContaining('cannot be replaced (EPERM)') })
  })

  test('leaves nothing beside it where the disk is full: exit 7', async () => {
    const { home, failure } = await held('ENOSPC', 'win32')
    expect(failure).toMatchObject({ code: 'temporary' })
    expect(readdirSync(home).sort()).toEqual(['part', 'people.csv'])
  })
})
