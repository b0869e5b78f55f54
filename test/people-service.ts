import { type CountryId, countryIds } from '../src/model/countries/countries.ts'
import { candidatesByCountry } from '../src/model/resources/operations.ts'
import { answerJson, service } from './service.ts'

/** The people of the country whose list a request asks for; undefined where it asks for no list of people. */
export function listedPeople<Person>(
  url: string,
  peopleOf: (country: CountryId) => readonly Person[],
): readonly Person[] | undefined {
  const { pathname } = new URL(url, 'http://127.0.0.1')
  const country = countryIds.find((id) => candidatesByCountry[id].list.path === pathname)
  return country && peopleOf(country)
}

/** How else the service goes about it. */
interface Ways {
  /** It does what a write says, and answers 500. */
  fails?: boolean
  /** The list lacks the last person. */
  isLate?: boolean
  /** A PUT changes nothing. */
  ignores?: boolean
}

/**
 * A service that keeps the people it is sent, counts their ids from one, and answers `shown` of each: what a record shows besides, or
 * in place of, what was sent. A test may change `ways` meanwhile.
 */
export async function keepingPeople(
  shown: (sent: any) => object = () => ({}),
  path = '/svc/candidates',
  ways: Ways = {},
) {
  const people: any[] = []
  const recordOf = (sent: any, at: number) => ({
    id: at + 1,
    ...sent.generalSetting,
    bank: sent.bankSetting ?? {},
    setting: sent.payrollSetting ?? {},
    ...shown(sent),
  })
  const { env, received } = await service(({ method, url, body }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const at = Number(pathname.replace(`${path}/`, '')) - 1
    if (method === 'POST') people.push(JSON.parse(body))
    if (method === 'PUT' && !ways.ignores) people[at] = JSON.parse(body)
    if (method !== 'GET' && ways.fails) return response.writeHead(500).end()
    if (method === 'POST' && path.endsWith('ireland'))
      return answerJson(response, 201, { data: { candidate: recordOf(JSON.parse(body), people.length - 1) } })
    if (method !== 'GET') return response.writeHead(method === 'POST' ? 201 : 204).end()
    if (at >= 0) return answerJson(response, 200, { data: recordOf(people[at], at) })
    const listed = ways.isLate ? people.slice(0, -1) : people
    const data = pathname === path ? listed.map(recordOf) : []
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  return { env, received, people }
}
