/** The default value of each option. Help shows it from here, and the code that acts on the option reads it here. */
export const defaults = {
  /** The time limit in seconds of a call to the service, its retries included, and of reading a record from a pipe. */
  timeout: 120,
  /** For how many seconds a failed read is tried again: without a terminal, and where a person waits at one. */
  readAgain: 30,
  readAgainForPerson: 10,
  /** Seconds to wait before looking for a write whose answer was lost. */
  settle: 60,
  /** How many requests an import sends at the same time. */
  concurrency: 4,
  /** Where `sandbox serve` listens. */
  port: 4010,
  /** Seconds that an access token of the sandbox lasts. assumed: "token formats, lifetimes …: not shown." */
  tokenLifetime: 3600,
  /** How many payslips `sandbox seed` makes. */
  payslips: 120,
  /** The first segment of every path of the service. */
  prefix: 'svc',
} as const
