import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { counted } from '../platform/text.ts'
import { type Check, ok, someOf, warning } from './check.ts'
import { dueCheck } from './check-webhooks.ts'

const due = dueCheck('logout_deliveries', {
  name: 'logouts-due',
  title: 'Applications are told of the end of a session when it ends',
  why: 'Who has signed out here stays signed in at the applications',
  remedy:
    'Let a process with the workers run (`gatehouse serve`), with backchannel_logout in OAUTH_EXTENSIONS. If one does, receivers are slow: start another process',
})

const failing: Check = {
  name: 'logouts-failing',
  group: 'webhooks',
  title: 'Every application has taken the logout tokens of the last day',
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ slug: string; name: string; failed: number; status: number | null }>`
      select o.slug, c.name, count(*) as failed, (array_agg(d.last_status_code order by d.id desc))[1] as status
      from logout_deliveries d
      join organisations o on o.id = d.organisation_id
      join clients c on c.organisation_id = d.organisation_id and c.id = d.client_id
      where d.created_at > ${daysBefore(system.now, 1)} and d.status = 'failed' and not d.is_test
        and c.backchannel_logout_uri is not null and c.deleted_at is null and o.status in ('trial', 'active')
      group by o.slug, c.id, c.name
      order by o.slug, c.id`.execute(system)
    if (rows.length === 0) return ok('No delivery has failed for good')
    const shown = rows.map(
      ({ slug, name, failed, status }) =>
        `${slug} (${name}): ${failed} failed, the latest ${status === null ? 'without an answer' : `by ${status}`}`,
    )
    return warning(`${counted(rows.length, 'application')}: ${someOf(shown)}`, {
      why: 'Who has signed out here stays signed in there until its own session ends',
      remedy: 'Open the application in the console (Logout): it shows each attempt and its answer, and sends it again',
    })
  },
}

export const logoutChecks: readonly Check[] = [due, failing]
