import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { describeOurselves } from '../files/lock-holder.ts'

/** A new owner of claims: this run, by a text that no other run ever has. */
export function newOwner(): string {
  const { user, pid } = describeOurselves()
  return `${user}@${hostname().replaceAll(/[^\w.-]/g, '')} ${pid} ${randomBytes(12).toString('hex')}`
}

/** "ann@office (process 4711)". What stands in the database was written by others: only plain words are shown. */
export function ownerName(owner: string): string {
  const [, who, pid] = /^([\w@\\][\w.@\\ +-]{0,127}) (\d{1,10}) [0-9a-f]{24}$/.exec(owner) ?? []
  return who === undefined ? 'another run' : `${who} (process ${pid})`
}

/** The time of the database as a person reads it: "2026-04-06 09:30 UTC". */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
