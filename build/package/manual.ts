import { entries } from '../../src/program.ts'
import { manPage, manPages } from './man-page.ts'
import type { Packed } from './tar.ts'

/** A man page of every command, for the packages: with the day of the release. */
export async function manualOf(version: string, released: Date): Promise<readonly Packed[]> {
  const source = { entries, width: 80 }
  const pages = await manPages(entries)
  return Promise.all(
    pages.map(async ({ name, words }) => ({
      name: `${name}.1`,
      bytes: Buffer.from(await manPage(source, { version, released }, words)),
    })),
  )
}
