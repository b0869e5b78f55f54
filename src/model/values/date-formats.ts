import { wordList } from '../../text/words.ts'

/** The part of a date in a group of a pattern. Of two that are `day or month`, `DateOrder` says which is the day. */
export type DatePart = 'weekday' | 'year' | 'month' | 'month name' | 'day' | 'day or month'

/** One way in which a date is written. */
export interface DateFormat {
  /** 4 November 1991 in this format. */
  readonly example: string
  readonly pattern: RegExp
  /** The parts in the groups of the pattern. */
  readonly parts: readonly DatePart[]
}

/** A date of numbers whose year is last, perhaps behind its weekday. */
export const datesOfNumbers: DateFormat = {
  example: '4/11/1991',
  pattern: /^(?:([a-z]{3,9})[.,\s]+)?(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d\d)$/i,
  parts: ['weekday', 'day or month', 'day or month', 'year'],
}

/** The ways in which people and spreadsheets write a date. The first that fits is the one that is meant. */
export const dateFormats: readonly DateFormat[] = [
  {
    example: '1991-11-04',
    pattern: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/,
    parts: ['year', 'month', 'day'],
  },
  {
    example: '19911104',
    pattern: /^((?:19|20)\d\d)(\d\d)(\d\d)$/,
    parts: ['year', 'month', 'day'],
  },
  datesOfNumbers,
  {
    example: '4 Nov 1991',
    pattern:
      /^(?:([a-z]{3,9})[.,\s]+)?(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?[/.\-\s]*([a-z]{3,9})[/.,\-\s]*(\d{4}|\d\d)$/i,
    parts: ['weekday', 'day', 'month name', 'year'],
  },
  {
    example: 'Nov 4, 1991',
    pattern: /^(?:([a-z]{3,9})[.,\s]+)?([a-z]{3,9})[.\s]*(\d{1,2})(?:st|nd|rd|th)?[,\s]+(\d{4})$/i,
    parts: ['weekday', 'month name', 'day', 'year'],
  },
]

/** `1991-11-04, 4/11/1991, 4 Nov 1991 or Nov 4, 1991`: how a date may be written. */
export const dateExamples = wordList(
  dateFormats.map(({ example }) => example),
  'or',
)
