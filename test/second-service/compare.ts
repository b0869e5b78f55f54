import type { Run } from '../payroll.ts'
import { plain } from './exact-json.ts'
import type { Holdings, Kind } from './store.ts'

/** The paths at which two values differ. Loosely, a number is as good as its text. */
export function differences(one: any, other: any, loosely = false): string[] {
  const found: string[] = []
  look(one, other, '')
  return found

  function look(one: any, other: any, path: string): void {
    if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') {
      if (!same(one, other, loosely)) found.push(path)
      return
    }
    const under = path && `${path}.`
    for (const name of Object.keys(one)) look(one[name], other[name], under + name)
    for (const name of Object.keys(other)) if (!(name in one)) look(undefined, other[name], under + name)
  }
}

/** The paths of all values in a value that have no parts. */
export function leaves(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return [path]
  return Object.entries(value).flatMap(([name, part]) => leaves(part, path ? `${path}.${name}` : name))
}

export function at(value: any, path: string): unknown {
  return path.split('.').reduce((inside, name) => inside?.[name], value)
}

/** Whether standard error names the field by its path, or its section, or, in a list, by the last part of its path. */
export function isNamed(path: string, { err }: Run): boolean {
  const paths = err.replace(/\[(\d+)\]/g, '.$1').match(/\w+(\.\w+)*/g) ?? []
  if (paths.some((named) => path === named || path.startsWith(`${named}.`))) return true
  const listed = err
    .split('\n')
    .flatMap((line) => /: (([\w.]+(, | and ))*\w+)( more)?\.$/.exec(line)?.[1]?.split(/, | and /) ?? [])
  return listed.includes(path.split('.').at(-1) ?? '')
}

/** What was made has an id that nobody can know before: it is called `new`, and is told. */
export function withNewRecordNamed(before: Holdings, after: Holdings, kind: Kind) {
  const made = Object.keys(after[kind]).filter((id) => !(id in before[kind]))
  const [newId] = made
  if (made.length !== 1 || newId === undefined) return { holdings: after, newId }
  const { [newId]: fresh, ...others } = after[kind]
  return { holdings: { ...after, [kind]: { ...others, new: fresh } } as Holdings, newId }
}

function same(one: unknown, other: unknown, loosely: boolean): boolean {
  if (one === other) return true
  if (typeof one === 'string' && typeof other === 'string') return text(one) === text(other)
  const number = typeof one === 'number' ? one : other
  return loosely && typeof number === 'number' && String(one) === String(other)
}

/** An id is the same with or without quotes. A date is as good as its midnight: the page gives both for one field. */
function text(value: string): string {
  return plain(value).replace(/^(\d{4}-\d\d-\d\d)T00:00:00\.000Z$/, '$1')
}
