import { type Failure, type Issue, invalidInput } from '../../errors.ts'
import { countryCandidates } from '../../model/countries/country-candidates.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { guessHeading, headingFor, readHeading } from '../../model/values/read-heading.ts'
import { wordList } from '../../text/words.ts'
import type { ColumnMap, FileColumns, UnmatchedColumn } from './file-columns.ts'

/** The labels of the fields that a column may mean, the likeliest first. */
export function suggestionsFor(type: RecordType, { column, choices }: UnmatchedColumn): readonly string[] {
  const paths = choices.length > 0 ? choices : guessHeading(type, column.name)
  return paths.map((path) => headingFor(type, path))
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
        `Save this as columns.json, with a field for each column or null for "do not import", and add --map columns.json: ${JSON.stringify(mapFor(unmatched))}`,
      )
}

/** A map to fill in: a guess in it would be taken. */
const mapFor = (unmatched: readonly UnmatchedColumn[]): ColumnMap =>
  Object.fromEntries(unmatched.map(({ column }) => [column.name, '?']))

const withoutMeaning = ({ column }: UnmatchedColumn): Issue => ({ path: column.place, message: 'not known' })

function issueOf(type: RecordType, each: UnmatchedColumn): Issue {
  const { column, choices, sameAs, isHours } = each
  const path = column.place
  if (isHours) {
    const ways =
      'Hours at <rate code>, Hours at x1.5 (of the basic rate), or Hours 2 beside Pay rate 2 for the column of its rate'
    return { path, message: `hours at which rate? A map says ${ways}` }
  }
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
  const meant = labels.length === 0 ? '' : `: did you mean ${wordList(labels, 'or')}?`
  return { path, message: `not known${meant}` }
}
