import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'

/** Says two rates: a reader that keeps the last, or the first, pays another amount than was meant. */
const twice = '{"generalSetting":{"agencyRef":"A1","rateHour":10,"rateHour":99}}'

async function office(record = '{}') {
  const { env, received } = await service(({ method, url }, response) => {
    if (method === 'GET' && url.includes('?')) return answerJson(response, 200, { data: [], totalDocs: 0 })
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(method === 'GET' ? record : '')
  })
  const home = freshHome()
  return {
    run: (words: string[], input = '', more: Record<string, string> = {}) =>
      payroll(words, { home, input, env: { ...env, ...more } }),
    write(name: string, text: string) {
      writeFileSync(join(home, name), text)
      return join(home, name)
    },
    written: () => received.filter(({ method }) => method !== 'GET'),
  }
}

describe('a name that stands twice in one object of the input', () => {
  test.each(['--file', 'pipe'])('is refused by its path, and nothing is sent: %s', async (by) => {
    const { run, write, written } = await office()
    const words = [
      'candidates',
      'create',
      '--uk',
      ...(by === '--file' ? ['--file', write('a.json', twice)] : []),
    ]
    const { code, err } = await run(words, by === 'pipe' ? twice : '')
    expect(code).toBe(3)
    expect(err).toContain('it has the same name more than once. Nothing was sent.')
    expect(err).toContain('generalSetting.rateHour: given more than once')
    expect(written()).toEqual([])
  })

  test('is refused with its row by an import of NDJSON, and of JSON', async () => {
    const { run, write, written } = await office()
    const sound = twice.replace('"rateHour":10,', '')
    for (const [file, path] of [
      [write('rows.ndjson', `${sound}\n${twice}\n`), 'generalSetting.rateHour'],
      [write('rows.json', `[${sound},${twice}]`), '[1].generalSetting.rateHour'],
    ] as const) {
      const { code, err } = await run(['candidates', 'import', file])
      expect([file, code]).toEqual([file, 3])
      expect(err).toContain(`${path}: given more than once`)
    }
    expect(written()).toEqual([])
  })

  test('is refused in an object that a cell or --set holds', async () => {
    const { run, write, written } = await office()
    const cell = write('rows.csv', `Agency reference\tpayrollSetting.cutOffPoints\nA1\t"{""a"":1,""a"":2}"\n`)
    const imported = await run(['candidates', 'import', '--ireland', cell])
    expect([imported.code, imported.err]).toEqual([3, expect.stringContaining('a is given more than once')])
    const set = await run(
      'candidates create --ireland --set payrollSetting.cutOffPoints={"a":1,"a":2}'.split(' '),
    )
    expect([set.code, set.err]).toEqual([
      3,
      expect.stringContaining('payrollSetting.cutOffPoints: a is given more than once'),
    ])
    expect(written()).toEqual([])
  })

  test('is refused in what an editor leaves', async () => {
    const { run, write, written } = await office('{"data":{"id":"a1","generalSetting":{"agencyRef":"A1"}}}')
    const editor = write('edit', `#!/bin/sh\nprintf '%s' '${twice}' > "$1"\n`)
    chmodSync(editor, 0o700)
    const { code, err } = await run(['candidates', 'update', 'a1', '--edit', '--yes'], '', { EDITOR: editor })
    expect([code, err]).toEqual([3, expect.stringContaining('generalSetting.rateHour: given more than once')])
    expect(written()).toEqual([])
  })

  test('is refused in a map of columns', async () => {
    const { run, write, written } = await office()
    const map = write('map.json', '{"Ref":"generalSetting.agencyRef","Ref":"generalSetting.city"}')
    const { code, err } = await run(['candidates', 'import', write('a.csv', 'Ref\nA1\n'), '--map', map])
    expect([code, err]).toEqual([2, expect.stringContaining('it has the same name more than once (Ref)')])
    expect(written()).toEqual([])
  })
})

describe('a name that stands twice in a record of the service', () => {
  const record = `{"data":${twice}}`

  test('is no obstacle to reading it', async () => {
    const { run } = await office(record)
    expect((await run(['candidates', 'get', 'a1'])).json().generalSetting.rateHour).toBe(99)
  })

  test('keeps it from being updated: nobody knows which value to write back', async () => {
    const { run, written } = await office(record)
    const { code, err } = await run('candidates update a1 --set generalSetting.city=Leeds --yes'.split(' '))
    expect(code).toBe(10)
    expect(err).toContain('The answer contains data.generalSetting.rateHour more than once')
    expect(written()).toEqual([])
  })

  test('keeps a record from being updated that could be sent but for it', async () => {
    const part = {
      id: 'a1',
      agencyRef: 'A1',
      bank: { sortCode: '601613', accountNumber: '31926819' },
      setting: {},
    }
    const sound = JSON.stringify({ data: wholeFor(['candidates'], part).record })
    const twice = sound.replace('"accountNumber":', '"accountNumber":"55779911","accountNumber":')
    const update = ['candidates', 'update', 'a1', '--set', 'generalSetting.city=Leeds', '--yes']
    const { run, written } = await office(twice)
    expect([(await run(update)).code, written()]).toEqual([10, []])
    const once = await office(sound)
    await once.run(update)
    expect(once.written()).toHaveLength(1)
  })
})
