import { describe, expect, test } from 'vitest'
import { candidateTargets, loopback } from '../targets.ts'

const [uk] = candidateTargets

describe.each(candidateTargets)('a $adjective candidate', ({ flags }) => {
  const create = ['candidates', 'create', ...flags]
  const needed = ['generalSetting.forename', 'generalSetting.surname']

  test.each([
    ['nothing', '{}', needed],
    ['no name', '{"generalSetting":{"agencyRef":"A-1"}}', needed],
    ['blank names', '{"generalSetting":{"forename":" ","surname":"\u200B\u00A0"}}', needed],
    ['no surname', '{"generalSetting":{"forename":"Aoife"}}', ['generalSetting.surname']],
    ['a null for a section', '{"generalSetting":{"surname":"Shampla"}}', ['generalSetting.forename']],
  ])('a candidate of which is given %s is exit 3, and nothing is sent', async (_, input, paths) => {
    const { run, requests } = await loopback()
    const made = await run([...create, '--json'], { input })
    expect(made).toMatchObject({ code: 3, out: '' })
    expect(made.error()).toMatchObject({
      code: 'input',
      outcome: 'not-sent',
      message: 'The record is incomplete. Nothing was sent.',
      hint: 'To send it without, add --incomplete.',
    })
    expect(made.error().issues.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(requests).toEqual([])
  })

  test('may be sent without a name with --incomplete, and with one too', async () => {
    const { run, writes } = await loopback()
    expect((await run([...create, '--incomplete'], { input: '{}' })).code).toBe(0)
    const named = ['--set', 'forename=Aoife', '--set', 'surname=Shampla']
    expect((await run([...create, '--incomplete', ...named])).code).toBe(0)
    expect(writes()).toHaveLength(2)
  })

  test('is not called incomplete where a name is only misspelt', async () => {
    const { run } = await loopback()
    const made = await run([...create, '--json'], { input: '{"generalSetting":{"fornename":"Aoife"}}' })
    expect(made.error().issues).toEqual([
      {
        path: 'generalSetting.fornename',
        message: expect.stringContaining('did you mean generalSetting.forename?'),
      },
    ])
  })
})

describe('an update', () => {
  const person = { agencyRef: 'A-1', forename: 'Aoife', surname: 'Shampla' }

  async function withPerson(generalSetting: object) {
    const at = await loopback()
    await at.call('POST', uk.path, { generalSetting })
    const [{ id }] = (await at.run(['candidates', 'list', '--uk'])).json()
    return { ...at, update: ['candidates', 'update', id, '--uk', '--yes', '--json'] }
  }

  test.each([
    ['--unset', 'surname'],
    ['--set', 'surname= '],
  ])('an update that takes the name away (%s %s) is exit 3, and nothing is sent', async (...change) => {
    const { run, update, writes } = await withPerson(person)
    const made = await run([...update, ...change])
    expect(made.code).toBe(3)
    expect(made.error().issues).toEqual([
      { path: 'generalSetting.surname', message: 'a UK candidate needs it' },
    ])
    expect(writes()).toEqual([])
    expect((await run([...update, ...change, '--incomplete'])).code).toBe(0)
  })

  test('an update of a person who had no name before is not refused for that', async () => {
    const { run, update } = await withPerson({ agencyRef: 'A-1' })
    expect((await run([...update, '--set', 'city=Leeds'])).code).toBe(0)
  })
})
