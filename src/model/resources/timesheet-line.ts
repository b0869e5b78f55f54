import { date, text } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { timesheet } from './timesheet.ts'

/** A line of a sheet: one rate of one person's week, or of a day in it. Several lines of one person and week are one timesheet. */
export const timesheetLine: RecordType = {
  ...timesheet,
  fields: {
    ...timesheet.fields,
    dayWorked: date('Day worked', {
      help: 'Of a sheet with one row a day: the days of a week are added up as one timesheet. Not sent.',
    }),
    weekday: text('Weekday', { help: 'Of a sheet with one row a day, such as Monday. Not sent.' }),
    personName: text('Name', {
      help: 'Compared with the name of the person who has the reference. Not sent.',
    }),
    personForename: text('Forename'),
    personSurname: text('Surname'),
    approved: text('Approved', {
      help: 'Yes where the client approved the hours: a row with anything else is left out. Not sent.',
    }),
    taxWeek: text('Tax week', { help: 'Sent as the tax period: Week 8 for 8.' }),
    taxMonth: text('Tax month', { help: 'Sent as the tax period: Month 2 for 2.' }),
  },
}
