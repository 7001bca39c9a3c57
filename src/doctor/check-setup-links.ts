import { sql } from 'kysely'
import { daysBefore, secondsAfter } from '../platform/clock.ts'
import { type Check, firstOf, ok, warning } from './check.ts'

const warningHours = 24
const waitingDays = 3

const expiring: Check = {
  name: 'setup-links-expiring',
  group: 'organisations',
  title: `No set-up link that is in use ends within ${warningHours} hours`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ organisation: string; link: string; endsAt: Date }>`
      select o.slug as organisation, l.name as link, l.expires_at as ends_at from setup_links l join organisations o on o.id = l.organisation_id
      where l.finished_at is null and l.ended_at is null and l.first_used_at is not null and o.status in ('trial', 'active')
        and l.expires_at > ${system.now} and l.expires_at <= ${secondsAfter(system.now, warningHours * 3_600)}
      order by l.expires_at, l.id`.execute(system)
    if (rows.length === 0) return ok('no-setup-link-ends', { hours: warningHours })
    return warning('setup-links-end', firstOf(rows.map(({ endsAt, ...names }) => ({ ...names, endsAt: endsAt.toISOString() }))))
  },
}

const waiting: Check = {
  name: 'setup-links-waiting',
  group: 'organisations',
  title: `Nothing that a set-up link has made waits for more than ${waitingDays} days to be activated`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ organisation: string; link: string; made: string }>`
      select o.slug as organisation, l.name as link, concat_ws(', ', c.slug, d.name) as made
      from setup_links l
      join organisations o on o.id = l.organisation_id
      left join connections c on c.organisation_id = l.organisation_id and c.id = l.connection_id and not c.is_active
      left join directories d on d.organisation_id = l.organisation_id and d.id = l.directory_id and not d.is_active
      where l.activated_at is null and (c.id is not null or d.id is not null) and o.status in ('trial', 'active')
        and coalesce(l.finished_at, l.ended_at) < ${daysBefore(system.now, waitingDays)}
      order by o.slug, l.id`.execute(system)
    return rows.length > 0 ? warning('setup-links-wait', firstOf(rows)) : ok('no-setup-link-waits', { days: waitingDays })
  },
}

export const setupLinkChecks: readonly Check[] = [expiring, waiting]
