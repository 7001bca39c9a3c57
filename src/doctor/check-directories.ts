import { sql } from 'kysely'
import { daysAfter } from '../platform/clock.ts'
import { type Check, ok, someOf, warning } from './check.ts'

const warningDays = 14

const failing: Check = {
  name: 'directories-failing',
  group: 'organisations',
  title: 'The requests of every directory are accepted',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ slug: string; name: string; error: string | null }>`
      select o.slug, d.name, d.last_error as error from directories d join organisations o on o.id = d.organisation_id
      where d.is_active and d.failing_since is not null and o.status <> 'cancelled' order by o.slug, d.id`.execute(database.system())
    if (rows.length === 0) return ok('No directory is failing')
    return warning(someOf(rows.map(({ slug, name, error }) => `${slug} (${name})${error === null ? '' : `: ${error}`}`)), {
      why: 'Who joins or leaves over there is not known here: those who have left can still sign in',
      remedy: `The requests in the console (Directories, Requests) say why; or \`gatehouse directory list --organisation ${rows[0]?.slug}\``,
    })
  },
}

const tokens: Check = {
  name: 'directory-tokens',
  group: 'organisations',
  title: `Every directory has a token for more than ${warningDays} days`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ slug: string; name: string; endsAt: Date; hasEnded: boolean }>`
      select o.slug, d.name, max(t.expires_at) as ends_at, max(t.expires_at) <= ${system.now} as has_ended
      from directory_tokens t
      join directories d on d.organisation_id = t.organisation_id and d.id = t.directory_id
      join organisations o on o.id = d.organisation_id
      where d.is_active and o.status <> 'cancelled'
      group by o.slug, d.id, d.name
      having every(t.expires_at is not null) and max(t.expires_at) <= ${daysAfter(system.now, warningDays)}
      order by o.slug, d.id`.execute(system)
    if (rows.length === 0) return ok(`No directory has to get another token within ${warningDays} days`)
    const shown = rows.map(
      ({ slug, name, endsAt, hasEnded }) => `${slug} (${name}) ${hasEnded ? 'since' : 'from'} ${endsAt.toISOString().slice(0, 10)}`,
    )
    return warning(`Without a token: ${someOf(shown)}`, {
      why: 'Without a token the requests of a directory are refused, and users who leave over there are not deactivated here',
      remedy:
        'Have an administrator create another token (Directories, Create token) and paste it at the directory, which then ends the former',
    })
  },
}

export const directoryChecks: readonly Check[] = [failing, tokens]
