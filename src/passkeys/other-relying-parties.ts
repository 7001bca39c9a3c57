import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { counted } from '../platform/text.ts'
import type { RelyingParty } from './relying-party.ts'

/** A warning when passkeys were registered for another relying party, since they do not work for this one; else undefined. */
export async function warningOfOtherRelyingParties(database: Database, { id }: RelyingParty): Promise<string | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passkeys where rp_id is distinct from ${id ?? null}::text`.execute(database.system())
  const { count } = rows[0] as (typeof rows)[number]
  if (count === 0) return undefined
  const which = id === undefined ? 'there are none for an IP address' : `it is ${id} now`
  return `${counted(count, 'passkey was', 'passkeys were')} registered for another PASSKEY_RP_ID and cannot be used: ${which}`
}
