import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { type Check, firstOf, ok, warning } from './check.ts'
import { dueCheck } from './check-webhooks.ts'

const due = dueCheck('logout', { name: 'logouts-due', title: 'Applications are told of the end of a session when it ends' })

const failing: Check = {
  name: 'logouts-failing',
  group: 'webhooks',
  title: 'Every application has taken the logout tokens of the last day',
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ organisation: string; application: string; failed: number; status: number | null }>`
      select o.slug as organisation, c.name as application, count(*) as failed, (array_agg(d.last_status_code order by d.id desc))[1] as status
      from logout_deliveries d
      join organisations o on o.id = d.organisation_id
      join clients c on c.organisation_id = d.organisation_id and c.id = d.client_id
      where d.created_at > ${daysBefore(system.now, 1)} and d.status = 'failed' and not d.is_test
        and c.backchannel_logout_uri is not null and c.deleted_at is null and o.status in ('trial', 'active')
      group by o.slug, c.id, c.name
      order by o.slug, c.id`.execute(system)
    return rows.length > 0 ? warning('logouts-failing', { applications: rows.length, ...firstOf(rows) }) : ok('logouts-taken')
  },
}

export const logoutChecks: readonly Check[] = [due, failing]
