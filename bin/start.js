const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs the tool in this process. `build` says which package it is, `commit` of which sources: asked only by who wants to know. */
exports.start = ({ main }, { version, build, commit }) => {
  let hadUncaughtError = false
  const host = {
    argv: process.argv.slice(2),
    env: process.env,
    // Opened when it is read: most commands do not read it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
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
      // What restores the cursor hears the signal first, and raises it again: until then the process must not end by itself.
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
    // The one case: the state of the run is unknown, and it must not go on to send or to store anything.
    if (hadUncaughtError) process.exit()
  })
}

/**
 * Windows has no signals: to kill the process there ends it with 1, and what is about to be written to the terminal is lost.
 * So it ends with the code that a shell elsewhere gives the signal, once all is written, or after a second.
 */
function endAsOf(signal) {
  const end = () => process.exit(128 + require('node:os').constants.signals[signal])
  setTimeout(end, 1000)
  process.stderr.write('', end)
}
