import { candidateCases } from './cases.ts'
import { tryAll } from './matrix.ts'

tryAll(candidateCases)
