import process from 'node:process'
import { changeSettings } from '../../src/credentials/change-settings.ts'
import { Failure } from '../../src/errors.ts'
import { withLock } from '../../src/files/local/lock.ts'

/** What the tests run as a process of its own: bundled by child.ts, and killed at will. */
const [verb, place = '', name = ''] = process.argv.slice(2)

const forever = new Promise<never>(() => {})
const said = (word: string) => process.stdout.write(`${word}\n`)

/** Keeps the process alive, yet not for ever should its test fail. */
function endInAMinute(): void {
  setTimeout(() => process.exit(), 60_000)
}

async function addFortyProfiles(): Promise<void> {
  for (let index = 0; index < 40; index += 1) {
    await changeSettings(place, (settings) => ({
      ...settings,
      profiles: { ...settings.profiles, [`${name}-${index}`]: { prefix: `${index}` } },
    }))
  }
}

/** Every profile of one write bears the same prefix, so that a mixture of two writes would show. */
async function changeWithoutEnd(): Promise<void> {
  for (let round = 0; ; round += 1) {
    await changeSettings(place, (settings) => ({
      ...settings,
      profiles: hundredProfiles(`${name}-${round}`),
    }))
    said('changed')
  }
}

function hundredProfiles(prefix: string): Record<string, { prefix: string }> {
  return Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`profile-${index}`, { prefix }]))
}

/** A signal that goes with a file too large; a full disk sends none. */
async function changeOnce(): Promise<void> {
  process.on('SIGXFSZ', () => {})
  await changeSettings(place, (settings) => ({ ...settings, profiles: hundredProfiles(name) }))
}

/** Writes the settings, then lives on after an ending signal, as a run does that finishes what it has begun. */
async function countSignals(): Promise<void> {
  await changeOnce()
  let count = 0
  process.on('SIGTERM', () => {
    count += 1
    setTimeout(() => process.exit(count), 300)
  })
  endInAMinute()
  said('ready')
}

async function holdLock(): Promise<void> {
  endInAMinute()
  await withLock(place, async () => {
    said('held')
    await forever
  })
}

async function holdLockAgainstEverybody(): Promise<void> {
  endInAMinute()
  const work = async () => {
    said('held')
    await forever
  }
  await withLock(place, work, { against: 'everybody' })
}

async function holdLockIdly(): Promise<void> {
  await withLock(place, async () => {
    said('held')
    await forever
  })
}

const verbs: Record<string, () => Promise<unknown>> = {
  'add-forty-profiles': addFortyProfiles,
  'change-once': changeOnce,
  'count-signals': countSignals,
  'change-without-end': changeWithoutEnd,
  'hold-lock': holdLock,
  'hold-lock-against-everybody': holdLockAgainstEverybody,
  'hold-lock-idly': holdLockIdly,
}

verbs[verb ?? '']?.().catch((error: unknown) => {
  process.stderr.write(error instanceof Failure ? `${error.code}: ${error.message}\n` : `${error}\n`)
  process.exitCode = 1
})
