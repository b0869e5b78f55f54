/** Each code, what it means, and what to do. */
export const exitCodeRows: readonly (readonly [code: string, meaning: string, next: string])[] = [
  ['0', 'done, complete', ''],
  ['1', 'a bug in the tool', 'tell the people who maintain payroll where you work'],
  ['2', 'usage or settings', 'fix the command'],
  ['3', 'the input is invalid; nothing was sent', 'fix the data'],
  ['4', 'no key, or the key was refused', 'payroll auth login'],
  ['5', 'not found', ''],
  ['6', 'the service refused it, or has the reference already (--unique)', 'fix the data'],
  ['7', 'temporary, and nothing was applied: network, too many requests, a full disk', 'run it again'],
  ['8', 'the outcome is unknown: a write may or may not have been applied', 'check the record first'],
  ['9', 'partial: some rows were refused', 'fix the rejects'],
  [
    '10',
    'the response was not understood or is of another record, the result could not be written, or a list came back short',
    'look at the message',
  ],
  ['11', 'another payroll command is still running', 'run it again later'],
  ['130, 143', 'interrupted', ''],
]
