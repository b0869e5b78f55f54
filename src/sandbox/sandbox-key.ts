/** The key of the built-in sandbox. It opens nothing else, so it is no secret. */
export const sandboxKey = 'sandbox-key'
