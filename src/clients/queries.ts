import { type Insertable, type Selectable, sql } from 'kysely'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { SharedReads, Tenant } from '../platform/database/database.ts'
import type { ClientsTable } from '../platform/database/tables.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { newId } from '../platform/ids.ts'
import { federatedSubjectIsTaken, jsonOfCredentials } from './federated-credentials.ts'
import { clientNotFound, secretMissing } from './refusals.ts'

type Secret = 'secretHash' | 'previousSecretHash'
/** What only a registration reads. */
type OfRegistration = 'registrationAccessTokenHash' | 'registeredMetadata'
type RegistrationColumn = OfRegistration | 'registrationTokenId' | 'registeredFrom'

/** A client's row without its secrets, with its organisation's policy for token lifetimes. */
export type Client = Omit<Selectable<ClientsTable>, Secret | OfRegistration | 'nameKey'> & {
  tokenLifetimePolicy: Record<string, unknown> | null
}

const columns = [
  'clients.organisationId',
  'clients.id',
  'clients.name',
  'clients.description',
  'clients.clientType',
  'clients.tokenEndpointAuthMethod',
  'clients.redirectUris',
  'clients.postLogoutRedirectUris',
  'clients.initiateLoginUri',
  'clients.grantTypes',
  'clients.scopes',
  'clients.requirePkce',
  'clients.allowPlainPkce',
  'clients.requireConsent',
  'clients.requirePushedAuthorizationRequests',
  'clients.requireDpop',
  'clients.tlsClientAuth',
  'clients.certificateBoundAccessTokens',
  'clients.isActive',
  'clients.refreshTokenGraceSeconds',
  'clients.accessTokenLifetime',
  'clients.refreshTokenLifetime',
  'clients.refreshTokenAbsoluteLifetime',
  'clients.idTokenLifetime',
  'clients.authorizationCodeTtl',
  'clients.idTokenSignedResponseAlg',
  'clients.introspectionSignedResponseAlg',
  'clients.defaultAcrValues',
  'clients.defaultMaxAge',
  'clients.profile',
  'clients.backchannelLogoutUri',
  'clients.backchannelLogoutSessionRequired',
  'clients.backchannelLogoutRevokesRefresh',
  'clients.jwks',
  'clients.jwksUri',
  'clients.tokenEndpointAuthSigningAlg',
  'clients.requireSignedRequestObject',
  'clients.requestObjectSigningAlg',
  'clients.resourceServerIds',
  'clients.defaultResource',
  'clients.claimMappings',
  'clients.federatedCredentials',
  'clients.logoUrl',
  'clients.origin',
  'clients.automaticClientId',
  'clients.consentVersion',
  'clients.registrationTokenId',
  'clients.registeredFrom',
  'clients.tokensValidAfter',
  'clients.previousSecretExpiresAt',
  'clients.secretCreatedAt',
  'clients.secretLastUsedAt',
  'clients.lastUsedAt',
  'clients.createdAt',
  'clients.updatedAt',
  'clients.deletedAt',
  'organisations.tokenLifetimePolicy',
] as const

/** Clients that are not deleted. */
export const activeClients = (reads: SharedReads) =>
  reads
    .selectFrom('clients')
    .innerJoin('organisations', 'organisations.id', 'clients.organisationId')
    .select(columns)
    .where('clients.deletedAt', 'is', null)

export const findClient = compiledOnce((reads, id: string) => activeClients(reads).where('clients.id', '=', id))

/** @throws Problem `not-found` */
export async function getClient(tenant: Tenant, id: string): Promise<Client> {
  const client = await findClient(tenant, id)
  if (!client) throw clientNotFound()
  return client
}

/** The client, whose row stays locked until the end of the transaction. */
export async function lockClient(tenant: Tenant, id: string): Promise<Client | undefined> {
  return activeClients(tenant).where('clients.id', '=', id).forUpdate('clients').executeTakeFirst()
}

/** The URIs that clients of the organisation may register; an empty list allows all. */
export async function findAllowedUrls(tenant: Tenant): Promise<{ allowedCallbackUrls: string[]; allowedLogoutUrls: string[] }> {
  return tenant.selectFrom('organisations').select(['allowedCallbackUrls', 'allowedLogoutUrls']).executeTakeFirstOrThrow()
}

export const clientSettings = [
  'name',
  'description',
  'profile',
  'tokenEndpointAuthMethod',
  'tokenEndpointAuthSigningAlg',
  'jwks',
  'jwksUri',
  'requireSignedRequestObject',
  'requestObjectSigningAlg',
  'redirectUris',
  'postLogoutRedirectUris',
  'initiateLoginUri',
  'grantTypes',
  'scopes',
  'requirePkce',
  'allowPlainPkce',
  'requireConsent',
  'requirePushedAuthorizationRequests',
  'requireDpop',
  'tlsClientAuth',
  'certificateBoundAccessTokens',
  'refreshTokenGraceSeconds',
  'accessTokenLifetime',
  'refreshTokenLifetime',
  'refreshTokenAbsoluteLifetime',
  'idTokenLifetime',
  'authorizationCodeTtl',
  'idTokenSignedResponseAlg',
  'introspectionSignedResponseAlg',
  'defaultAcrValues',
  'defaultMaxAge',
  'backchannelLogoutUri',
  'backchannelLogoutSessionRequired',
  'backchannelLogoutRevokesRefresh',
  'resourceServerIds',
  'defaultResource',
  'claimMappings',
  'federatedCredentials',
  'logoUrl',
] as const

