import { date, inSection, text } from '../fields/field.ts'

export const columns = [
  'agencyRef',
  'forename',
  'surname',
  'id',
  'status',
  'dateOfJoining',
  'registrationStatus',
]

/** The fields that the service adds to a candidate. */
export const added = inSection('person', {
  id: text('ID', { help: 'candidate identifier' }),
  status: text('Status', { exampleValues: ['ACTIVE'] }),
  dateLeft: date('Date left', { nullable: true, assumed: true }),
  reason: text('Reason for leaving', { nullable: true, assumed: true }),
})
