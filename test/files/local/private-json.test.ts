import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { privateJson } from '../../../src/files/local/private-json.ts'
import { freshHome } from '../../payroll.ts'

test('two changes at the same time are both kept', async () => {
  const file = join(freshHome(), 'letters.json')
  const open = () => privateJson(file, z.array(z.string()), { what: 'the letters' })
  await Promise.all(['a', 'b'].map((each) => open().change((before = []) => [...before, each])))
  expect((await open().read())?.toSorted()).toEqual(['a', 'b'])
})
