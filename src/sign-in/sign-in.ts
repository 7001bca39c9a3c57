import type { RateLimits } from '../access/rate-limits.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { verifyPassword } from '../platform/crypto/password-hash.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { type Account, findAccount, insertSession, updateLastLogin } from './queries.ts'
import { invalidCredentials, organisationSuspended, userBlocked } from './refusals.ts'
import type { Credentials } from './schemas.ts'

export interface StartedSession {
  id: string
  /** The cookie's value; only its hash is stored. */
  token: string
  expiresAt: Date
  user: { id: string; email: string; name: string }
}

/**
 * Signs a user in with a password. Unknown accounts, wrong passwords and accounts without one take the same time and
 * get the same answer; only the right password learns of a block or a suspension.
 *
 * @throws Problem `unauthorized`, `forbidden` for a blocked user or a suspended organisation, `too-many-requests`
 */
export async function signIn(
  { database, limits }: { database: Database; limits: RateLimits },
  origin: Pick<Actor, 'ipAddress' | 'userAgent'>,
  { email, password }: Credentials,
): Promise<StartedSession> {
  const address = origin.ipAddress ?? ''
  await countAttempt(limits, address, email)

  const account = await findAccount(database, email)
  const matches = await verifyPassword(account?.passwordHash, password)
  if (!account || !matches) {
    if (account) await recordFailure(database, account, origin, 'wrong password')
    throw invalidCredentials()
  }
  await Promise.all([limits.signInByAddress.giveBack(address), limits.signInByAccount.giveBack(email)])
  const refusal = refusalOf(account)
  if (refusal) {
    await recordFailure(database, account, origin, refusal.detail)
    throw refusal
  }
  return startSession(database, account, origin)
}

/** Until its password has been checked an attempt counts as failed: many at once would otherwise all be tried. */
async function countAttempt(limits: RateLimits, address: string, email: string): Promise<void> {
  await limits.signInByAddress.count(address)
  try {
    await limits.signInByAccount.count(email)
  } catch (error) {
    await limits.signInByAddress.giveBack(address)
    throw error
  }
}

function refusalOf({ blockedAt, organisationStatus }: Account) {
  if (blockedAt) return userBlocked()
  if (organisationStatus === 'suspended') return organisationSuspended()
  return undefined
}

async function startSession(database: Database, account: Account, origin: Pick<Actor, 'ipAddress' | 'userAgent'>): Promise<StartedSession> {
  const { id: userId, email, name } = account
  return database.transaction(account.organisationId, async (tenant) => {
    const session = { id: newId('ses', tenant.now), ipAddress: origin.ipAddress ?? '', userAgent: origin.userAgent ?? '' }
    const token = newSecret()
    const started = await insertSession(tenant, {
      ...session,
      userId,
      tokenHash: hashSecret(token),
      authenticationMethods: ['pwd'],
      passwordHash: account.passwordHash ?? '',
    })
    // Blocked, suspended or given a new password since it was looked up: another try will say which.
    if (!started) throw invalidCredentials()
    await updateLastLogin(tenant, userId)

    const shown = {
      lastActivityAt: tenant.now.toISOString(),
      expiresAt: started.expiresAt.toISOString(),
      createdAt: tenant.now.toISOString(),
    }
    await record(tenant, actorOf(account, origin), {
      action: 'login.success',
      session: { ...session, ...shown },
      user: { id: userId, email, name },
    })
    return { id: session.id, token, expiresAt: started.expiresAt, user: { id: userId, email, name } }
  })
}

async function recordFailure(
  database: Database,
  account: Account,
  origin: Pick<Actor, 'ipAddress' | 'userAgent'>,
  reason: string,
): Promise<void> {
  const { id, email, name } = account
  await database.transaction(account.organisationId, (tenant) =>
    record(
      tenant,
      { ...actorOf(account, origin), actorId: null },
      { action: 'login.failed', user: { id, email, name }, metadata: { reason } },
    ),
  )
}

const actorOf = ({ id, email }: Account, origin: Pick<Actor, 'ipAddress' | 'userAgent'>): Actor => ({
  actorType: 'user',
  actorId: id,
  email,
  ...origin,
})
