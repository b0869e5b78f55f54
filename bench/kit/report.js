// How a bench says what it measured: `{ what, ratio, goal, met }` for each row, and what else belongs to it.
const isForMachines = process.argv.includes('--json')

/**
 * Prints rows under a title, or each as a line of JSON with --json. `rows`: `{ what, ms, mb, ratio, goal, mbGoal }`;
 * whether the goals are met is found here.
 */
export function report(title, rows) {
  if (!isForMachines) console.log(`\n${title}`)
  for (const row of rows) {
    const { what, ms, mb, ratio, goal, mbGoal } = row
    const misses = [ratio > goal && `ratio ${goal}`, mb > mbGoal && `${mbGoal} MB`].filter(Boolean)
    const met = goal === undefined && mbGoal === undefined ? undefined : misses.length === 0
    if (isForMachines) {
      console.log(JSON.stringify({ node: process.version, what, ratio, goal, met, ms, mb, mbGoal }))
      continue
    }
    const cells = [
      what.padEnd(44),
      ms === undefined ? '' : `${Math.round(ms)} ms`.padStart(9),
      ratio === undefined ? ''.padStart(8) : `${ratio.toFixed(2)} x`.padStart(8),
      mb === undefined ? '' : `${Math.round(mb)} MB`.padStart(8),
      met === undefined ? '' : met ? 'met' : `not met: ${misses.join(', ')}`,
    ]
    console.log(cells.join('  ').trimEnd())
  }
}
