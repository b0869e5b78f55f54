import type { Shape, Shapes } from './read/shape.ts'

/**
 * The objects of a body by path, each with its fields in words, `{ memberId: 'nullable string' }`, so that the
 * document and the contract can be laid side by side. The body itself has the path ``.
 */
export function objects(fields: Shapes, path = ''): Record<string, Record<string, string>> {
  const nested = Object.entries(fields).map(([name, field]) => inside(field, path ? `${path}.${name}` : name))
  const words = Object.entries(fields).map(([name, field]) => [name, inWords(field)])
  return Object.assign({ [path]: Object.fromEntries(words) }, ...nested)
}

function inside(field: Shape, path: string): Record<string, Record<string, string>> {
  if (field.item) return inside(field.item, `${path}[]`)
  return field.fields ? objects(field.fields, path) : {}
}

function inWords(field: Shape): string {
  const type = field.assumed ? 'unknown' : field.item ? `${field.type} of ${inWords(field.item)}` : field.type
  return field.nullable ? `nullable ${type}` : type
}
