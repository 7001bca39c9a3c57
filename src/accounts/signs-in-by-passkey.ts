import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for whether a user has a passkey that signs in.
 *
 * @param user SQL: the name of the row
 * @param rpId the relying party whose passkeys count; without one, none does
 */
export const signsInByPasskey = (user: string, rpId: string | null | undefined): RawBuilder<boolean> => sql`exists (
  select from passkeys p
  where ${sql.raw(`p.organisation_id = ${user}.organisation_id and p.user_id = ${user}.id`)} and p.can_sign_in and p.rp_id = ${rpId ?? ''})`
