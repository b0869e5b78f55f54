import { otherCases } from './cases.ts'
import { tryAll } from './matrix.ts'

tryAll(otherCases)
