import { type CandidateOperations, oneRecord, pageOf } from '../../operations/operation.ts'
import { candidateIreland, candidateIrelandAnswer } from './candidate.ts'

/** Group "Candidates Ireland". The records are asked for when they are needed, as candidate-operations.ts says. */
export const irelandOperations: CandidateOperations = {
  create: {
    title: 'Create Ireland candidate',
    group: 'Candidates Ireland',
    method: 'POST',
    path: '/svc/candidates/ireland',
    get requestRecord() {
      return candidateIreland
    },
    response: oneRecord(() => candidateIrelandAnswer, 'data', 'candidate'),
    status: 201,
    errors: { 400: 'Bad Request', 401: 'Unauthorized', 500: 'Server Error' },
    known: 'documented',
  },
  list: {
    title: 'Get Candidates',
    group: 'Candidates Ireland',
    method: 'GET',
    path: '/svc/candidates/ireland',
    response: pageOf(() => candidateIrelandAnswer),
    known: 'method',
    assumes: ['path', 'page and size apply', 'an item has the fields that create answers'],
  },
  get: {
    title: 'Get Candidate by ID',
    group: 'Candidates Ireland',
    method: 'GET',
    path: '/svc/candidates/ireland/{id}',
    response: oneRecord(() => candidateIrelandAnswer),
    known: 'method',
    assumes: ['path', 'the fields that create answers'],
  },
  update: {
    title: 'Update Candidate',
    group: 'Candidates Ireland',
    method: 'PUT',
    path: '/svc/candidates/ireland/{id}',
    get requestRecord() {
      return candidateIreland
    },
    response: oneRecord(() => candidateIrelandAnswer),
    known: 'method',
    assumes: ['path', 'the body of Create Ireland candidate', 'the fields that create answers'],
  },
}
