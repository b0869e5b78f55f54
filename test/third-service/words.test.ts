import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { office } from './office.ts'
import { ownWord } from './service.ts'

test('a word that records of the service have is a known word, once one of them was read', async () => {
  const at = await office({ people: 3 })
  const run = (...words: string[]) => at.run(words)
  const file = join(at.home, 'people.csv')
  writeFileSync(
    file,
    `Agency ref,Forename,Surname,Right to work\nN-1,Ann,Sample,rtw verified\nN-2,Bob,Other,${ownWord}\n`,
  )
  const dry = () => run('candidates', 'import', file, '--dry-run', '--incomplete', '--json')
  expect((await dry()).out).toContain('is not one of the known values')
  expect((await run('candidates', 'list', '--json')).code).toBe(0)
  const known = await dry()
  expect([known.code, known.out]).toEqual([0, expect.not.stringContaining('is not one of the known values')])
  const set = [
    'candidates',
    'create',
    '--set',
    'forename=A',
    '--set',
    'surname=B',
    '--set',
    'rightToWorkStatus=rtw-verified',
  ]
  const sent = await run(...set, '--dry-run', '--strict', '--json')
  expect(sent.json().body.generalSetting.rightToWorkStatus).toBe(ownWord)
  expect((await run('explain', 'candidates.uk.rightToWorkStatus')).json()).toMatchObject({ seen: [ownWord] })
})
