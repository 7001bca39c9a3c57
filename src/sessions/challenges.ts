import { type RawBuilder, sql } from 'kysely'
import type { WrongCodes } from '../accounts/wrong-codes.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type ProvenFactor, storedFactors } from './proven-factors.ts'
import type { AccessByConnection } from './revoke-sessions.ts'

const challengeFailuresMax = 5

/**
 * Creates the challenge of a sign-in that awaits a second factor.
 *
 * @returns false when the password has been changed, or the user blocked or deleted, since it was checked
 */
export async function insertChallenge(
  tenant: Tenant,
  challenge: {
    id: string
    userId: string
    tokenHash: string
    expiresAt: Date
    provenFactors: readonly ProvenFactor[]
    /** The hash of the password that was checked; null where none was. */
    passwordHash: string | null
    signInId: string
  },
): Promise<boolean> {
  const { rows } = await sql`
    with allowed as (
      select id from users
      where id = ${challenge.userId} and deleted_at is null and blocked_at is null
        and (${challenge.passwordHash}::text is null or password_hash = ${challenge.passwordHash})
      -- Not shared: two who both held it so would wait for each other to lift the lock.
      for no key update
    ), unlocked as (
      -- The lock has ended, or began while this attempt, whose password was right, still counted as failed.
      update users set locked_until = null from allowed where users.id = allowed.id and users.locked_until is not null
    )
    insert into mfa_challenges (id, user_id, token_hash, proven_factors, expires_at, created_at, sign_in_id)
    select ${challenge.id}, id, ${challenge.tokenHash}, ${storedFactors(challenge.provenFactors)}::jsonb,
      ${challenge.expiresAt}::timestamptz, ${tenant.now}::timestamptz, ${challenge.signInId}
    from allowed
    returning id`.execute(tenant)
  return rows.length > 0
}

/**
 * The wrong codes of a user whose challenge can still be completed. The lock makes other codes of the user wait until the end of the
 * transaction, whichever challenge they are for.
 *
 * @returns undefined when the challenge can no longer be completed
 */
export async function lockChallenge(tenant: Tenant, id: string): Promise<WrongCodes | undefined> {
  return tenant
    .selectFrom('users')
    .innerJoin('mfaChallenges', (join) =>
      join.onRef('mfaChallenges.organisationId', '=', 'users.organisationId').onRef('mfaChallenges.userId', '=', 'users.id'),
    )
    .select(['users.mfaEnabled', 'users.wrongCodes', 'users.codesRefusedUntil'])
    .where('mfaChallenges.id', '=', id)
    .where('mfaChallenges.usedAt', 'is', null)
    .where('mfaChallenges.expiresAt', '>', tenant.now)
    .where('mfaChallenges.failureCount', '<', challengeFailuresMax)
    .forNoKeyUpdate('users')
    .forUpdate('mfaChallenges')
    .executeTakeFirst()
}

/** Ends the sign-ins by a connection that await a second factor. */
export async function deleteChallengesByConnection(
  tenant: Tenant,
  { connectionId, userId, subject, upstreamSession }: AccessByConnection,
): Promise<void> {
  const sessionId = subject === undefined ? upstreamSession : undefined
  const came = JSON.stringify([{ upstream: { connectionId, subject, sessionId } }])
  await tenant
    .deleteFrom('mfaChallenges')
    .where('expiresAt', '>', tenant.now)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as string))
    .where(sql<boolean>`proven_factors @> ${came}::jsonb`)
    .execute()
}

/** Ends the sign-ins of users, a list in parentheses, that wait for a second factor, or for a new password in place of an expired one. */
export async function endPendingSignIns(tenant: Tenant, users: RawBuilder<string>): Promise<void> {
  await sql`
    with waiting as (
      update action_links set used_at = ${tenant.now}
      where user_id in ${users} and purpose = 'password_change' and used_at is null
    )
    delete from mfa_challenges where user_id in ${users}`.execute(tenant)
}

/** Ends every pending sign-in of the organisation, whatever it waits for. */
export async function endPendingSignInsOfOrganisation(tenant: Tenant): Promise<void> {
  await endPendingSignIns(tenant, sql`(select id from users)`)
}

export async function markChallengeUsed(tenant: Tenant, id: string): Promise<void> {
  await tenant.updateTable('mfaChallenges').set({ usedAt: tenant.now }).where('id', '=', id).execute()
}

export async function countChallengeFailure(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('mfaChallenges')
    .set((challenge) => ({ failureCount: challenge('failureCount', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
