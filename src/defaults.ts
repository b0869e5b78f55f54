/** The value of each option that is not given: help shows it, and whoever acts on it reads it, from here. */
export const defaults = {
  /** Seconds: a call to the service, its retries included; and a pipe that a record is read from. */
  timeout: 120,
  /** Seconds for which a read is tried again: without a terminal, and where a person waits. */
  readAgain: 30,
  readAgainForPerson: 10,
  /** Seconds before a write whose response was lost is looked for. */
  settle: 60,
  /** Requests of an import under way at the same time. */
  concurrency: 4,
  /** Where `sandbox serve` listens. */
  port: 4010,
  /** Seconds that an access token of the sandbox lasts. assumed: "token formats, lifetimes …: not shown." */
  tokenLifetime: 3600,
  /** Payslips in a sandbox that is filled. */
  payslips: 120,
  /** The first segment of every path of the service. */
  prefix: 'svc',
} as const
