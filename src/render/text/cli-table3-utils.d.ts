/** The measure that the table itself uses. The package types its front door only. */
declare module 'cli-table3/src/utils.js' {
  /** How many columns of a terminal a text takes; wide characters are two, combining marks none. */
  export function strlen(text: string): number
}
