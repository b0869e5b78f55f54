import { expect, test } from 'vitest'
import { startSandbox } from '../start-sandbox.ts'
import { launch, tool } from './built.ts'

/** A script that somebody writes around the tool, and what must come out: its standard output, in full. */
type Row = readonly [does: string, script: string, out: string]

const rows: readonly Row[] = [
  [
    'creates and updates people in a while loop, which keeps its standard input',
    `printf 'W-1 One\\nW-2 Two\\n' | while read -r ref name; do
       $P candidates create --incomplete --set agencyRef=$ref --set surname=$name --yes -q --query created -r
       $P candidates update $ref --set city=Ely --yes -q --query city -r
     done`,
    'true\nEly\ntrue\nEly\n',
  ],
  [
    'creates people by xargs, four at a time, each once',
    `for round in 1 2; do seq 1 4 | xargs -P4 -I{} $P candidates create --incomplete --set agencyRef=W-{} --set surname=Sample{} --unique --yes -q >/dev/null 2>&1 || echo "xargs $?"; done
     $P candidates list -q --where agencyRef~W- --query 'length(@)'`,
    'xargs 123\n4\n',
  ],
  [
    'runs the command that the refusal of an Irish reference names, as it stands',
    `$P candidates update SANDBOX-IE-01 --set city='New Town' --yes -q --errors json 2>err || echo $?
     eval "$(tail -1 err | node -pe 'JSON.parse(require("fs").readFileSync(0)).error.next[0]')" >/dev/null 2>&1
     $P candidates get SANDBOX-IE-01 --ireland -q --query city -r`,
    '2\nNew Town\n',
  ],
]

test.each(rows)('a script %s', async (_, script, out) => {
  const { env, home } = await startSandbox({ seeded: true })
  // What a hint calls payroll is the tool.
  const lines = `set -euo pipefail; payroll() { ${tool} "$@"; }; ${script}`
  const ended = await launch('/bin/bash', ['-c', lines], { home, env: { ...env, P: tool }, cwd: home }).ended
  expect(ended.out, ended.err).toBe(out)
})
