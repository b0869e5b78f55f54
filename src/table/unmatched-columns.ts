import { countryCandidates } from '../api/contract/countries/country-candidates.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { type Failure, type Issue, invalidInput } from '../errors.ts'
import { headingFor, nearestHeading, readHeading } from '../values/read-heading.ts'
import type { ColumnMap, FileColumns, UnmatchedColumn } from './file-columns.ts'

/** The labels of the fields that a column may mean, the likeliest first. */
export function suggestionsFor(type: RecordType, { column, choices }: UnmatchedColumn): readonly string[] {
  const near = choices.length > 0 ? undefined : nearestHeading(type, column.name)
  return [...choices, ...(near === undefined ? [] : [near])].map((path) => headingFor(type, path))
}

/** More columns than these that are not known are no list of people: what they may mean is not worked out. */
const mostMatched = 100

/** The failure for columns that are not matched yet, all at once, with a map to fill in. */
export function unmatchedFailure(
  type: RecordType,
  { unmatched, issues }: FileColumns,
  headingRow: number,
): Failure {
  const isList = unmatched.length <= mostMatched
  const known = isList ? unmatched.map((each) => issueOf(type, each)) : unmatched.map(withoutMeaning)
  const all = [...known, ...issues]
  const count = all.length === 1 ? 'One column' : `${all.length} columns`
  const message = `${count} of row ${headingRow} cannot be used.`
  return unmatched.length === 0 || !isList
    ? invalidInput(message, all, 'To print a header to fill in: payroll template <record> -o csv')
    : invalidInput(
        message,
        all,
        `Save this as columns.json, with a field for each column or null for "do not import", and add --map columns.json: ${JSON.stringify(mapFor(type, unmatched))}`,
      )
}

/** A map with the likeliest field of each column, and what is refused where there is none. */
function mapFor(type: RecordType, unmatched: readonly UnmatchedColumn[]): ColumnMap {
  return Object.fromEntries(
    unmatched.map((each) => [
      each.column.name,
      (each.choices.length === 0 && suggestionsFor(type, each)[0]) || '?',
    ]),
  )
}

const withoutMeaning = ({ column }: UnmatchedColumn): Issue => ({ path: column.place, message: 'not known' })

function issueOf(type: RecordType, each: UnmatchedColumn): Issue {
  const { column, choices, sameAs } = each
  const path = column.place
  if (sameAs) return { path, message: `fills the same field as ${sameAs.place}` }
  const labels = suggestionsFor(type, each)
  if (choices.length > 0) return { path, message: `can mean ${labels.join(' or ')}: say which` }
  const other = countryCandidates.find(
    ({ sent }) => sent !== type && readHeading(sent, column.name).path !== undefined,
  )
  if (other && countryCandidates.some(({ sent }) => sent === type)) {
    const message = `not a field of ${type.displayName}, only of ${other.candidate} (${other.flag})`
    return { path, message }
  }
  const [label] = labels
  return { path, message: `not known${label === undefined ? '' : `: did you mean ${label}?`}` }
}
