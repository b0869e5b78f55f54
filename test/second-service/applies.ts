import type { Case } from './cases.ts'
import type { Shape } from './shapes.ts'

const lists: readonly Case['does'][] = ['list', 'export', 'status']
const writes: readonly Case['does'][] = ['create', 'update', 'delete', 'raw write']

/** Whether a shape can make a difference to a command; an update is tried in all of them. */
export function applies(shape: Shape, { kind, does, command }: Case): boolean {
  const person = kind === 'uk' || kind === 'ireland'
  if (shape.writesAlone) return writes.includes(does) && !/accountNumber|openingBalance/.test(command)
  if (does === 'connect') return shape.errorBody !== undefined || Object.keys(shape).length === 1
  if (shape.candidates && !person) return false
  if (shape.leavesOut || shape.lacks || (shape.idAs && !shape.answersAnother)) return does === 'update'
  if (shape.idAs) return does === 'update' || (does === 'get' && shape.idAs !== 'nothing')
  if (shape.typedShort || shape.referencesAreIds)
    return command.includes('{id}') && !command.startsWith('api')
  if (shape.hides) return kind === 'ireland' && (does === 'update' || does === 'export')
  if (shape.list?.lag) return command.includes('--find')
  // No reader of a list can know that a reference was longer.
  if (shape.list?.shortReferences) return does === 'list' || command.includes('--find')
  if (shape.list) return lists.includes(does) || does === 'update' || command.includes('--find')
  if (shape.etags || shape.weakEtags || shape.ignoresPut || shape.putsAnother || shape.putAnswers)
    return does === 'update' || command.startsWith('api PUT')
  if (shape.queued) return writes.includes(does)
  // interface.md: a UK candidate is answered "201, no body".
  if (shape.answersAnother) return !lists.includes(does) && !command.includes('--uk --file')
  return true
}
