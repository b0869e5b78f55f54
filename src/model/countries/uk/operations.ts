import { type CandidateOperations, emptyResponse, oneRecord, pageOf } from '../../operations/operation.ts'
import { candidate, candidateAnswer } from './candidate.ts'

/** Group "Candidates". The records are asked for when they are needed, as candidate-operations.ts says. */
export const ukOperations: CandidateOperations = {
  create: {
    title: 'Create Candidate',
    group: 'Candidates',
    method: 'POST',
    path: '/svc/candidates',
    get requestRecord() {
      return candidate
    },
    response: emptyResponse,
    status: 201,
    known: 'documented',
  },
  list: {
    title: 'Get Candidates',
    group: 'Candidates',
    method: 'GET',
    path: '/svc/candidates',
    response: pageOf(() => candidateAnswer),
    known: 'method',
    assumes: ['path', 'page and size apply', 'fields of an item'],
  },
  get: {
    title: 'Get Candidate by ID',
    group: 'Candidates',
    method: 'GET',
    path: '/svc/candidates/{id}',
    response: oneRecord(() => candidateAnswer),
    known: 'method',
    assumes: ['path', 'fields of the answer'],
  },
  update: {
    title: 'Update Candidate',
    group: 'Candidates',
    method: 'PUT',
    path: '/svc/candidates/{id}',
    get requestRecord() {
      return candidate
    },
    response: oneRecord(() => candidateAnswer),
    known: 'method',
    assumes: ['path', 'the body of Create Candidate', 'fields of the answer'],
  },
}
