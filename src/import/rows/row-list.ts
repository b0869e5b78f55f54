/** As many rows are named. */
const mostNamed = 6

/** "row 2", "rows 2, 3 and 6", "rows 2, 3, 4, 5, 6, 7 and 12 more". `count`: how many there are, if `rows` has only the first. */
export function rowList(rows: readonly number[], count = rows.length): string {
  const named = count > mostNamed ? [...rows.slice(0, mostNamed), `${count - mostNamed} more`] : [...rows]
  const last = named.pop()
  return named.length === 0 ? `row ${last}` : `rows ${named.join(', ')} and ${last}`
}
