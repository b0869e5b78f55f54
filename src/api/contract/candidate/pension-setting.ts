import { date, flag, inSection, only, text, timestamp } from '../fields/field.ts'

/** "pensionSetting (inside generalSetting)", the same for the UK and Ireland. */
export const pensionSetting = inSection('pension', {
  optState: text('Enrolment state', {
    machine: true,
    exampleValues: ['ignition'],
    note: 'Sent as it stands; the other states are not shown.',
  }),
  scheme: text('Pension scheme'),
  reference: text('Scheme reference'),
  memberId: text('Member ID', { nullable: true }),
  pensionCalculationType: text('Calculation type', {
    exampleValues: ['NET_PAY_ARRANGEMENT'],
    help: 'How tax relief is given: a net pay arrangement, relief at source, or salary sacrifice.',
  }),
  isSalarySacrifice: flag('Salary sacrifice'),
  outsideUKWorker: flag('Works outside the UK'),
  lastAssessmentOn: timestamp('Last assessed on'),
  dateOnClassifiedOn: timestamp('Classified on'),
  ejhDate: timestamp('Eligible jobholder date'),
  postponementEndDate: timestamp('Postponement ends', { help: 'The deferral date; at most three months.' }),
  membershipStartDate: timestamp('Membership starts'),
  optInDate: timestamp('Opted in on'),
  optOutDate: timestamp('Opted out on'),
})

/**
 * "It does not return scheme, reference, isSalarySacrifice or pensionCalculationType", and its dates are
 * date strings where the request has timestamps.
 */
export const pensionSettingAnswer = {
  ...only(pensionSetting, 'outsideUKWorker', 'optState'),
  memberId: text('Member ID'),
  ...inSection('pension', {
    lastAssessmentOn: date('Last assessed on'),
    dateOnClassifiedOn: date('Classified on'),
    ejhDate: date('Eligible jobholder date'),
    postponementEndDate: date('Postponement ends'),
    membershipStartDate: date('Membership starts'),
    optInDate: date('Opted in on'),
    optOutDate: date('Opted out on', { nullable: true, assumed: true }),
  }),
}
