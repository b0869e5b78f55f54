import { expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'

test('payroll complete offers the marks, writes and runs of this computer', async () => {
  const home = freshHome()
  const sandbox = (...words: string[]) => payroll(['--profile', 'sandbox', ...words], { home })
  await sandbox('sandbox', 'seed')
  await sandbox('changes', '--mark', 'payday')
  await sandbox('candidates', 'update', 'SANDBOX-UK-01', '--set', 'city=York')
  const [{ id, run }] = (await sandbox('history')).json()
  const offered = async (...words: string[]) => {
    const { out } = await payroll(['complete', '--', ...words, ''], {
      home,
      env: { PAYROLL_PROFILE: 'sandbox' },
    })
    return out.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  }
  expect(await offered('changes', 'forget')).toEqual(['payday'])
  expect(await offered('changes', '--since')).toEqual(['payday'])
  expect(await offered('history', '--since')).toEqual([])
  expect(await offered('undo')).toEqual([id])
  expect(await offered('undo', '--run')).toEqual([run])
})
