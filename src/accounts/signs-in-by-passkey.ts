import { type RawBuilder, sql } from 'kysely'

type RelyingPartyId = string | null | undefined

const usable = (user: string, rpId: RelyingPartyId) => sql`passkeys p
  where ${sql.raw(`p.organisation_id = ${user}.organisation_id and p.user_id = ${user}.id`)} and p.rp_id = ${rpId ?? ''}`

/**
 * SQL for whether a user has a passkey that a device can prove.
 *
 * @param user SQL: the name of the row
 * @param rpId the relying party whose passkeys count; without one, none does
 */
export const hasUsablePasskey = (user: string, rpId: RelyingPartyId): RawBuilder<boolean> => sql`exists (select from ${usable(user, rpId)})`

/** SQL for whether a user has a passkey that signs in. */
export const signsInByPasskey = (user: string, rpId: RelyingPartyId): RawBuilder<boolean> =>
  sql`exists (select from ${usable(user, rpId)} and p.can_sign_in)`
