import { type CandidateOperations, oneRecord, operationsOn } from '../records/operation.ts'
import { candidateIreland, candidateIrelandAnswer } from './ireland-candidate.ts'

/** `sent` and `answered` are functions, so that the fields are built only when somebody looks at them. */
export const irelandOperations: CandidateOperations = operationsOn(
  {
    group: 'Candidates Ireland',
    path: '/svc/candidates/ireland',
    sent: () => candidateIreland,
    answered: () => candidateIrelandAnswer,
  },
  {
    create: {
      title: 'Create Ireland candidate',
      response: oneRecord(() => candidateIrelandAnswer, 'data', 'candidate'),
      status: 201,
      errors: { 400: 'Bad Request', 401: 'Unauthorized', 500: 'Server Error' },
      known: 'documented',
    },
    list: {
      title: 'Get Candidates',
      known: 'method',
      assumes: ['path', 'page and size apply', 'an item has the fields that create answers'],
    },
    get: {
      title: 'Get Candidate by ID',
      known: 'method',
      assumes: ['path', 'the fields that create answers'],
    },
    update: {
      title: 'Update Candidate',
      known: 'method',
      assumes: ['path', 'the body of Create Ireland candidate', 'the fields that create answers'],
    },
  },
)
