import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accessTo, closeFolder } from '../../src/files/windows-access.ts'

const folder = 'C:\\Users\\ann\\AppData\\Local\\payroll\\Config'
const sid = 'S-1-5-21-1004336348-1177238915-682003330-1013'
const icacls = 'C:\\Windows\\System32\\icacls.exe'

/** The programs of Windows: what they print, or the code that they end with; and how they were called. */
function windows({ whoami = `"acme\\ann","${sid}"\r\n`, list = '', fails = '' } = {}) {
  const calls: string[][] = []
  const run = async (program: string, args: readonly string[]) => {
    if (program.endsWith('whoami.exe')) return whoami
    calls.push([program, ...args])
    if (fails !== '' && args.includes(fails)) throw Object.assign(new Error('failed'), { code: 5 })
    const [, option, file = ''] = args
    if (option === '/save') writeFileSync(file, `Config\r\n${list}\r\n`, 'utf16le')
    return ''
  }
  return { calls, run }
}

describe('the folder of the settings on Windows', () => {
  test('lets in its owner alone, by number, before it takes off what it has from above', async () => {
    const { calls, run } = windows()
    expect(await closeFolder(folder, run)).toBeUndefined()
    expect(calls).toEqual([
      [icacls, folder, '/grant:r', `*${sid}:(OI)(CI)F`],
      [icacls, folder, '/inheritance:r'],
    ])
  })

  test.each(['/grant:r', '/inheritance:r'])(
    'is left as it is, and that is said, where Windows refuses %s',
    async (fails) => {
      const { calls, run } = windows({ fails })
      expect(await closeFolder(folder, run)).toBe(
        `The folder ${folder} could not be closed to other users of this computer (icacls: 5). To see who may open it: payroll doctor`,
      )
      expect(calls.at(-1)).toContain(fails)
    },
  )

  test.each([
    [`D:PAI(A;OICI;FA;;;${sid})`, []],
    [`D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${sid})`, []],
    ['D:AI(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)', ['every user of this computer']],
    ['D:(A;OICI;FA;;;WD)(A;;FR;;;WD)(D;;FA;;;BG)S:AI', ['everybody']],
    ['D:(A;;FA;;;S-1-5-21-1-2-3-1014)', ['S-1-5-21-1-2-3-1014']],
  ])('is open to others by the list %j: %j', async (list, others) => {
    expect(await accessTo(folder, windows({ list }).run)).toEqual({
      others,
      remedy: `icacls "${folder}" /grant:r "*${sid}:(OI)(CI)F" /inheritance:r`,
    })
  })

  test('is not said to be closed where Windows says nothing, or not who runs the tool', async () => {
    expect(await accessTo(folder, windows({ fails: '/save' }).run)).toBeUndefined()
    expect(await accessTo(folder, async () => '')).toBeUndefined()
  })
})
