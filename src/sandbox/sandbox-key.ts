/** The key of the built-in sandbox. It works nowhere else, so it is not secret. */
export const sandboxKey = 'sandbox-key'
