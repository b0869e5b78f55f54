import type { JsonObject } from '../../files/json/path.ts'
import { candidate, candidateAnswer } from '../../model/resources/uk-candidate.ts'
import { twoDigits } from '../../text/day.ts'
import { answerCandidate } from './build-answer.ts'
import {
  agencyRefOf,
  generalFields,
  holidayFields,
  type MadeUpPerson,
  madeUpAccount,
  madeUpName,
  pensionFields,
  type SandboxCountry,
} from './sandbox-country.ts'

/** Twenty people paid in the UK. The code is a postcode. */
const ukPeople: readonly MadeUpPerson[] = [
  ['Amélie', 'Sample', 'FEMALE', '1988-02-29', 'London', 'SW1A 1AA', 'Staff nurse', 21.4],
  ['Bronagh', "O'Example", 'FEMALE', '1991-07-03', 'Newry', 'BT35 8GE', 'Care assistant', 13.25],
  ['Callum', 'McSample', 'MALE', '1985-11-17', 'Manchester', 'M1 1AA', 'Electrician', 24],
  ['Dafydd', 'ap Example', 'MALE', '1979-05-30', 'London', 'EC1A 1BB', 'Site manager', 31.5],
  ['Eilidh', 'Fakenham-Test', 'FEMALE', '1996-01-12', 'London', 'W1A 1HQ', 'Supply teacher', 26.1],
  ['Finn', 'Placeholder', 'MALE', '2004-08-24', 'Croydon', 'CR2 6XH', 'Warehouse operative', 12.75],
  ['Gwenllïan', 'Dummy', 'FEMALE', '1993-10-05', 'Doncaster', 'DN55 1PT', 'Physiotherapist', 28.2],
  ['Harpreet', 'Specimen', 'FEMALE', '1987-03-19', 'London', 'SW1A 1AA', 'Software tester', 42],
  ['Iñigo', 'Ejemplo', 'MALE', '1990-12-01', 'Manchester', 'M60 1NW', 'Chef de partie', 15.6],
  ['Jürgen', 'Mustermann', 'MALE', '1982-06-14', 'London', 'EC1A 1BB', 'Crane operator', 29.75],
  ['Kateřina', 'Vzorová', 'FEMALE', '1998-04-22', 'Croydon', 'CR2 6XH', 'Pharmacy technician', 17.3],
  ['Luca', "D'Esempio", 'MALE', '1994-09-09', 'Manchester', 'M1 1AA', 'Pipefitter', 25.5],
  ['Małgorzata', 'Przykład', 'FEMALE', '1989-01-27', 'Doncaster', 'DN55 1PT', 'Forklift driver', 14.9],
  ['Niamh', 'de Sample', 'FEMALE', '1999-05-16', 'Newry', 'BT35 8GE', 'Radiographer', 27.8],
  ['Oluwaseun', 'Test', 'MALE', '1984-08-08', 'London', 'W1A 1HQ', 'Social worker', 30.4],
  ['Pippa', 'Fixture', 'FEMALE', '2006-02-11', 'Manchester', 'M60 1NW', 'Apprentice joiner', 8.6],
  ['Quentin', 'Sampleton-Smythe', 'MALE', '1971-10-31', 'London', 'SW1A 1AA', 'Project manager', 55],
  ['Renée', 'Mock', 'FEMALE', '1992-03-02', 'Croydon', 'CR2 6XH', 'Midwife', 25.9],
  ['Søren', 'Eksempel', 'MALE', '1986-07-21', 'Newry', 'BT35 8GE', 'Wind turbine technician', 33.1],
  ['Thandiwe', 'Demo', 'FEMALE', '1995-12-24', 'Doncaster', 'DN55 1PT', 'Train dispatcher', 16.45],
]

/** The body of Create Candidate. NI numbers and mobiles are public sample values, the account is made up. */
function ukStarter(person: MadeUpPerson, number: number): JsonObject {
  const digits = twoDigits(number)
  return {
    generalSetting: {
      ...generalFields(person, agencyRefOf('UK', number), `07700 9001${digits}`),
      NINumber: `QQ1234${digits}${'ABCD'[number % 4]}`,
      nationality: 'British',
      postCode: person[5],
      country: 'GB',
      workingTimeRegulation: 'OPT_IN',
      agencyConductRegulation: 'OPT_IN',
      pensionSetting: {
        ...pensionFields(),
        pensionCalculationType: 'NET_PAY_ARRANGEMENT',
        isSalarySacrifice: false,
      },
    },
    bankSetting: {
      accountName: madeUpName(person),
      sortCode: '601613',
      ...madeUpAccount('GB', 'NWBK', '601613', number),
      SWIFTNo: 'NWBKGB2L',
    },
    payrollSetting: {
      paymentModel: 'PAYEE',
      taxCode: '1257L',
      niCategory: 'A',
      starterDeclaration: 'A',
      ...holidayFields(12.07),
    },
  }
}

/** The United Kingdom. */
export const uk: SandboxCountry = {
  // assumed: the answer for a UK candidate has the shape shown for an Irish one, and leaves nothing out.
  answer: (record) => answerCandidate(record, candidate.fields, candidateAnswer.fields),
  code: 'UK',
  people: ukPeople,
  starter: ukStarter,
  documents: [
    [1, 'right-to-work.txt', 'Right to work check'],
    [1, 'p45.txt', 'P45 of the last employment'],
    [2, 'contract.txt', 'Signed contract'],
  ],
  vatCodes: [
    ['Standard', '20%', 'S'],
    ['Reduced', '5%', 'R'],
    ['Zero rated', '0%', 'Z'],
    ['Exempt', '0%', 'E'],
    ['Outside the scope', '0%', 'O'],
  ],
  taxYear: (year) => `${year}/${twoDigits((year + 1) % 100)}`,
}
