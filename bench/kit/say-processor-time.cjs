// Required by a program that is measured: what /proc shows of it is counted in ticks of 10 ms, and gone at its end.
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, String((user + system) / 1000))
})
