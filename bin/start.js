const { fstatSync, writeSync } = require('node:fs')

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs the tool in this process. `build` and `commit` say which package and sources it is, when asked. */
exports.start = ({ main }, { version, build, commit }) => {
  let hadUncaughtError = false
  const host = {
    argv: process.argv.slice(2),
    env: process.env,
    // Opened when it is read: most commands do not read it.
    get stdin() {
      return process.stdin
    },
    stdout: wholeWrites(process.stdout),
    stderr: process.stderr,
    now: () => Date.now(),
    // performance.now() would load all of perf_hooks.
    monotonicNow: () => Number(process.hrtime.bigint()) / 1e6,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        // A timer that nobody waits for would keep the process, and a listener the memory.
        const wake = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal?.addEventListener('abort', wake)
      }),
    onSignal: (handler) => {
      for (const signal of signals) process.on(signal, handler)
      return () => {
        for (const signal of signals) process.off(signal, handler)
      }
    },
    raiseSignal: (signal) => {
      if (process.platform === 'win32') return endAsOf(signal)
      // What restores the cursor hears the signal first and raises it again: until then, do not end.
      setTimeout(() => {}, 1000)
      process.kill(process.pid, signal)
    },
    node: process.versions.node,
    get build() {
      return build()
    },
    get commit() {
      return commit()
    },
    onUncaughtError: (handler) =>
      process.on('uncaughtException', (error) => {
        hadUncaughtError = true
        handler(error)
      }),
  }
  main(host, version).then((exitCode) => {
    process.exitCode = exitCode
    // The only forced exit: the state of the run is unknown, so nothing more may be sent or stored.
    if (hadUncaughtError) process.exit()
  })
}

/**
 * A stream that writes all of a text to a file, or fails. Node writes once, and does not say how much of it a disk took
 * that was full then.
 */
function wholeWrites(stream) {
  const { fd } = stream
  if (!isFile(fd)) return stream
  const { Writable } = require('node:stream')
  const write = (chunk, _, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at)
      done()
    } catch (error) {
      done(error)
    }
  }
  return Object.assign(new Writable({ write }), { fd })
}

function isFile(fd) {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/**
 * Windows has no signals: a killed process ends with 1, and loses what it is about to write. So it ends with
 * the code that a shell elsewhere gives the signal, once all is written or after a second.
 */
function endAsOf(signal) {
  const end = () => process.exit(128 + require('node:os').constants.signals[signal])
  setTimeout(end, 1000)
  process.stderr.write('', end)
}
