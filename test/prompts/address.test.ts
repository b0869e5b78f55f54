import { describe, expect, test } from 'vitest'
import { draftsIn } from '../commands/drafts/draft-fixture.ts'
import { freshHome } from '../payroll.ts'
import { filled, onlyThese, type Replies, standingAt } from './form-driver.ts'

const two = { 'Address, line 1': 'Flat 2', 'Address, line 2': '1 Example Street' }

describe('an address', () => {
  const form = ['candidates', 'create', '--incomplete']

  /** The address that these replies make, line by line, and what the screen said. */
  async function addressOf(replies: Replies) {
    const given = onlyThese({ Surname: 'Example', 'What next?': 'Send', ...replies })
    const { body, screen } = await filled([...form, '--dry-run', '--json'], given)
    return { address: body().generalSetting.address, screen }
  }

  test('keeps the lines typed before `?`, and asks for the same line again', async () => {
    const spaced = { ...two, 'Address, line 2': ' 1 Example Street ' }
    const { address, screen } = await addressOf({ ...spaced, 'Address, line 3': ['?', ''] })
    expect(address).toEqual(['Flat 2', '1 Example Street'])
    expect(screen.match(/· Address, line 3 \?\n/g)).toHaveLength(1)
    expect(screen.match(/✔ Address, line 1/g)).toHaveLength(1)
  })

  test('shows a line again when somebody goes back to it, and keeps it by Enter', async () => {
    const replies = { ...two, 'Address, line 2': ['1 Example Street', ''], 'Address, line 3': ['<', ''] }
    const { address, screen } = await addressOf(replies)
    expect(screen).toContain('? Address, line 2 [1 Example Street]')
    expect(address).toEqual(['Flat 2', '1 Example Street'])
  })

  test('keeps the lines after one that is typed anew', async () => {
    const first = {
      'Address, line 1': ['Flat 2', 'Flat 3'],
      'Address, line 2': ['1 Example Street', '<', ''],
    }
    expect((await addressOf({ ...first, 'Address, line 3': ['<', ''] })).address).toEqual([
      'Flat 3',
      '1 Example Street',
    ])
  })

  test('loses one line by a hyphen at it, and none by a hyphen where there is none yet', async () => {
    const away = { ...two, 'Address, line 2': ['1 Example Street', '-', ''], 'Address, line 3': ['<'] }
    expect((await addressOf(away)).address).toEqual(['Flat 2'])
    const first = { 'Address, line 1': ['Flat 2', '-', ''], 'Address, line 2': ['1 Example Street', '<', ''] }
    expect((await addressOf({ ...first, 'Address, line 3': '<' })).address).toEqual(['1 Example Street'])
    expect((await addressOf({ ...two, 'Address, line 3': '-' })).address).toEqual([
      'Flat 2',
      '1 Example Street',
    ])
  })

  test('keeps the other lines when its first is typed anew, each by Enter', async () => {
    const { address, screen } = await addressOf({
      ...{ 'Address, line 1': ['Flat 2', 'Flat 3'], 'Address, line 2': ['1 Example Street', ''] },
      ...{ 'What next?': ['Edit', 'Send'], 'Which part?': 'Address' },
    })
    expect(screen).toContain('? Address, line 1 [Flat 2, 1 Example Street]')
    expect(screen).toContain('? Address, line 2 [1 Example Street]')
    expect(address).toEqual(['Flat 3', '1 Example Street'])
  })

  test('is in the draft as far as it was typed when somebody stops between two lines', async () => {
    const home = freshHome()
    const { leave } = await standingAt('Address, line 3', form, { home, replies: two })
    await leave()
    const [draft] = draftsIn(home)
    expect(draft.answers).toContainEqual(['generalSetting.address', ['Flat 2', '1 Example Street']])
  })

  test('is reviewed with the line that a doubt is about', async () => {
    const { screen } = await addressOf({
      ...two,
      'Address, line 2': '31/02/1990',
      'A date, a number': 'Keep',
    })
    expect(screen).toContain('    ! line 2: a date, a number or an email, and no line of an address\n')
  })

  test('says that the town has a field of its own, so that the town is not typed into it', async () => {
    const { screen } = await addressOf(two)
    expect(screen).toContain('? Address, line 2 (Enter when there are no more)')
    expect(screen).toContain('House and street, a line each. The town and the rest have their own fields.')
  })
})
