import type { JsonObject } from '../../http/json.ts'
import type { Person } from '../sandbox-country.ts'
import { agencyRefOf, general, holiday, nameOf, pension, twoDigits } from '../starter-parts.ts'

/** The body of Create Candidate. The IBAN, NI numbers and mobiles are public sample values, not those of real people. */
export function ukStarter(person: Person, number: number): JsonObject {
  const digits = twoDigits(number)
  return {
    generalSetting: {
      ...general(person, agencyRefOf('UK', number), `07700 9001${digits}`),
      NINumber: `QQ1234${digits}${'ABCD'[number % 4]}`,
      nationality: 'British',
      postCode: person[5],
      country: 'GB',
      workingTimeRegulation: 'OPT_IN',
      agencyConductRegulation: 'OPT_IN',
      pensionSetting: {
        ...pension(),
        pensionCalculationType: 'NET_PAY_ARRANGEMENT',
        isSalarySacrifice: false,
      },
    },
    bankSetting: {
      accountName: nameOf(person),
      sortCode: '601613',
      accountNumber: '31926819',
      IBANReference: 'GB29NWBK60161331926819',
      SWIFTNo: 'NWBKGB2L',
    },
    payrollSetting: {
      paymentModel: 'PAYEE',
      taxCode: '1257L',
      niCategory: 'A',
      starterDeclaration: 'A',
      ...holiday(12.07),
    },
  }
}
