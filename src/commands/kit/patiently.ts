import type { Context } from '../../context.ts'

/** Waits for work, with a spinner where somebody watches. */
export async function patiently<T>(context: Context, text: string, work: Promise<T>): Promise<T> {
  if (!context.interactive || context.options.quiet || context.host.env.TERM === 'dumb') return work
  const { withSpinner } = await import('../../render/progress.ts')
  return withSpinner(context.host.stderr, text, work, context.interruption.signal)
}
