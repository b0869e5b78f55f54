import { expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { asTyped } from '../payroll.ts'
import { start } from './built.ts'

test('an update under a program that keeps the pipe open ends by itself', async () => {
  const { env, call } = await loopback()
  const generalSetting = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
  await call('POST', '/svc/candidates', { generalSetting })
  const { child, ended } = start(asTyped`candidates update UK-1 --uk --set city=Hull`, { env, open: true })
  const { code } = await ended
  child.stdin.destroy()
  expect(code).toBe(0)
})
