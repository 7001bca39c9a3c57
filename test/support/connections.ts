import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import { hashSecret, newSecret } from '../../src/platform/crypto/secrets.ts'
import { newId } from '../../src/platform/ids.ts'
import { unique } from './given.ts'
import type { HttpClient } from './http-client.ts'
import type { TestService } from './service.ts'

/** A complete connection to a provider of OpenID Connect. */
export const newConnection = (fields: Record<string, unknown> = {}) => ({
  name: 'Acme',
  slug: `acme-${unique()}`,
  provider: 'oidc',
  configuration: { issuer: 'https://login.acme.test', clientId: 'gatehouse' },
  secret: `upstream-secret-${unique()}`,
  ...fields,
})

/** A key as Apple gives it out, and others that it would not. */
export const privateKey = (namedCurve = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export async function createConnection(admin: HttpClient, fields: Record<string, unknown> = {}) {
  const created = await admin.post('/v1/admin/connections', newConnection(fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body
}

/** Links an account at an identity provider to a user, as a sign-in by the connection does. */
export async function linkedIdentity(
  { database }: Pick<TestService, 'database'>,
  {
    organisationId,
    userId,
    connectionId,
    subject = `subject-${unique()}`,
  }: { organisationId: string; userId: string; connectionId?: string; subject?: string },
): Promise<{ id: string; subject: string; connectionId: string }> {
  const tenant = database.tenant(organisationId)
  const connection = connectionId ?? newId('con', tenant.now)
  if (connectionId === undefined) {
    await tenant
      .insertInto('connections')
      .values({
        ...{ id: connection, slug: `acme-${unique()}`, name: 'Acme', type: 'oidc', provider: 'oidc' },
        ...{ configuration: '{}', createdAt: tenant.now, updatedAt: tenant.now },
      })
      .execute()
  }
  const identity = { id: newId('idn', tenant.now), subject, connectionId: connection }
  await tenant
    .insertInto('identities')
    .values({ ...identity, userId, email: 'carol@acme.test', createdAt: tenant.now })
    .execute()
  return identity
}

/** Makes a session one that came by an identity. */
export async function cameBy(
  { database }: TestService,
  { organisationId, sessionId }: { organisationId: string; sessionId: string },
  { connectionId, subject }: { connectionId: string; subject: string },
): Promise<void> {
  await database
    .tenant(organisationId)
    .updateTable('sessions')
    .set({ connectionId, upstreamSubject: subject })
    .where('id', '=', sessionId)
    .execute()
}

/**
 * An account at an identity provider that waits for its user to sign in, as after a callback.
 *
 * @returns what the cookies of the browser hold
 */
export async function waitingIdentity(
  { database, services }: Pick<TestService, 'database' | 'services'>,
  { organisationId, userId, connectionId, email }: { organisationId: string; userId: string; connectionId: string; email: string },
): Promise<{ svc_link: string; svc_federation: string }> {
  const [state, browser, tenant] = [newSecret(), newSecret(), database.tenant(organisationId)]
  const stateHash = hashSecret(state)
  const waiting = { userId, subject: `subject-${unique()}`, email, emailIsProven: true, emailIsRelay: false, claims: {} }
  await tenant
    .insertInto('federationRequests')
    .values({
      ...{
        stateHash,
        connectionId,
        purpose: 'sign_in',
        nonceHash: stateHash,
        browserHash: hashSecret(browser),
        returnTo: '/account',
        userId: null,
      },
      verifierEncrypted: services.keyring.encrypt(JSON.stringify({ waiting }), stateHash),
      usedAt: tenant.now,
      expiresAt: new Date(tenant.now.getTime() + 600_000),
    })
    .execute()
  return { svc_link: `${connectionId}.${state}`, svc_federation: browser }
}
