import { type CandidateOperations, emptyAnswer, operationsOn } from '../records/operation.ts'
import { candidate, candidateAnswer } from './uk-candidate.ts'

/** `sent` and `answered` are functions, so that the fields are built only when somebody looks at them. */
export const ukOperations: CandidateOperations = operationsOn(
  { group: 'Candidates', path: '/svc/candidates', sent: () => candidate, answered: () => candidateAnswer },
  {
    create: { title: 'Create Candidate', response: emptyAnswer, status: 201, known: 'documented' },
    list: {
      title: 'Get Candidates',
      known: 'method',
      assumes: ['path', 'page and size apply', 'fields of an item'],
    },
    get: { title: 'Get Candidate by ID', known: 'method', assumes: ['path', 'fields of the answer'] },
    update: {
      title: 'Update Candidate',
      known: 'method',
      assumes: ['path', 'the body of Create Candidate', 'fields of the answer'],
    },
  },
)
