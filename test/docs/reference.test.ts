import { describe, expect, test } from 'vitest'
import { entries } from '../../src/program.ts'
import { describeCommands } from './reference.ts'

describe('docs/reference.md', () => {
  test('is what the commands say of themselves: `npm run reference` writes it anew', async () => {
    await expect(await describeCommands()).toMatchFileSnapshot('../../docs/reference.md')
  })

  test('has a heading for every command', async () => {
    const headings = (await describeCommands()).match(/^## .*$/gm)
    expect(headings).toEqual(expect.arrayContaining(entries.map(({ name }) => `## ${name}`)))
  })
})
