// @module-tag process

import { expect, test } from 'vitest'
import { launch, tool } from '../process/built.ts'
import { office } from './office.ts'

/** A script that somebody writes around the tool, and what must come out: its standard output, in full. */
type Row = readonly [does: string, script: string, out: string]

/** A field of the error on standard error, which is the last line of `err`. */
const errorsField = (name: string) =>
  `tail -1 err | node -pe 'const e = JSON.parse(require("fs").readFileSync(0)).error; ${name}'`

const rows: readonly Row[] = [
  [
    'creates people in a while loop, and collects their ids',
    `printf 'W-1 One\\nW-2 Two\\nW-3 Three\\n' | while read -r ref name; do
       $P candidates create --incomplete --set agencyRef=$ref --set forename=Ann --set surname=$name --yes -q --query id -r
     done`,
    'new-1\nnew-2\nnew-3\n',
  ],
  [
    'creates people by xargs, four at a time, each once',
    `for round in 1 2; do seq 1 6 | xargs -P4 -I{} $P candidates create --incomplete --set agencyRef=W-{} --set forename=Bea --set surname=Sample{} --unique --yes -q >/dev/null 2>&1 || echo "xargs $?"; done
     $P candidates list -q --where agencyRef~W- --query 'length(@)'`,
    'xargs 123\n6\n',
  ],
  [
    'writes literals as in the documentation of aws',
    `$P candidates list -q --query '[?surname==\`Sample F5\`].id' -r; $P candidates list -q --query "[?surname=='Sample F5'].id" -r`,
    'old-5\nold-5\n',
  ],
  [
    'takes what to do next from a failure, as it stands, until it knows',
    `$P candidates get NOPE -q --errors json 2>err || ${errorsField('[e.exitCode, e.outcome, e.next[0]].join("\\n")')}
     eval "$(${errorsField('e.next[0]')})" 2>/dev/null || echo $?`,
    '5\n\npayroll candidates find NOPE\n5\n',
  ],
  [
    'runs the command that the refusal of an Irish reference names',
    `export PAYROLL_EMPTY_FIELDS=left-out
     $P candidates update ALT-001 --set city=Galway --yes -q --errors json 2>err || echo $?
     eval "$(${errorsField('e.next[0]')})" >/dev/null 2>&1; $P candidates get ALT-001 --ireland -q --query city -r`,
    '2\nGalway\n',
  ],
  [
    'updates people in a loop, which keeps its standard input',
    `export PAYROLL_EMPTY_FIELDS=left-out
     printf 'OLD-010\\nOLD-011\\n' | while read -r ref; do $P candidates update $ref --set city=Ely --yes -q >/dev/null; echo $ref; done
     $P candidates get OLD-011 -q --query city -r`,
    'OLD-010\nOLD-011\nEly\n',
  ],
  [
    'changes what get printed, and sends it back',
    `export PAYROLL_EMPTY_FIELDS=left-out
     $P candidates get OLD-013 -q | $P candidates update OLD-013 --file - --changes --yes -q --query changed
     $P candidates get OLD-013 -q | sed 's/"hours": 30/"hours": 31/' | $P candidates update OLD-013 --file - --changes --yes -q --query 'changes[].path' -r`,
    'false\ngeneralSetting.hours\n',
  ],
  [
    'creates or updates by one line of NDJSON, and leaves no file behind',
    `for city in York York Ely; do
       echo "{\\"agencyRef\\":\\"W-1\\",\\"forename\\":\\"Ann\\",\\"surname\\":\\"Sample\\",\\"city\\":\\"$city\\"}" |
         $P candidates import - --update --incomplete --yes -q --query '[created, updated, unchanged]' -o json | tr -d ' \\n'
     done; echo; ls`,
    '[1,0,0][0,0,1][0,1,0]\n',
  ],
  [
    'gives a person named before the document what it meant',
    `echo x > p60.txt; $P documents create old-1 --upload p60.txt --yes -q >/dev/null
     $P documents delete old-1 p60.txt --yes -q --json 2>err || eval "$(${errorsField('e.next[0]')} ) --yes -q --query deleted"
     $P documents list old-1 -q --query 'length(@)'`,
    'true\n0\n',
  ],
  [
    'reads the doubts of what it created from its JSON',
    `$P candidates create --incomplete --set agencyRef=W-1 --set forename=Ann --set surname=Sample --set taxCode=12570L --set rightToWorkStatus=NEW_WORD --yes -q --query 'warnings[].path' -r
     $P candidates create --incomplete --set agencyRef=W-2 --set forename=Bob --set surname=Other --set taxCode=12570L --yes -q --strict 2>/dev/null || echo $?`,
    'generalSetting.rightToWorkStatus\npayrollSetting.taxCode\n3\n',
  ],
  [
    'runs from cron without a home, and stops where a person is missing',
    `env -u HOME $P candidates get OLD-001 -q --query city -r; $P candidates get NOPE -q 2>/dev/null | cat; echo unreached`,
    'Hull\n',
  ],
]

test.each(rows)('on a third service, a script %s', async (_, script, out) => {
  const { env, home } = await office({ people: 40, busyEvery: 1_000_000 })
  // What a hint calls payroll is the tool.
  const lines = `set -euo pipefail; payroll() { ${tool} "$@"; }; ${script}`
  const ended = await launch('/bin/bash', ['-c', lines], {
    home,
    env: { ...env, P: tool, PAYROLL_CONFIG_DIR: `${home}/.payroll` },
    cwd: home,
  }).ended
  expect(ended.out, ended.err).toBe(out)
})
