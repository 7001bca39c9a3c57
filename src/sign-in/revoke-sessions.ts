import type { Tenant } from '../platform/database/database.ts'

/**
 * Ends all sessions of a user, on every process with the next request, but for one if it is named. Sign-ins that wait
 * for a second factor end too.
 */
export async function revokeSessionsOf(tenant: Tenant, userId: string, exceptSessionId?: string): Promise<void> {
  await tenant
    .updateTable('sessions')
    .set({ revokedAt: tenant.now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId as string))
    .execute()
  await tenant.deleteFrom('mfaChallenges').where('userId', '=', userId).execute()
}

/** Ends all sessions of the organisation. */
export async function revokeAllSessions(tenant: Tenant): Promise<void> {
  await tenant.updateTable('sessions').set({ revokedAt: tenant.now }).where('revokedAt', 'is', null).execute()
}
