import { candidate, candidateIreland } from '../candidate/candidate.ts'
import { candidateAnswer, candidateIrelandAnswer } from '../candidate/candidate-response.ts'
import { type DeclaredOperation, noBody, oneRecord, pageOf } from './operation.ts'

/**
 * Groups "Candidates" and "Candidates Ireland". The records are asked for when they are needed, because the build loads
 * their two hundred fields only then: a list shown as JSON needs none.
 */
export const candidates = {
  create: {
    title: 'Create Candidate',
    group: 'Candidates',
    method: 'POST',
    path: '/svc/candidates',
    get requestRecord() {
      return candidate
    },
    response: noBody,
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
  createIreland: {
    title: 'Create Ireland candidate',
    group: 'Candidates Ireland',
    method: 'POST',
    path: '/svc/candidates/ireland',
    get requestRecord() {
      return candidateIreland
    },
    response: oneRecord(() => candidateIrelandAnswer, 'data', 'candidate'),
    status: 201,
    known: 'documented',
  },
  listIreland: {
    title: 'Get Candidates',
    group: 'Candidates Ireland',
    method: 'GET',
    path: '/svc/candidates/ireland',
    response: pageOf(() => candidateIrelandAnswer),
    known: 'method',
    assumes: ['path', 'page and size apply', 'an item has the fields that create answers'],
  },
  getIreland: {
    title: 'Get Candidate by ID',
    group: 'Candidates Ireland',
    method: 'GET',
    path: '/svc/candidates/ireland/{id}',
    response: oneRecord(() => candidateIrelandAnswer),
    known: 'method',
    assumes: ['path', 'the fields that create answers'],
  },
  updateIreland: {
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
} satisfies Record<string, DeclaredOperation>
