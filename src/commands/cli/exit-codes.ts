import { exitCodes, signalExitCodes } from '../../errors.ts'
import type { Verb } from './verb.ts'

/** What an exit code means, and what to do then: empty where there is nothing to do. */
interface Meaning {
  readonly meaning: string
  readonly next: string
}

/** One entry for each code of errors.ts: the compiler asks for the entry of a new code. */
const meanings: Readonly<Record<keyof typeof exitCodes, Meaning>> = {
  done: { meaning: 'done, complete', next: '' },
  bug: { meaning: 'a bug in the tool', next: 'tell the people who maintain payroll where you work' },
  usage: { meaning: 'usage or settings', next: 'fix the command' },
  input: { meaning: 'the input is invalid; nothing was sent', next: 'fix the data' },
  auth: { meaning: 'no key, or the key was refused', next: 'payroll auth login' },
  'not-found': { meaning: 'not found', next: '' },
  refused: {
    meaning: 'the service refused it, or has the reference already (--unique)',
    next: 'fix the data',
  },
  temporary: {
    meaning:
      'temporary, and nothing was applied (of an import: nothing more): network, too many requests, a full disk',
    next: 'run it again',
  },
  unknown: {
    meaning: 'the outcome is unknown: a write may or may not have been applied',
    next: 'check the record first',
  },
  partial: {
    meaning: 'partial: some rows were refused; or a check found something',
    next: 'fix the rejects; read the findings',
  },
  'invalid-response': {
    meaning:
      'the answer was not understood or is for another record, the result could not be written, or a list came back short',
    next: 'look at the message',
  },
  'too-few': { meaning: 'fewer records than --expect-min, or none that is new', next: '' },
  locked: { meaning: 'another payroll command is still running', next: 'run it again later' },
}

/** The codes of a run that a signal stopped: SIGHUP, SIGINT, SIGTERM. */
const stopCodes: readonly number[] = Object.values(signalExitCodes)

/** Every code that payroll ends with, in order. */
export const allExitCodes: readonly number[] = [...new Set([...Object.values(exitCodes), ...stopCodes])]

/** Each code, what it means, and what to do: the rows of every page about them. */
export const exitCodeRows: readonly (readonly [code: string, meaning: string, next: string])[] = [
  ...[...new Set<number>(Object.values(exitCodes))].map((code) => {
    const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
    const meaningsOfCode = names.filter((name) => exitCodes[name] === code).map((name) => meanings[name])
    const next = meaningsOfCode.map((each) => each.next).filter(Boolean)
    return [
      String(code),
      meaningsOfCode.map(({ meaning }) => meaning).join('; or '),
      next.join('; '),
    ] as const
  }),
  [stopCodes.join(', '), 'interrupted', ''],
]

const { done, bug, usage, input, auth, refused, temporary, unknown, partial, locked } = exitCodes

/** The exit codes with which a verb can end, in order. */
export function exitCodesOf({
  isLocal,
  localEffect,
  writes,
  readsInput,
  mayBePartial,
  arguments: argumentsOf = [],
}: Verb): number[] {
  const calls = !isLocal
  const codes = [
    done,
    bug,
    usage,
    temporary,
    exitCodes['invalid-response'],
    // Another run may hold the lock of the settings or of the record.
    ...(calls || localEffect ? [locked] : []),
    ...(readsInput === 'record' || argumentsOf.some(({ name }) => name === 'file') ? [input] : []),
    ...(calls ? [input, auth, exitCodes['not-found'], refused] : []),
    ...(writes ? [unknown] : []),
    ...(mayBePartial ? [partial] : []),
    ...stopCodes,
  ]
  return [...new Set(codes)].sort((one, other) => one - other)
}