export type ClientSettings = Pick<Client, (typeof clientSettings)[number]>

/** The resource servers of the organisation, of which there are few. They are locked against deletion until the end of the transaction. */
export async function shareResourceServers(tenant: Tenant): Promise<{ id: string; identifier: string }[]> {
  return tenant.selectFrom('resourceServers').select(['id', 'identifier']).orderBy('id').forKeyShare().execute()
}

/** Takes a resource server that is being deleted from the clients that may ask for it. */
export async function forgetResourceServer(tenant: Tenant, id: string): Promise<void> {
  await sql`
    update clients set resource_server_ids = array_remove(resource_server_ids, ${id}), updated_at = ${tenant.now}
    where ${id} = any(resource_server_ids)`.execute(tenant)
}

/** How a client registered itself. */
type Registered = Pick<Insertable<ClientsTable>, 'origin' | 'consentVersion' | RegistrationColumn>

/** @returns the new client's id */
export async function insertClient(
  tenant: Tenant,
  client: ClientSettings & Pick<Client, 'clientType' | 'isActive'> & { secretHash: string | null } & Partial<Registered>,
): Promise<string> {
  const id = newId('cli', tenant.now)
  await tenant
    .insertInto('clients')
    .values({
      id,
      ...client,
      jwks: client.jwks && JSON.stringify(client.jwks),
      tlsClientAuth: client.tlsClientAuth && JSON.stringify(client.tlsClientAuth),
      claimMappings: jsonOf(client.claimMappings),
      federatedCredentials: jsonOfCredentials(client.federatedCredentials),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .execute()
    .catch(refuseViolation(federatedSubjectIsTaken))
  return id
}

type ClientState = Partial<
  ClientSettings &
    Pick<
      Selectable<ClientsTable>,
      Secret | 'previousSecretExpiresAt' | 'clientType' | 'isActive' | 'tokensValidAfter' | 'deletedAt' | 'consentVersion'
    > &
    Pick<Insertable<ClientsTable>, 'registeredMetadata'>
>

/** Ends every token of the organisation's clients, also what they got for themselves, which is of no family. They stay active. */
export async function endTokensOfEveryClient(tenant: Tenant): Promise<void> {
  await tenant.updateTable('clients').set({ tokensValidAfter: tenant.now }).where('deletedAt', 'is', null).execute()
}

/** @throws Problem `bad-request` when it would have to authenticate by a secret that it does not have */
export async function updateClient(
  tenant: Tenant,
  id: string,
  { jwks, tlsClientAuth, claimMappings, federatedCredentials, ...changes }: ClientState,
): Promise<void> {
  await tenant
    .updateTable('clients')
    .set({
      ...changes,
      ...(jwks !== undefined && { jwks: jwks && JSON.stringify(jwks) }),
      ...(tlsClientAuth !== undefined && { tlsClientAuth: tlsClientAuth && JSON.stringify(tlsClientAuth) }),
      ...(claimMappings !== undefined && { claimMappings: jsonOf(claimMappings) }),
      ...(federatedCredentials !== undefined && { federatedCredentials: jsonOfCredentials(federatedCredentials) }),
      updatedAt: tenant.now,
    })
    .where('id', '=', id)
    .execute()
    .catch(
      refuseViolation({
        ...federatedSubjectIsTaken,
        clients_secret_check: () => invalidInput([secretMissing(['tokenEndpointAuthMethod'])]),
      }),
    )
}

/** Null for an empty list: the statements of tokens then read nothing for it. */
const jsonOf = (mappings: ClaimMapping[] | null) => (mappings?.length ? JSON.stringify(mappings) : null)

/** Replaces the current secret. The old one works until the given time, if any. */
export async function replaceSecret(tenant: Tenant, id: string, secretHash: string, previousExpiresAt: Date | null): Promise<void> {
  await tenant
    .updateTable('clients')
    .set((client) => ({
      secretHash,
      previousSecretHash: previousExpiresAt ? client.ref('secretHash') : null,
      previousSecretExpiresAt: previousExpiresAt,
      secretCreatedAt: tenant.now,
      secretLastUsedAt: null,
      updatedAt: tenant.now,
    }))
    .where('id', '=', id)
    .execute()
}

/**
 * Records that a client was used and, if it presented its current secret, that this was: an earlier secret that still works is not
 * the current one. Skipped if another process has recorded a use since `notSince`.
 */
export async function touchClient(
  tenant: Tenant,
  { id, presentedHash, at, notSince }: { id: string; presentedHash: string | null; at: Date; notSince: Date },
): Promise<void> {
  await sql`
    update clients set last_used_at = greatest(last_used_at, ${at}),
      secret_last_used_at = case when secret_hash = ${presentedHash} then ${at} else secret_last_used_at end
    where id = ${id} and (
      last_used_at is null or last_used_at < ${notSince}
      or (secret_hash = ${presentedHash} and (secret_last_used_at is null or secret_last_used_at < ${notSince})))`.execute(tenant)
}
