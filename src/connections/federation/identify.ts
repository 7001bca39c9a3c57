import type { RateLimits } from '../../access/rate-limits.ts'
import { findVerifiedDomain } from '../../domains/queries.ts'
import { domainOfAddress } from '../../domains/rules.ts'
import type { EmailCodeOffer } from '../../email-codes/offer.ts'
import { isRunning, runningStatuses, type StoredPolicy, signInPolicyOf } from '../../organisations/rules.ts'
import { connectionSignsIn } from '../../organisations/signs-in-by-connection.ts'
import type { RelyingParty } from '../../passkeys/relying-party.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Identified } from './sign-in-schemas.ts'

export interface Identifying {
  database: Database
  limits: RateLimits
  emailCodeOffer: EmailCodeOffer
  relyingParty: RelyingParty
  publicUrl: string
}

/**
 * Finds how a user with an address can sign in. Its domain alone decides, so the response says nothing about accounts. Organisations
 * whose users cannot sign in are left out.
 *
 * @param clientId the application that requested the sign-in: its organisation's connections are offered, too
 * @throws Problem `too-many-requests`: asking about every domain would reveal which organisations exist here
 */
export async function identify(
  { database, limits, emailCodeOffer, relyingParty, publicUrl }: Identifying,
  { email, clientId }: { email: string; clientId?: string | undefined },
  address: string,
): Promise<Identified> {
  await limits.identificationsByAddress.count(address)
  const verified = await findVerifiedDomain(database, domainOfAddress(email))
  const domain = verified && isRunning(verified.organisationStatus) ? verified : undefined
  const client = clientId === undefined ? undefined : await organisationOfClient(database, clientId)
  const organisationId = domain?.organisationId ?? client
  if (organisationId === undefined) {
    return { password: true, passkey: relyingParty.id !== undefined, emailCode: emailCodeOffer.isMade, connections: [], required: false }
  }
  const isOf = (id: string) => domain?.connectionId === id && domain.sso !== 'off'
  const [policy, all] = await Promise.all([findPolicy(database, organisationId), usableConnections(database, organisationId)])
  const required = domain?.sso === 'required'
  const offered = all.filter(({ id }) => isOf(id) || (client === organisationId && !required))
  const { password, passkeys, emailCode } = signInPolicyOf(policy)
  return {
    password: !required && password === 'allowed',
    passkey: !required && passkeys !== 'off' && relyingParty.id !== undefined,
    emailCode: !required && emailCode === 'allowed',
    connections: offered
      .toSorted((left, right) => Number(isOf(right.id)) - Number(isOf(left.id)))
      .map((connection) => ({ ...connection, startUrl: startUrlOf(publicUrl, connection.id, email) })),
    required,
  }
}

const startUrlOf = (publicUrl: string, id: string, email: string) =>
  `${publicUrl}/federation/${id}/start?${new URLSearchParams({ login_hint: email })}`

async function organisationOfClient(database: Database, clientId: string): Promise<string | undefined> {
  const client = await database
    .system()
    .selectFrom('clients')
    .innerJoin('organisations', 'organisations.id', 'clients.organisationId')
    .select('clients.organisationId')
    .where('clients.id', '=', clientId)
    .where('organisations.status', 'in', runningStatuses)
    .executeTakeFirst()
  return client?.organisationId
}

async function findPolicy(database: Database, organisationId: string): Promise<StoredPolicy> {
  const { signInPolicy } = await database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select('signInPolicy')
    .executeTakeFirstOrThrow()
  return signInPolicy
}

/** The connections through which users can sign in now, the oldest first. */
async function usableConnections(database: Database, organisationId: string) {
  return database
    .tenant(organisationId)
    .selectFrom('connections')
    .select(['id', 'name', 'provider'])
    .where(connectionSignsIn())
    .orderBy('id')
    .execute()
}
