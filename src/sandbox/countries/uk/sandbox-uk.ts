import { candidate, candidateAnswer } from '../../../api/contract/countries/uk/candidate/candidate-uk.ts'
import { answerCandidate } from '../../records/candidate-responses.ts'
import type { SandboxCountry } from '../sandbox-country.ts'
import { ukPeople } from './uk-people.ts'
import { ukStarter } from './uk-starter.ts'

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
  // On 6 April.
  taxYear: {
    begins: (year) => Date.UTC(year, 3, 6),
    name: (year) => `${year}/${String((year + 1) % 100).padStart(2, '0')}`,
  },
}
