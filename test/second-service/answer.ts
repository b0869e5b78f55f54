import { plain, read } from './exact-json.ts'
import type { Held } from './records.ts'
import type { Reply, Request, Second } from './second.ts'
import { chosen, type Kind } from './store.ts'
import { listed, single } from './views.ts'

/** What a request is about. */
interface Target {
  readonly kind: Kind
  /** One record; without it the list of them, or a new one. */
  readonly id?: string
}

const places: readonly (readonly [RegExp, Kind])[] = [
  [/^\/svc\/candidates\/ireland(?:\/([^/]+))?$/, 'ireland'],
  [/^\/svc\/candidates(?:\/([^/]+))?$/, 'uk'],
  [/^\/svc\/payment-rate(?:\/([^/]+))?$/, 'rates'],
  [/^\/svc\/vat-code$/, 'vat'],
  [/^\/svc\/time-sheets(?:\/([^/]+))?$/, 'timesheets'],
  [/^\/svc\/v[12]\/payslips$/, 'payslips'],
  [/^\/svc\/employees\/emp-1\/documents(?:\/([^/]+))?$/, 'documents'],
]

function targetOf(path: string): Target | undefined {
  for (const [pattern, kind] of places) {
    const found = pattern.exec(path)
    if (found) return { kind, ...(found[1] !== undefined && { id: decodeURIComponent(found[1]) }) }
  }
  return undefined
}

/** The operations that are about no record, and what they answer. */
const settled: Readonly<Record<string, unknown>> = {
  'GET /svc/oauth/grant-token-url': { data: { url: 'https://example.com/connect' }, success: true },
  'GET /svc/oauth/client-info': { data: { name: 'Example client' }, success: true },
  'POST /svc/oauth/token': { access_token: 'token-0000', token_type: 'bearer', expires_in: 3600 },
}

/** Carries a request out, and says so in the way of the shape. */
export function answer(second: Second, request: Request): Reply {
  const { method, path } = request
  const fixed = settled[`${method} ${path}`]
  const target = targetOf(path)
  if (!target && !fixed) return { status: 404, body: { message: `no such path: ${path}` } }
  const { errorBody, queued } = second.shape
  const write = method !== 'GET'
  if (errorBody && (write || second.readsGoWrong)) {
    if (write && target && errorBody.carriedOut) carryOut(second, request, target)
    const { body, text } = errorBody
    const status = second.shape.writesAlone && method === 'POST' ? 201 : 200
    return { status, body, ...(text !== undefined && { text }) }
  }
  if (!target) return { status: 200, body: fixed }
  if (write && queued) return { status: 202, body: { status: 'QUEUED' } }
  return carryOut(second, request, target)
}

function carryOut(second: Second, request: Request, { kind, id }: Target): Reply {
  const { method } = request
  if (id === undefined) return method === 'POST' ? create(second, request, kind) : list(second, request, kind)
  if (!second.held[kind][id]) return { status: 404, body: { message: `no record ${id}` } }
  if (method === 'DELETE') {
    delete second.held[kind][id]
    return { status: 200, body: { success: true } }
  }
  return method === 'PUT' ? put(second, request, kind, id) : get(second, kind, id)
}

function get(second: Second, kind: Kind, id: string): Reply {
  const reply = one(second, kind, second.shape.answersAnother ? neighbour(second, kind, id) : id, 200)
  if (second.shape.colleague && version(second, kind, id) === 1) correctBank(second, kind, id)
  return reply
}

function put(second: Second, request: Request, kind: Kind, id: string): Reply {
  const { etags, weakEtags, ignoresPut, putsAnother, putAnswers } = second.shape
  // RFC 9110, 13.1.1: a weak tag is equal to none.
  if (weakEtags && request.ifMatch) return { status: 412, body: { message: 'it moved' } }
  if (etags && !request.ifMatch) return { status: 428, body: { message: 'If-Match is required' } }
  if (etags && request.ifMatch !== etag(second, kind, id))
    return { status: 412, body: { message: 'it moved' } }
  const at = putsAnother ? neighbour(second, kind, id) : id
  if (!ignoresPut) {
    second.held[kind][at] = asHeld(kind, request.body)
    move(second, kind, at)
  }
  if (putAnswers === 'nothing') return { status: 204 }
  if (putAnswers === 'success alone') return { status: 200, body: { success: true } }
  return one(second, kind, at, 200)
}

