import type { Json } from '../../files/json/path.ts'
import type { Standard } from '../fields/field.ts'

/** Sample values by field name, and by standard. */
export interface Samples {
  readonly named: Readonly<Record<string, Json>>
  readonly standard: Partial<Readonly<Record<Standard, Json>>>
}

/** A day as the timestamp of its first moment, in UTC. */
export const atMidnight = (date: string) => `${date}T00:00:00.000Z`

/** Public sample values, not of a real person, for every country and every other record. */
export const sharedSamples: Samples = {
  standard: {
    phone: '07700 900321',
    email: 'alex.example@example.com',
    'birth-date': '1990-01-31',
    'weekly-hours': 37.5,
    'roll-number': 'EX654321',
  },
  named: {
    agencyRef: 'EXAMPLE-1',
    forename: 'Alex',
    surname: 'Exampleson',
    bankName: 'Bank of Examples',
    accountName: 'Alex Exampleson',
    emergencyName: 'Sam Exampleson',
    emergencyMobile: '07700 900322',
    emergencyEmail: 'sam.example@example.com',
    annualSalary: 35100,
    rateHour: 18,
    margin: 25,
    documentExpiryDate: '2031-01-31',
    payrollCalculationEnd: '2027-04-05',
    postponementEndDate: atMidnight('2026-07-06'),
    optOutDate: atMidnight('2026-04-20'),
    optInDate: atMidnight('2026-05-06'),
    holidayPayRate: 12.07,
    code: 'EXAMPLE-DAY',
    hoursPerUnit: 7.5,
    subcontractorRef: 'EXAMPLE-1',
    endDate: '2026-04-12',
    rate: '16.00',
    taxYear: '2026/27',
    taxPeriodConfig: 'Week 1',
    name: 'example.txt',
    contentType: 'text/plain',
    content: 'RXhhbXBsZQ==',
  },
}
