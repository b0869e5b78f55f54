import {
  candidateIreland,
  candidateIrelandAnswer,
} from '../../../api/contract/countries/ireland/candidate/candidate-ireland.ts'
import type { StoredRecord } from '../../database/record-table.ts'
import type { JsonObject } from '../../http/json.ts'
import { answerCandidate, asObject } from '../../records/candidate-responses.ts'
import type { SandboxCountry } from '../sandbox-country.ts'
import { irishPeople } from './irish-people.ts'
import { irishDifferences, toBoolean } from './irish-setting.ts'
import { irishStarter } from './irish-starter.ts'

export const ireland: SandboxCountry = {
  answer: answerIrish,
  code: 'IE',
  people: irishPeople,
  starter: irishStarter,
  documents: [
    [1, 'contract.txt', 'Signed contract'],
    [2, 'tax-credit-certificate.txt', 'Tax credit certificate'],
  ],
  vatCodes: [
    ['Ireland standard', '23%', 'IE-S'],
    ['Ireland reduced', '13.5%', 'IE-R'],
    ['Ireland second reduced', '9%', 'IE-R2'],
    ['Ireland zero rated', '0%', 'IE-Z'],
  ],
  // On 1 January.
  taxYear: { begins: (year) => Date.UTC(year, 0, 1), name: String },
}

/** "Ireland candidate (response of Create Ireland candidate)". */
function answerIrish(record: StoredRecord): JsonObject {
  const answer = answerCandidate(record, candidateIreland.fields, candidateIrelandAnswer.fields)
  const { generalSetting, payrollSetting } = record.body
  return {
    ...answer,
    shareCodeVerified: toBoolean(asObject(generalSetting).shareCodeVerified),
    setting: { ...asObject(answer.setting), ...irishDifferences(asObject(payrollSetting)) },
  }
}
