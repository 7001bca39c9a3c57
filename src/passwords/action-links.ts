import { sql } from 'kysely'
import { runningStatuses } from '../organisations/rules.ts'
import { secondsAfter, secondsBefore } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

/** The purpose of a link. A `password_change` comes from a sign-in with an old password, so it does not prove who reads the mailbox. */
export type LinkPurpose = 'password_reset' | 'password_change' | 'email_verification'

/**
 * Creates a link's token for one purpose; earlier links of that purpose stop working.
 *
 * @param keyring derives the token from the link's id, so that {@link reissueActionLink} can make it again; without it,
 *   it is random
 * @returns the token, of which only the hash is stored
 */
export async function issueActionLink(
  tenant: Tenant,
  userId: string,
  purpose: LinkPurpose,
  lifetimeSeconds: number,
  keyring?: Keyring,
): Promise<string> {
  await endLinks(tenant, userId, [purpose])
  const id = newId('link', tenant.now)
  const token = keyring ? derivedToken(keyring, id) : newSecret()
  const expiresAt = secondsAfter(tenant.now, lifetimeSeconds)
  await tenant
    .insertInto('actionLinks')
    .values({ id, userId, purpose, tokenHash: hashSecret(token), expiresAt, createdAt: tenant.now })
    .execute()
  return token
}

/**
 * Creates the token of a recent link that still works again, or else a new token. A link that works for longer than `lifetimeSeconds` is
 * another one, such as that of a welcome: the mail would say less than it does.
 * It takes as many statements either way, so that its time does not tell which.
 *
 * @param youngerThanSeconds how old the link may be
 */
export async function reissueActionLink(
  tenant: Tenant,
  userId: string,
  purpose: LinkPurpose,
  lifetimeSeconds: number,
  { keyring, youngerThanSeconds }: { keyring: Keyring; youngerThanSeconds: number },
): Promise<string> {
  const since = secondsBefore(tenant.now, youngerThanSeconds)
  const recent = await tenant
    .selectFrom('actionLinks')
    .select(['id', 'tokenHash'])
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .where('expiresAt', '<=', secondsAfter(tenant.now, lifetimeSeconds))
    .where('createdAt', '>', since)
    .executeTakeFirst()
  const token = recent && derivedToken(keyring, recent.id)
  // A token that was random, or derived with another key, cannot be made again.
  if (!recent || !token || hashSecret(token) !== recent.tokenHash) return issueActionLink(tenant, userId, purpose, lifetimeSeconds, keyring)
  await endLinks(tenant, userId, [purpose], recent.id)
  await tenant.updateTable('actionLinks').set({ usedAt: null }).where('id', '=', recent.id).where('usedAt', 'is', null).execute()
  return token
}

async function endLinks(tenant: Tenant, userId: string, purposes: readonly LinkPurpose[], exceptId = ''): Promise<void> {
  await tenant
    .updateTable('actionLinks')
    .set({ usedAt: tenant.now })
    .where('userId', '=', userId)
    .where('purpose', 'in', purposes)
    .where('usedAt', 'is', null)
    .where('id', '!=', exceptId)
    .execute()
}

/** Derives a token from the id of its link. The id is random enough to tell links apart; the key makes the token secret. */
const derivedToken = (keyring: Keyring, linkId: string) => keyring.hmac('action link', linkId)

export interface LinkTarget {
  organisationId: string
  userId: string
  purpose: LinkPurpose
  expiresAt: Date
  email: string
  firstName: string
  lastName: string
  /** When the password that the link replaces was found among breached ones; null unless it was. */
  passwordBreachedAt: Date | null
}

/** The user of a token; undefined when it is unknown, used, expired, or its user or organisation may not act on it. */
export async function findActionLink(database: Database, token: string, ...purposes: LinkPurpose[]): Promise<LinkTarget | undefined> {
  const system = database.system()
  return system
    .selectFrom('actionLinks')
    .innerJoin('users', (join) =>
      join.onRef('users.organisationId', '=', 'actionLinks.organisationId').onRef('users.id', '=', 'actionLinks.userId'),
    )
    .innerJoin('organisations', 'organisations.id', 'actionLinks.organisationId')
    .leftJoin('signUps', (join) =>
      join.onRef('signUps.organisationId', '=', 'actionLinks.organisationId').onRef('signUps.userId', '=', 'actionLinks.userId'),
    )
    .select((link) => link.fn.coalesce('signUps.email', 'users.email').as('email'))
    .select([
      'actionLinks.organisationId',
      'actionLinks.userId',
      'actionLinks.purpose',
      'actionLinks.expiresAt',
      'users.firstName',
      'users.lastName',
      'users.passwordBreachedAt',
    ])
    .where('actionLinks.tokenHash', '=', hashSecret(token))
    .where('actionLinks.purpose', 'in', purposes)
    .where('actionLinks.usedAt', 'is', null)
    .where('actionLinks.expiresAt', '>', system.now)
    .where('users.deletedAt', 'is', null)
    .where('users.blockedAt', 'is', null)
    .where('organisations.status', 'in', runningStatuses)
    .executeTakeFirst()
}

/** The user of a link that may do something: neither deleted nor blocked, in an organisation on trial or active. */
const ableUser = (tenant: Tenant, userId: string) =>
  tenant
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select('users.id')
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)
    .where('users.blockedAt', 'is', null)
    .where('organisations.status', 'in', runningStatuses)

/**
 * Whether the user may use a link, before one is made that they asked for themselves. It stays so until the commit: what blocks a user, or
 * changes the status of an organisation, locks the row for update. It waits, and then ends the link, or it came first.
 */
export async function holdAddressee(tenant: Tenant, userId: string): Promise<boolean> {
  // The weakest lock that does so, which the new link takes anyway: many may be asked for at once.
  return (await ableUser(tenant, userId).forKeyShare('users').forKeyShare('organisations').executeTakeFirst()) !== undefined
}

/**
 * Uses up a link. The user's row is locked first: of two links that each set a password, the first one to be used ends the other. The
 * organisation's row is locked so that it stays as it is until the commit.
 *
 * @returns whether this call used it up
 */
export async function claimActionLink(tenant: Tenant, userId: string, token: string): Promise<boolean> {
  const user = await ableUser(tenant, userId).forNoKeyUpdate('users').forShare('organisations').executeTakeFirst()
  if (!user) return false
  const { rows } = await sql<{ id: string }>`
    update action_links set used_at = ${tenant.now}
    where token_hash = ${hashSecret(token)} and user_id = ${userId} and used_at is null and expires_at > ${tenant.now}
    returning id`.execute(tenant)
  return rows.length > 0
}

/** Ends every mailed link of the organisation, whatever it is for. */
export async function endLinksOfOrganisation(tenant: Tenant): Promise<void> {
  await tenant.updateTable('actionLinks').set({ usedAt: tenant.now }).where('usedAt', 'is', null).execute()
}

/** Ends every link and token that could set this user's password. */
export async function endPasswordLinks(tenant: Tenant, userId: string): Promise<void> {
  await endLinks(tenant, userId, ['password_reset', 'password_change'])
}

/** Ends every link that proves this user's address. */
export async function endAddressLinks(tenant: Tenant, userId: string): Promise<void> {
  await endLinks(tenant, userId, ['email_verification'])
}

/** Ends every link that was mailed to this user, whatever it is for. */
export async function endMailedLinks(tenant: Tenant, userId: string): Promise<void> {
  await endLinks(tenant, userId, ['password_reset', 'password_change', 'email_verification'])
}
