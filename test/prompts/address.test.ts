import { describe, expect, test } from 'vitest'
import { draftsIn } from '../commands/drafts/draft-fixture.ts'
import { atTerminal, freshHome, keys } from '../payroll.ts'
import { answerForm, onlyThese } from './form-driver.ts'

/** The address that these replies make, line by line, and what the screen said. */
async function addressOf(replies: Record<string, string | readonly string[]>, country = '--uk') {
  const line = ['candidates', 'create', '--incomplete', '--dry-run', '--json', country]
  const terminal = atTerminal(line)
  await answerForm(terminal, onlyThese({ Surname: 'Example', 'What next?': 'Send', ...replies }))
  return { address: (await terminal.ended).json().body.generalSetting.address, screen: terminal.screen() }
}

const two = { 'Address, line 1': 'Flat 2', 'Address, line 2': '1 Example Street' }

describe.each([['--uk'], ['--ireland']])('an address (%s)', (country) => {
  test('keeps the lines typed before `?`, and asks for the same line again', async () => {
    const { address, screen } = await addressOf({ ...two, 'Address, line 3': ['?', ''] }, country)
    expect(address).toEqual(['Flat 2', '1 Example Street'])
    expect(screen.match(/· Address, line 3 \?\n/g)).toHaveLength(1)
    expect(screen.match(/✔ Address, line 1/g)).toHaveLength(1)
  })

  test('shows a line again when somebody goes back to it, and keeps it by Enter', async () => {
    const replies = { ...two, 'Address, line 2': ['1 Example Street', ''], 'Address, line 3': ['<', ''] }
    const { address, screen } = await addressOf(replies, country)
    expect(screen).toContain('? Address, line 2 [1 Example Street]')
    expect(address).toEqual(['Flat 2', '1 Example Street'])
  })

  test('keeps the lines after one that is typed anew', async () => {
    const replies = {
      'Address, line 1': ['Flat 2', 'Flat 3'],
      'Address, line 2': ['1 Example Street', '<', ''],
      'Address, line 3': ['<', ''],
    }
    expect((await addressOf(replies, country)).address).toEqual(['Flat 3', '1 Example Street'])
  })

  test('loses one line by a hyphen at it, and none by a hyphen where there is none yet', async () => {
    const away = { ...two, 'Address, line 2': ['1 Example Street', '-', ''], 'Address, line 3': ['<'] }
    expect((await addressOf(away, country)).address).toEqual(['Flat 2'])
    expect((await addressOf({ ...two, 'Address, line 3': '-' }, country)).address).toEqual([
      'Flat 2',
      '1 Example Street',
    ])
  })

  test('keeps the other lines when its first is typed anew, each by Enter', async () => {
    const anew = {
      ...two,
      'Address, line 1': ['Flat 2', 'Flat 3'],
      'Address, line 2': ['1 Example Street', ''],
      'What next?': ['Edit', 'Send'],
      'Which part?': 'Address',
    }
    const { address, screen } = await addressOf(anew, country)
    expect(screen).toContain('? Address, line 1 [Flat 2, 1 Example Street]')
    expect(screen).toContain('? Address, line 2 [1 Example Street]')
    expect(address).toEqual(['Flat 3', '1 Example Street'])
  })

  test('is in the draft as far as it was typed when somebody stops between two lines', async () => {
    const home = freshHome()
    const line = ['candidates', 'create', '--incomplete', country]
    const terminal = atTerminal(line, { home })
    const reply = onlyThese(two)
    await answerForm(terminal, (asked) =>
      asked.text.startsWith('Address, line 3') ? undefined : reply(asked),
    )
    await terminal.type('', keys.ctrlC)
    await terminal.ended
    const [draft] = draftsIn(home)
    expect(draft.answers).toContainEqual(['generalSetting.address', ['Flat 2', '1 Example Street']])
  })

  test('says what is asked next, so that the town is not typed into it', async () => {
    const { screen } = await addressOf(two, country)
    expect(screen).toContain(
      'House and street, a line each. The town and what comes after it are asked next.',
    )
  })
})
