// What the harnesses that kill a program at random share: repeatable chance, and a program that can be killed.
import { spawn } from 'node:child_process'

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Starts a program of Node and keeps what it says. `ended`: its exit code, null after a kill. */
export function startProgram(argv, env) {
  const child = spawn(process.execPath, argv, { env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => (said.out += text))
  child.stderr.on('data', (text) => (said.err += text))
  let isOver = false
  const ended = new Promise((resolve) =>
    child.on('close', (code) => {
      isOver = true
      resolve(code)
    }),
  )
  return { said, ended, isOver: () => isOver, kill: () => child.kill('SIGKILL') }
}
