// @module-tag process

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { start } from '../../process/built.ts'
import { importFixture, people, refs } from '../import-fixture.ts'
import { sharedJournal } from '../shared-journal/empty-journal.ts'
import { otherRun } from '../shared-journal/other-run.ts'
import { withoutPostgres } from '../shared-journal/postgres.ts'

/** The claim of one row waits until it is let go, so that the run can be stopped between the claim and the request. */
const slowly = `create table let_go ();
  grant select on let_go to payroll;
  create function wait_a_while() returns trigger language plpgsql as $$
  begin
    while new.key = 'a-003' and not exists (select from let_go) loop
      perform pg_sleep(0.05);
    end loop;
    return new;
  end $$;
  create trigger slowly before insert on payroll_journal for each row execute function wait_a_while()`

describe.skipIf(withoutPostgres)(
  `an import whose computer falls asleep after it claimed a row (${withoutPostgres ?? 'PostgreSQL'})`,
  () => {
    const { journal, claims, sql, shared } = sharedJournal({ more: slowly })

    /** Starts an import of four people, which claims for two seconds' settle, and stops it while A-003 is claimed. */
    async function stopped() {
      const at = await importFixture('candidates', shared())
      at.write(people(4))
      sql('truncate let_go')
      const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home }
      const words = ['candidates', 'import', at.file, '--json', '--settle', '2', '--concurrency', '1']
      const begin = () => start(words, { home: at.home, env })
      const run = begin()
      const sleeps = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
      while (sql(sleeps) === '0') await pause(5)
      run.child.kill('SIGSTOP')
      sql('insert into let_go default values')
      while (!('a-003' in claims(at))) await pause(20)
      const sent = () => at.postsOf('A-003')
      return { ...at, run, begin, sent, wake: () => run.child.kill('SIGCONT') }
    }
    test('an import asleep for longer than half of --settle gives the row up, claims it again and sends it once', async () => {
      const at = await stopped()
      await pause(1200)
      expect(at.sent()).toBe(0)
      at.wake()
      expect(await at.run.ended).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(4))
      expect(at.sent()).toBe(1)
      const states = at.journal().flatMap(({ key, state }) => (key === 'A-003' ? [state] : []))
      expect(states).toEqual(['intent', 'pending', 'intent', 'created'])
      expect(new Set(Object.values(claims(at)))).toEqual(new Set(['created 1']))
    })

    test('an import asleep for longer than the database waits does not send a row again that another run took over', async () => {
      const at = await stopped()
      sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'payroll'")
      const other = await otherRun(journal.url, at.baseUrl, [])
      const claim = (await other.read(['a-003'])).get('a-003')
      if (!claim) throw new Error('it was not claimed')
      while (!(await other.takeOver(claim, { state: 'doubt', attempt: 1 }))) await pause(20)
      // It waits, sees that the person is not there, and sends.
      await pause(2000)
      await at.call('POST', '/svc/candidates', people(3)[2])
      await other.note('a-003', 'created', 2)
      at.wake()
      const ended = await at.run.ended
      expect(ended.code).toBe(7)
      expect(ended.err).toContain('the connection was lost')
      expect(at.sent()).toBe(0)
      const again = await at.begin().ended
      expect(again).toMatchObject({ code: 0 })
      expect(JSON.parse(again.out)).toMatchObject({ rows: 4, unresolved: 0, pending: 0 })
      expect(await at.there()).toEqual(refs(4))
      expect(at.sent()).toBe(0)
      expect(claims(at)['a-003']).toBe('created 2')
    })
  },
)
