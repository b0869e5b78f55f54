import { expect, test } from 'vitest'
import { describeCommands } from './reference.ts'

test('docs/reference.md is what the commands say of themselves: `npm run reference` writes it anew', async () => {
  await expect(await describeCommands()).toMatchFileSnapshot('../../docs/reference.md')
})
