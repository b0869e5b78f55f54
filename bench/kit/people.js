// What the benches with a sandbox share: its key, made-up people in a file, and who is there afterwards.
import { writeFileSync } from 'node:fs'

/** The first JSON that a program prints, such as the address and the key of a sandbox. */
export async function firstJson(stream) {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    try {
      return JSON.parse(text)
    } catch {
      // Not whole yet.
    }
  }
  throw new Error('It did not start.')
}

export const person = (agencyRef) => ({
  generalSetting: { agencyRef, forename: 'Ann', surname: `Sample ${agencyRef}`, payFrequency: 'WEEKLY' },
})

/** A file of people with these references, a line each. */
export const writePeople = (file, refs) =>
  writeFileSync(file, refs.map((each) => `${JSON.stringify(person(each))}\n`).join(''))

/** How often the service has each reference. */
export async function countByRef(baseUrl, authorization) {
  const count = new Map()
  for (let page = 1; ; page++) {
    const answer = await fetch(`${baseUrl}/svc/candidates?page=${page}&size=100`, {
      headers: { authorization },
    })
    const { data } = await answer.json()
    for (const { agencyRef } of data) count.set(agencyRef, (count.get(agencyRef) ?? 0) + 1)
    if (data.length < 100) return count
  }
}
