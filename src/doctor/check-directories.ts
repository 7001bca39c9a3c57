import { sql } from 'kysely'
import { readLastError } from '../directories/last-error.ts'
import { daysAfter } from '../platform/clock.ts'
import { type Check, firstOf, ok, warning } from './check.ts'

const warningDays = 14

const failing: Check = {
  name: 'directories-failing',
  group: 'organisations',
  title: 'The requests of every directory are accepted',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ organisation: string; directory: string; lastError: string | null }>`
      select o.slug as organisation, d.name as directory, d.last_error from directories d join organisations o on o.id = d.organisation_id
      where d.is_active and d.failing_since is not null and o.status <> 'cancelled' order by o.slug, d.id`.execute(database.system())
    if (rows.length === 0) return ok('no-directory-fails')
    const failing = rows.map(({ lastError, ...names }) => {
      const { error = null, reason: mistake = null } = readLastError(lastError) ?? {}
      return { ...names, error, mistake }
    })
    return warning('directories-failing', firstOf(failing))
  },
}

const tokens: Check = {
  name: 'directory-tokens',
  group: 'organisations',
  title: `Every directory has a token for more than ${warningDays} days`,
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ organisation: string; directory: string; endsAt: Date; hasEnded: boolean }>`
      select o.slug as organisation, d.name as directory, max(t.expires_at) as ends_at, max(t.expires_at) <= ${system.now} as has_ended
      from directory_tokens t
      join directories d on d.organisation_id = t.organisation_id and d.id = t.directory_id
      join organisations o on o.id = d.organisation_id
      where d.is_active and o.status <> 'cancelled'
      group by o.slug, d.id, d.name
      having every(t.expires_at is not null) and max(t.expires_at) <= ${daysAfter(system.now, warningDays)}
      order by o.slug, d.id`.execute(system)
    if (rows.length === 0) return ok('directory-tokens-last', { days: warningDays })
    return warning('directory-tokens-end', firstOf(rows.map(({ endsAt, ...row }) => ({ ...row, endsAt: endsAt.toISOString() }))))
  },
}

export const directoryChecks: readonly Check[] = [failing, tokens]
