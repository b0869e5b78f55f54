import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accessTo } from '../../../src/import/shared-journal/access.ts'
import { readSharedJournalAddress } from '../../../src/import/shared-journal/address.ts'
import { connectToClaim } from '../../../src/import/shared-journal/connect.ts'
import { sharedJournal } from './empty-journal.ts'
import { withoutPostgres } from './postgres.ts'

describe.skipIf(withoutPostgres)(
  `the claims of a shared journal (${withoutPostgres ?? 'PostgreSQL'})`,
  () => {
    const { journal: shared, sql } = sharedJournal()
    let scopes = 0

    /** A run at a service of its own, or of another run. */
    async function run(scope = `scope ${++scopes}`) {
      const access = await accessTo(readSharedJournalAddress(shared.url, 'It'), {})
      const journal = await connectToClaim(access, { scope, settleMs: 1000, file: 'f', connections: 2 })
      onTestFinished(() => journal.close())
      return { ...journal, scope }
    }
    const intent = (key: string, attempt = 1) => ({ key, attempt, fingerprint: 'x' })

    test('are given to one of those who ask at the same time', async () => {
      const ann = await run()
      const bob = await run(ann.scope)
      const keys = Array.from({ length: 200 }, (_, at) => `a-${at}`)
      const asked = await Promise.all(keys.flatMap((key) => [ann.claim(intent(key)), bob.claim(intent(key))]))
      expect(asked.filter((other) => other === undefined)).toHaveLength(200)
      const refused = asked.filter((other) => other !== undefined)
      expect(refused.every(({ alive, state }) => alive && state === 'sending')).toBe(true)
      expect(new Set(refused.map(({ by }) => by))).toEqual(
        new Set([expect.stringMatching(/^.+@.+ \(process \d+\)$/)]),
      )
    })

    test('stay with a run that is alive, and pass to another when it is gone', async () => {
      const ann = await run()
      const bob = await run(ann.scope)
      await ann.claim(intent('a'))
      const claim = await bob.claim(intent('a'))
      if (!claim) throw new Error('both have it')
      expect(await bob.takeOver(claim, { state: 'doubt', attempt: 1 })).toBe(false)
      await ann.close()
      expect((await bob.read(['a'])).get('a')).toMatchObject({ alive: false, state: 'sending' })
      expect(await bob.takeOver(claim, { state: 'doubt', attempt: 1 })).toBe(true)
      expect(await bob.takeOver(claim, { state: 'doubt', attempt: 1 })).toBe(false)
    })

    test('claims of what was refused are free again, as the next request; of what was created never', async () => {
      const ann = await run()
      const bob = await run(ann.scope)
      await Promise.all(['refused', 'held', 'created'].map((key) => ann.claim(intent(key))))
      await ann.writeOutcome('refused', { state: 'refused', attempt: 0 })
      await ann.writeOutcome('held', { state: 'refused', attempt: 1 })
      await ann.writeOutcome('created', { state: 'created', attempt: 1, id: '4f1c' })
      expect(await bob.claim(intent('refused'))).toBeUndefined()
      expect(await bob.claim(intent('held'))).toMatchObject({ state: 'refused', attempt: 1 })
      expect(await bob.claim(intent('held', 2))).toBeUndefined()
      expect(await bob.claim(intent('created', 2))).toMatchObject({ state: 'created' })
      expect(sql("select id from payroll_journal where key = 'created'")).toBe('4f1c')
    })

    test('are on the disk before they are answered, also where the database answers earlier', async () => {
      sql(
        `create table commits (how text);
         create function note() returns trigger language plpgsql security definer as
           'begin insert into commits values (current_setting(''synchronous_commit'')); return new; end';
         create trigger note before insert or update on payroll_journal for each row execute function note();
         alter role payroll set synchronous_commit = off`,
      )
      const bob = await run()
      const ann = await run(bob.scope)
      await ann.claim(intent('a'))
      await ann.writeOutcome('a', { state: 'doubt', attempt: 1 })
      await ann.close()
      const claim = await bob.claim(intent('a'))
      expect(claim && (await bob.takeOver(claim, { state: 'created', attempt: 1 }))).toBe(true)
      sql('alter role payroll reset synchronous_commit; drop trigger note on payroll_journal')
      expect(sql('select distinct how from commits')).toBe('on')
    })

    test('cannot be had by a run that lost the lock that says it is alive, though its other connections work', async () => {
      const ann = await run()
      const gone = await run(ann.scope)
      await gone.claim(intent('b'))
      await gone.close()
      const [left] = (await ann.read(['b'])).values()
      const locks = `from pg_locks where locktype = 'advisory'
        and ((classid::bigint << 32) | objid::bigint) = hashtextextended('${ann.owner}', 0)`
      sql(`select pg_terminate_backend(pid) ${locks}`)
      // The server ends it a moment later.
      while (sql(`select count(*) ${locks}`) !== '0') await pause(5)
      expect(left && (await ann.takeOver(left, { state: 'doubt', attempt: 1 }))).toBe(false)
      await expect(ann.claim(intent('a'))).rejects.toMatchObject({ code: 'temporary' })
      expect(sql(`select key, owner from payroll_journal where scope = '${ann.scope}'`)).toBe(
        `b|${gone.owner}`,
      )
    })

    test('are asked for no more after a failure, also where the database would give them again', async () => {
      const ann = await run()
      sql('revoke insert on payroll_journal from payroll')
      await expect(ann.claim(intent('a'))).rejects.toMatchObject({ code: 'temporary' })
      sql('grant insert on payroll_journal to payroll')
      await expect(ann.claim(intent('b'))).rejects.toBe(ann.failure())
      expect(sql(`select count(*) from payroll_journal where scope = '${ann.scope}'`)).toBe('0')
    })
  },
)
