import { expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const payslip = {
  id: 'p1',
  nino: 'QQ123456A',
  date_of_birth: '1991-11-04',
  'Account No.': '31926819',
  bank: { sort_code: '60-16-13', bankAccount: { number: '55779911' } },
  eeNI: 120.5,
}
const secrets = ['123456', '1991', '31926', '60-16', '55779']

test('a payslip of undocumented names is masked in a table and in an error, and whole as JSON', async () => {
  const { env } = await service(({ method }, response) => {
    if (method === 'GET') return answerJson(response, 200, { data: [payslip], totalDocs: 1 })
    answerJson(response, 400, { message: 'QQ765432B is taken' })
  })
  const run = (words: string[], input = '') => payroll(words, { env, input })
  const shown = (await run(['payslips', 'list', '-o', 'table'])).out
  for (const secret of secrets) expect(shown).not.toContain(secret)
  expect(shown).toContain('120.5')
  expect((await run(['payslips', 'list'])).json()).toEqual([payslip])
  const refused = await run(
    ['candidates', 'create', '--incomplete'],
    '{"surname":"Sample","NINumber":"QQ765432B"}',
  )
  expect(refused.code).toBe(6)
  expect(refused.err).toContain('******32B is taken')
})
