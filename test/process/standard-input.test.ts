import { expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { asTyped } from '../payroll.ts'
import { shell, start } from './built.ts'

const people = ['UK-1', 'UK-2', 'UK-3']

async function staffed() {
  const at = await loopback()
  for (const agencyRef of people)
    await at.call('POST', '/svc/candidates', {
      generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' },
    })
  return at
}

const update = '"$PAYROLL" candidates update "$ref" --uk --set taxCode="$code" --quiet'

test.each([
  [
    'CSV',
    String.raw`printf '%s\n' UK-1,1111L UK-2,2222L UK-3,3333L`,
    `while IFS=, read -r ref code; do ${update} > /dev/null; done`,
  ],
  [
    'NDJSON',
    String.raw`printf '{"generalSetting":{"agencyRef":"%s"},"payrollSetting":{"taxCode":"%s"}}\n' UK-1 1111L UK-2 2222L UK-3 3333L`,
    `while read -r line; do ref=$(echo "$line" | cut -d'"' -f6); code=$(echo "$line" | cut -d'"' -f12); ${update} > /dev/null; done`,
  ],
])(
  'a shell loop over lines of %s changes each person once, with the code of their own line',
  async (_, lines, loop) => {
    const { env, run, writes } = await staffed()
    const before = writes().length
    const ended = await shell(`${lines} > "$HOME/changes" && ${loop} < "$HOME/changes"`, { env }).ended
    expect(ended).toMatchObject({ code: 0, err: '' })
    const listed = await run(['candidates', 'list', '--uk', '--columns', 'agencyRef,setting.taxCode'])
    const codes = listed.json().map((each: any) => `${each.agencyRef} ${each.setting.taxCode}`)
    expect(codes).toEqual(['UK-1 1111L', 'UK-2 2222L', 'UK-3 3333L'])
    expect(writes()).toHaveLength(before + 3)
  },
)

test('an update under a program that keeps the pipe open ends by itself', async () => {
  const { env } = await staffed()
  const { child, ended } = start(asTyped`candidates update UK-1 --uk --set city=Hull`, {
    env,
    open: true,
  })
  const { code } = await ended
  child.stdin.destroy()
  expect(code).toBe(0)
})
