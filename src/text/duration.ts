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

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** The milliseconds of `90`, `90s`, `1.5m` or `2h`; a number alone is seconds. Undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h)?$/.exec(text.trim()) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * (unitMs[unit] ?? 1))
}

/** `, 12 seconds left`, if each of the others takes as long as those that are done; nothing before the first. `ms`: so far. */
export const timeLeft = (ms: number, count: number, total: number): string =>
  count > 0 ? `, ${formatDuration((ms / count) * (total - count))} left` : ''

/** The minute of a time, as a person reads it: `2026-04-06 09:30 UTC`. */
export const utcMinute = (ms: number): string =>
  Number.isFinite(ms) ? `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'an unknown time'