function create(second: Second, request: Request, kind: Kind): Reply {
  second.made += 1
  const id =
    second.shape.ids === 'numeric' ? String(9007199254750993n + BigInt(second.made)) : `new-${second.made}`
  second.held[kind][id] = asHeld(kind, request.body)
  second.born.set(id, second.lists)
  // interface.md: "201, no body".
  if (kind === 'uk') return { status: 201 }
  // What these two answer is shown, and leaves no liberty.
  const { form: _, wrap: __, ...documented } = second.shape
  const shape = kind === 'ireland' || kind === 'rates' ? documented : second.shape
  const shown = second.shape.answersAnother ? chosen(second.before, kind) : id
  return one({ ...second, shape }, kind, shown, 201)
}

function list(second: Second, { query }: Request, kind: Kind): Reply {
  const { list: manner = {}, numbersAsText, wrap } = second.shape
  const page = Number(query.get('page') ?? 1)
  if (page === 1) second.lists += 1
  const size = manner.pageOf ?? Math.min(Number(query.get('size') ?? 20), 100)
  const all = shownInLists(second, kind)
  const items = all
    .slice((page - 1) * size, Math.min(page * size, all.length - (manner.cutShort ? 1 : 0)))
    .map((id) => listed(second.shape, second.held, kind, id))
  const mayMove = manner.moves === 'each time' || (manner.moves === 'once' && second.moved === 0)
  if (mayMove && page === 1 && all.length > size) second.moved += 1
  const totalDocs = numbersAsText ? String(all.length) : all.length
  if (manner.items) return { status: 200, body: { items, meta: { totalDocs, page } } }
  return { status: 200, body: { data: wrap === 'deeper' ? { records: items } : items, totalDocs } }
}

/** The ids that a list has now, in the order in which they came. */
export function shownInLists({ held, born, lists, moved, shape }: Second, kind: Kind): string[] {
  const lag = shape.list?.lag ?? 0
  const ids = Object.keys(held[kind]).filter((id) => !born.has(id) || lists - (born.get(id) ?? 0) > lag)
  const first = moved % Math.max(1, ids.length)
  return [...ids.slice(first), ...ids.slice(0, first)]
}

function one(second: Second, kind: Kind, id: string, status: number): Reply {
  const { shape, held } = second
  const record = single(shape, held, kind, id)
  const person = kind === 'uk' || kind === 'ireland'
  const inside = person && !shape.form ? { candidate: record, success: true } : record
  const body =
    shape.wrap === 'bare'
      ? record
      : { data: shape.wrap === 'deeper' ? { employee: record } : inside, success: true }
  const tag = etag(second, kind, id)
  if (shape.weakEtags) return { status, body, headers: { etag: `W/${tag}` } }
  return { status, body, ...(shape.etags && { headers: { etag: tag } }) }
}

const owned = 'id incrementId isStatutory author status dateLeft reason createdAt updatedAt size'.split(' ')

/** A body as it is held: what belongs to the service is not taken from it, and everything else is, whatever it is. */
function asHeld(kind: Kind, text: string): Held {
  const body = read(text)
  const drop = (from: Held, names: readonly string[]) => {
    for (const name of names) delete from[name]
  }
  drop(body, kind === 'rates' ? owned.filter((name) => name !== 'status') : owned)
  if (body.generalSetting) drop(body.generalSetting, owned)
  // interface.md: registrationStatus "ONGOING (request) and REGISTRATION_COMPLETE (response)".
  if (body.generalSetting?.registrationStatus)
    body.generalSetting.registrationStatus = 'REGISTRATION_COMPLETE'
  if (kind === 'rates' && body.defaultVATCode !== undefined) body.defaultVATCode = plain(body.defaultVATCode)
  return body
}

const version = ({ versions }: Second, kind: Kind, id: string) => versions.get(`${kind} ${id}`) ?? 1
const etag = (second: Second, kind: Kind, id: string) => `"v${version(second, kind, id)}"`
const move = (second: Second, kind: Kind, id: string) =>
  second.versions.set(`${kind} ${id}`, version(second, kind, id) + 1)

function correctBank(second: Second, kind: Kind, id: string): void {
  for (const holdings of [second.held, second.before]) {
    const record = holdings[kind][id] as Held
    if (record.bankSetting) record.bankSetting.accountNumber = '00098765'
    else record.description = 'as a colleague wrote it'
  }
  move(second, kind, id)
}

function neighbour(second: Second, kind: Kind, id: string): string {
  return Object.keys(second.held[kind]).find((other) => other !== id) as string
}
