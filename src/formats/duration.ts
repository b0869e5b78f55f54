/** `12 seconds`, `3 minutes`, `2 hours`, `more than a day`: rounded up, so that the retry is not too early. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds > 86_400) return 'more than a day'
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** `, 12 seconds left`, if each of the others takes as long as those that are done; nothing before the first. `ms`: so far. */
export const timeLeft = (ms: number, done: number, total: number): string =>
  done > 0 ? `, ${formatDuration((ms / done) * (total - done))} left` : ''
