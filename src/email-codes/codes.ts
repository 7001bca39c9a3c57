import { sql } from 'kysely'
import { secondsAfter } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret, sameSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { codeLifetimeSeconds } from './flows.ts'

const digits = 8
const triesMax = 5

/** Eight digits that derive from the id and cannot be computed without the key. */
export function codeOf(keyring: Keyring, id: string): string {
  const number = Buffer.from(keyring.hmac('email code', id), 'base64url').readUIntBE(0, 6) % 10 ** digits
  return String(number).padStart(digits, '0')
}

const linkTokenOf = (keyring: Keyring, id: string) => keyring.hmac('email code link', id)

/** Whether the code is that of the row. Without a row it compares with a dummy, which takes as long. */
export const isCode = (keyring: Keyring, id: string | undefined, code: string): boolean =>
  sameSecret(codeOf(keyring, id ?? ''), code) && id !== undefined

export interface MailedCode {
  code: string
  /** The token of the link, which shows the code again. */
  linkToken: string
}

/**
 * Issues a code to a user for a flow; the previous one stops working.
 *
 * @returns undefined when a later request of the user has been served already: it was asked for last, so its code is the one that works
 */
export async function issueCode(
  tenant: Tenant,
  keyring: Keyring,
  userId: string,
  { flowToken, expiresAt, signInId }: { flowToken: string; expiresAt: Date; signInId: string },
): Promise<MailedCode | undefined> {
  const id = newId('code', tenant.now)
  const linkToken = linkTokenOf(keyring, id)
  const row = { id, flowTokenHash: hashSecret(flowToken), linkTokenHash: hashSecret(linkToken), expiresAt, signInId, createdAt: tenant.now }
  // No request is answered with a later time than this. A row that has one was stored before the clock was set back.
  const latest = secondsAfter(tenant.now, codeLifetimeSeconds)
  const issued = await tenant
    .insertInto('emailCodes')
    .values({ userId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['organisationId', 'userId'])
        .doUpdateSet(row)
        .where(({ eb }) => eb.or([eb('emailCodes.expiresAt', '<=', expiresAt), eb('emailCodes.expiresAt', '>', latest)])),
    )
    .returning('id')
    .executeTakeFirst()
  return issued && { code: codeOf(keyring, id), linkToken }
}

/**
 * Claims one of a flow's attempts before its code is checked: otherwise concurrent attempts would all be allowed. The write is the
 * same whether or not a code exists.
 *
 * @returns false when no attempt is left
 */
export async function claimTry(database: Database, flowToken: string, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into email_code_tries (flow_token_hash, tries, expires_at) values (${hashSecret(flowToken)}, 1, ${expiresAt})
    on conflict (flow_token_hash) do update set tries = email_code_tries.tries + 1 where email_code_tries.tries < ${triesMax}
    returning tries`.execute(database.system())
  return rows.length > 0
}

export async function deleteEmailCodes(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('emailCodes').where('userId', '=', userId).execute()
}

/** Ends every code that was mailed to users of the organisation. */
export async function deleteEveryEmailCode(tenant: Tenant): Promise<void> {
  await tenant.deleteFrom('emailCodes').execute()
}

/**
 * Uses a code up, unless the user's address has changed since the code was mailed.
 *
 * @returns whether this call used it up
 */
export async function claimCode(tenant: Tenant, { id, email }: { id: string; email: string }): Promise<boolean> {
  const { rows } = await sql`
    delete from email_codes using users
    where users.organisation_id = email_codes.organisation_id and users.id = email_codes.user_id and users.email = ${email}
      and email_codes.id = ${id} and email_codes.expires_at > ${tenant.now}
    returning email_codes.id`.execute(tenant)
  return rows.length > 0
}
