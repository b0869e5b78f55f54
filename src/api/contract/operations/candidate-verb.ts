import type { DeclaredOperation } from './operation.ts'

/** What is done with the candidates of each country. */
export const candidateVerbs = ['create', 'list', 'get', 'update'] as const

export type CandidateVerb = (typeof candidateVerbs)[number]

/** The operations of one country. */
export type CandidateOperations = Readonly<Record<CandidateVerb, DeclaredOperation>>
