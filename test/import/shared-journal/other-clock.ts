import { spawnSync } from 'node:child_process'

/** What faketime puts into the environment of a program, which then sees another time. */
function variables(offset: string): Record<string, string> {
  const { stdout } = spawnSync('faketime', ['-f', offset, 'env'], { encoding: 'utf8' })
  const lines = (stdout ?? '').split('\n').filter((line) => /^(LD_PRELOAD|FAKETIME)=/.test(line))
  return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]))
}

/** Why no program can be given another clock here; undefined where one can. */
export const withoutOtherClocks =
  variables('+1h').LD_PRELOAD === undefined
    ? 'faketime is not installed (Debian: apt-get install faketime)'
    : undefined

/** Variables that give a program a clock that is this far off: `+1h`. */
export const otherClock = (offset: string) => (withoutOtherClocks === undefined ? variables(offset) : {})
