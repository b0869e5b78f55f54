import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

test('a word that records of the service have is a known word, once one of them was read', async () => {
  const { env, call } = await startSandbox()
  const ownWord = 'RTW_VERIFIED'
  await call('POST', '/svc/candidates', {
    generalSetting: { agencyRef: 'E-1', surname: 'Sample', rightToWorkStatus: ownWord },
  })
  const home = freshHome()
  const run = (words: string, ...more: string[]) => payroll([...words.split(' '), ...more], { env, home })
  const file = join(home, 'people.csv')
  const rows = [
    'Agency ref,Forename,Surname,Right to work',
    'N-1,Ann,Sample,rtw verified',
    `N-2,Bob,Other,${ownWord}`,
  ]
  writeFileSync(file, `${rows.join('\n')}\n`)
  const set = '--set forename=A --set surname=B --set rightToWorkStatus=rtw-verified'
  const create = `candidates create ${set} --incomplete --dry-run --json`
  expect((await run(create)).out).toContain('is not one of the known values')
  // An import reads the list itself.
  const known = await run('candidates import --dry-run --incomplete --json', file)
  expect([known.code, known.out]).toEqual([0, expect.not.stringContaining('is not one of the known values')])
  const sent = await run(`${create} --strict`)
  expect(sent.json().body.generalSetting.rightToWorkStatus).toBe(ownWord)
  const explained = await run('explain candidates.uk.rightToWorkStatus')
  expect(explained.json()).toMatchObject({ seen: [ownWord] })
})
