import { sql } from 'kysely'
import { daysBefore, secondsAfter } from '../platform/clock.ts'
import { type Check, ok, someOf, warning } from './check.ts'

const warningHours = 24
const waitingDays = 3

const expiring: Check = {
  name: 'setup-links-expiring',
  group: 'organisations',
  title: `No set-up link that is in use ends within ${warningHours} hours`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ slug: string; name: string; endsAt: Date }>`
      select o.slug, l.name, l.expires_at as ends_at from setup_links l join organisations o on o.id = l.organisation_id
      where l.finished_at is null and l.ended_at is null and l.first_used_at is not null and o.status in ('trial', 'active')
        and l.expires_at > ${system.now} and l.expires_at <= ${secondsAfter(system.now, warningHours * 3_600)}
      order by l.expires_at, l.id`.execute(system)
    if (rows.length === 0) return ok(`No set-up link that is in use ends within ${warningHours} hours`)
    return warning(`Not finished: ${someOf(rows.map(({ slug, name, endsAt }) => `${slug} (${name}) until ${endsAt.toISOString()}`))}`, {
      why: 'The person who sets up a domain, a sign-in or a directory by it cannot continue afterwards',
      remedy: `Have an administrator ask them to finish, or create another link (Set-up links); \`gatehouse setup-link list --organisation ${rows[0]?.slug}\` lists them`,
    })
  },
}

const waiting: Check = {
  name: 'setup-links-waiting',
  group: 'organisations',
  title: `Nothing that a set-up link has made waits for more than ${waitingDays} days to be activated`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ slug: string; name: string; made: string }>`
      select o.slug, l.name, concat_ws(', ', c.slug, d.name) as made
      from setup_links l
      join organisations o on o.id = l.organisation_id
      left join connections c on c.organisation_id = l.organisation_id and c.id = l.connection_id and not c.is_active
      left join directories d on d.organisation_id = l.organisation_id and d.id = l.directory_id and not d.is_active
      where l.activated_at is null and (c.id is not null or d.id is not null) and o.status in ('trial', 'active')
        and coalesce(l.finished_at, l.ended_at) < ${daysBefore(system.now, waitingDays)}
      order by o.slug, l.id`.execute(system)
    if (rows.length === 0) return ok(`Nothing waits for more than ${waitingDays} days`)
    return warning(`Inactive: ${someOf(rows.map(({ slug, name, made }) => `${slug} (${name}: ${made})`))}`, {
      why: 'A customer who has set it up takes it for working, and what is not used still has its secrets and tokens',
      remedy:
        'Have an administrator activate it on the page of the link (Set-up links, Activate all of it), or delete the connection and the directory',
    })
  },
}

export const setupLinkChecks: readonly Check[] = [expiring, waiting]
