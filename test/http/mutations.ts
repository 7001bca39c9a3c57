/**
 * A successful request for each route that changes something, and the audit action that it must record. A new such route of
 * `/openapi.json` needs a row here.
 */
import { Authenticator } from '../support/authenticator.ts'
import { createConnection, newConnection } from '../support/connections.ts'
import { newDirectory } from '../support/directories.ts'
import { addDomain, insertConnection, publish, uniqueDomain } from '../support/domains.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { PasskeyDevice, passkeyProof, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { picture } from '../support/pictures.ts'
import { newResourceServer } from '../support/resource-servers.ts'
import { ordinaryMutations } from './ordinary.ts'
import {
  blockedHost,
  client,
  connection,
  delivery,
  directory,
  domain,
  endpoint,
  enrolled,
  finishedSetupLink,
  invitation,
  logoutDelivery,
  made,
  newClient,
  newSetupLink,
  password,
  person,
  resourceServer,
  setupLink,
  team,
  type World,
  waitingForPasskey,
  withIdentity,
  withPasskey,
  withPhone,
  workload,
} from './world.ts'

export interface Mutation {
  /** Arranges what the request needs. The owner of the organisation sends it unless `by` says otherwise. */
  request(world: World): Promise<{ path: string; body?: unknown; by?: HttpClient }>
  /** The audit action; `undefined` with the reason in `because` when the request changes nothing. */
  leaves: string | undefined
  because?: string
}

const row = (leaves: string, request: Mutation['request']): Mutation => ({ leaves, request })
const unaudited = (because: string, request: Mutation['request']): Mutation => ({ leaves: undefined, because, request })

const system = ({ operator, organisation }: World, path: string, body?: unknown) => ({
  path: `/v1/system/organisations/${organisation.id}${path}`,
  by: operator,
  body,
})

/** @returns the id of the application that the user has allowed something */
async function consentOf(world: World, userId: string): Promise<string> {
  const clientId = await client(world)
  const tenant = world.service.database.tenant(world.organisation.id)
  await tenant
    .insertInto('consents')
    .values({ userId, clientId, scopes: ['openid'], grantedAt: tenant.now })
    .execute()
  return clientId
}

/** @returns the id of the audit entry that says so */
async function changedTeam(world: World): Promise<string> {
  const id = await team(world)
  await world.owner.patch(`/v1/admin/teams/${id}`, { name: 'Changed' })
  return (await world.owner.audit({ action: 'team.updated', targetId: id }))[0].id
}

export const mutations: Record<string, Mutation> = {
  ...ordinaryMutations,
  'POST /v1/auth/login': row('login.success', async (world) => {
    const { email } = await world.given.user(world.owner)
    return { path: '/v1/auth/login', body: { email, password }, by: world.anonymous }
  }),
  'POST /v1/auth/login/mfa': row('login.success', async (world) => {
    const { user, authenticator } = await enrolled(world)
    const { body } = await world.anonymous.post('/v1/auth/login', { email: user.email, password })
    return { path: '/v1/auth/login/mfa', body: { mfaToken: body.mfaToken, code: authenticator.nextCode() }, by: world.anonymous }
  }),
  'POST /v1/auth/login/mfa/code': unaudited('a code is only on its way', async (world) => {
    const { email } = await withPhone(world)
    const { body } = await world.anonymous.post('/v1/auth/login', { email, password })
    return { path: '/v1/auth/login/mfa/code', body: { mfaToken: body.mfaToken }, by: world.anonymous }
  }),
  'POST /v1/auth/passkey/options': unaudited('it changes nothing', async ({ anonymous }) => ({
    path: '/v1/auth/passkey/options',
    by: anonymous,
  })),
  'POST /v1/auth/passkey': row('login.success', async (world) => {
    const { device } = await withPasskey(world)
    return { path: '/v1/auth/passkey', body: await passkeyProof(world.anonymous, device), by: world.anonymous }
  }),
  'POST /v1/auth/email-code': row('auth.email_code_requested', async (world) => {
    await world.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const { email } = await person(world)
    return { path: '/v1/auth/email-code', body: { email }, by: world.anonymous }
  }),
  'POST /v1/auth/email-code/verify': row('login.success', async (world) => {
    await world.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const { email } = await person(world)
    return { path: '/v1/auth/email-code/verify', body: await emailCodeFor(world.service, email), by: world.anonymous }
  }),
  'POST /v1/auth/login/mfa/passkey/options': unaudited('it changes nothing', async (world) => ({
    path: '/v1/auth/login/mfa/passkey/options',
    body: { mfaToken: await waitingForPasskey(world) },
    by: world.anonymous,
  })),
  'POST /v1/auth/logout': row('auth.logout', async (world) => ({ path: '/v1/auth/logout', by: await person(world) })),
  'POST /v1/auth/password/reset': row('auth.password_reset', async (world) => {
    const slug = `org-${unique()}`
    const ownerEmail = `owner@${slug}.test`
    await world.operator.post('/v1/organisations', { name: slug, slug, email: `it@${slug}.test`, ownerEmail })
    const token = await world.service.mailbox.tokenTo(ownerEmail)
    return { path: '/v1/auth/password/reset', body: { token, password: 'another horse battery' }, by: world.anonymous }
  }),
  'POST /v1/auth/password/forgot': row('auth.password_reset_requested', async (world) => {
    const { email } = await person(world)
    return { path: '/v1/auth/password/forgot', body: { email }, by: world.anonymous }
  }),
  'POST /v1/auth/email/verify': row('auth.email_verified', async (world) => {
    const { email } = await person(world)
    const token = await world.service.mailbox.tokenTo(email, 'Confirm your e-mail address')
    return { path: '/v1/auth/email/verify', body: { token }, by: world.anonymous }
  }),
  'POST /v1/auth/invitations/accept': row('invitation.accepted', async (world) => {
    const email = `invited-${unique()}@example.test`
    await invitation(world, email)
    const token = await world.service.mailbox.tokenTo(email)
    const body = { token, firstName: 'Ida', lastName: 'Invited', password }
    return { path: '/v1/auth/invitations/accept', body, by: world.anonymous }
  }),

  'PATCH /v1/me/profile': row('user.updated', async (world) => ({
    path: '/v1/me/profile',
    body: { firstName: 'New', phone: '+44 20 7946 0000' },
    by: await person(world),
  })),
  'POST /v1/me/password': row('user.password_changed', async (world) => ({
    path: '/v1/me/password',
    body: { currentPassword: password, newPassword: 'another horse battery' },
    by: await person(world),
  })),
  'POST /v1/me/reauthenticate': row('session.reauthenticated', async (world) => ({
    path: '/v1/me/reauthenticate',
    body: { password },
    by: await person(world),
  })),
  'POST /v1/me/reauthenticate/options': unaudited('it changes nothing', async (world) => ({
    path: '/v1/me/reauthenticate/options',
    by: await person(world),
  })),
  'POST /v1/me/email/verification': row('auth.email_verification_requested', async (world) => ({
    path: '/v1/me/email/verification',
    by: await person(world),
  })),
  'DELETE /v1/me/sessions/{id}': row('session.revoked', async (world) => {
    const user = await person(world)
    const other = await world.given.signIn(user.email)
    return { path: `/v1/me/sessions/${other.sessionId}`, by: user }
  }),
  'DELETE /v1/me/sessions': row('session.revoked', async (world) => {
    const user = await person(world)
    await world.given.signIn(user.email)
    return { path: '/v1/me/sessions', by: user }
  }),
  'DELETE /v1/me/consents/{clientId}': row('oauth2.consent.revoked', async (world) => ({
    path: `/v1/me/consents/${await consentOf(world, world.owner.id)}`,
  })),
  'POST /v1/auth/identify': unaudited('it changes nothing', async ({ anonymous }) => ({
    path: '/v1/auth/identify',
    body: { email: 'carol@acme.test' },
    by: anonymous,
  })),
  'POST /v1/me/identities': unaudited('nothing is linked yet', async (world) => ({
    path: '/v1/me/identities',
    body: { connectionId: await connect(world.service, world.organisation, { issuer: 'http://127.0.0.1:9' }) },
    by: await person(world),
  })),
  'POST /v1/me/passkeys/options': unaudited('the user gets a handle at most, which says nothing', async (world) => ({
    path: '/v1/me/passkeys/options',
    by: await person(world),
  })),
  'POST /v1/me/passkeys': row('passkey.registered', async (world) => {
    const user = await person(world)
    const { flowToken, options } = (await user.post('/v1/me/passkeys/options')).body
    return { path: '/v1/me/passkeys', body: { flowToken, credential: new PasskeyDevice().create(options), name: 'New' }, by: user }
  }),
  'PATCH /v1/me/passkeys/{id}': row('passkey.renamed', async (world) => {
    const { user, passkey } = await withPasskey(world)
    return { path: `/v1/me/passkeys/${passkey.id}`, body: { name: 'Renamed' }, by: user }
  }),
  'DELETE /v1/me/passkeys/{id}': row('passkey.deleted', async (world) => {
    const { user, passkey } = await withPasskey(world)
    return { path: `/v1/me/passkeys/${passkey.id}`, by: user }
  }),
  'DELETE /v1/admin/users/{id}/passkeys/{passkeyId}': row('passkey.deleted', async (world) => {
    const { user, passkey } = await withPasskey(world)
    return { path: `/v1/admin/users/${user.id}/passkeys/${passkey.id}` }
  }),
  'DELETE /v1/me/password': row('user.password_removed', async (world) => {
    const { device } = await withPasskey(world)
    return { path: '/v1/me/password', by: signedInBy(world.anonymous, await tryPasskey(world.anonymous, device)) }
  }),
  'POST /v1/me/mfa/enable': row('mfa.enrolment_started', async (world) => ({
    path: '/v1/me/mfa/enable',
    by: await person(world),
  })),
  'POST /v1/me/mfa/verify': row('mfa.enabled', async (world) => {
    const user = await person(world)
    const { body } = await user.post('/v1/me/mfa/enable')
    return { path: '/v1/me/mfa/verify', body: { token: new Authenticator(body.secret, world.service.clock).code() }, by: user }
  }),
  'POST /v1/me/mfa/check': unaudited('it changes nothing', async (world) => {
    const { user, authenticator } = await enrolled(world)
    return { path: '/v1/me/mfa/check', body: { token: authenticator.nextCode() }, by: user }
  }),
  'POST /v1/me/mfa/code': unaudited('a code is only on its way', async (world) => ({
    path: '/v1/me/mfa/code',
    by: await withPhone(world),
  })),
  'POST /v1/admin/connections': row('connection.created', async () => ({ path: '/v1/admin/connections', body: newConnection() })),
  'PATCH /v1/admin/connections/{id}': row('connection.updated', async (world) => ({
    path: `/v1/admin/connections/${await connection(world)}`,
    body: { name: 'Renamed' },
  })),
  'DELETE /v1/admin/connections/{id}': row('connection.deleted', async (world) => ({
    path: `/v1/admin/connections/${await connection(world)}`,
  })),
  'POST /v1/admin/connections/{id}/refresh': unaudited('it changes nothing that an administrator has set', async ({ owner }) => {
    // Of which there is nothing to read.
    const { id } = await createConnection(owner, { provider: 'github', configuration: { clientId: 'gatehouse' } })
    return { path: `/v1/admin/connections/${id}/refresh` }
  }),
  'POST /v1/admin/connections/{id}/test': unaudited('a test changes nothing', async (world) => ({
    path: `/v1/admin/connections/${await connection(world)}/test`,
  })),
  'POST /v1/admin/connections/{id}/rotate-secret': row('connection.secret_rotated', async (world) => ({
    path: `/v1/admin/connections/${await connection(world)}/rotate-secret`,
    body: { secret: 'another secret' },
  })),
  'POST /v1/admin/connections/{id}/rotate-keys': row('connection.keys_rotated', async ({ owner }) => {
    const configuration = { issuer: 'https://login.acme.test', clientId: 'gatehouse', clientAuthentication: 'private_key_jwt' }
    const { id } = await createConnection(owner, { configuration, secret: undefined })
    return { path: `/v1/admin/connections/${id}/rotate-keys`, body: {} }
  }),
  'POST /v1/admin/blocked-client-hosts': row('client_host.blocked', async () => ({
    path: '/v1/admin/blocked-client-hosts',
    body: { host: 'agent.example' },
  })),
  'DELETE /v1/admin/blocked-client-hosts/{id}': row('client_host.unblocked', async (world) => ({
    path: `/v1/admin/blocked-client-hosts/${await blockedHost(world)}`,
  })),
  'POST /v1/admin/registration-tokens': row('registration_token.created', async () => ({
    path: '/v1/admin/registration-tokens',
    body: { name: 'Agents' },
  })),
  'DELETE /v1/admin/registration-tokens/{id}': row('registration_token.ended', async ({ owner }) => ({
    path: `/v1/admin/registration-tokens/${await made(owner, '/v1/admin/registration-tokens', {})}`,
  })),
  'POST /v1/admin/resource-servers': row('resource_server.created', async () => ({
    path: '/v1/admin/resource-servers',
    body: newResourceServer(),
  })),
  'POST /v1/admin/resource-servers/check-mcp-server': unaudited('it changes nothing', async () => ({
    path: '/v1/admin/resource-servers/check-mcp-server',
    body: { identifier: 'https://mcp.acme.invalid/notes' },
  })),
  'PATCH /v1/admin/resource-servers/{id}': row('resource_server.updated', async (world) => ({
    path: `/v1/admin/resource-servers/${await resourceServer(world)}`,
    body: { name: 'Orders' },
  })),
  'DELETE /v1/admin/resource-servers/{id}': row('resource_server.deleted', async (world) => ({
    path: `/v1/admin/resource-servers/${await resourceServer(world)}`,
  })),
  'POST /v1/admin/directories': row('directory.created', async () => ({ path: '/v1/admin/directories', body: newDirectory() })),
  'PATCH /v1/admin/directories/{id}': row('directory.updated', async (world) => ({
    path: `/v1/admin/directories/${await directory(world)}`,
    body: { name: 'Renamed' },
  })),
  'DELETE /v1/admin/directories/{id}': row('directory.deleted', async (world) => ({
    path: `/v1/admin/directories/${await directory(world)}`,
  })),
  'POST /v1/admin/directories/{id}/tokens': row('directory.token_created', async (world) => ({
    path: `/v1/admin/directories/${await directory(world)}/tokens`,
    body: {},
  })),
  'POST /v1/admin/directories/{id}/impact': unaudited('it changes nothing', async (world) => ({
    path: `/v1/admin/directories/${await directory(world)}/impact`,
    body: { groupMappings: [] },
  })),
  'POST /v1/admin/directories/{id}/requests/try': row('directory.request_tried', async (world) => ({
    path: `/v1/admin/directories/${await directory(world)}/requests/try`,
    body: { method: 'GET', path: '/Users' },
  })),
  'DELETE /v1/admin/directories/{id}/tokens/{tokenId}': row('directory.token_ended', async (world) => {
    const path = `/v1/admin/directories/${await directory(world)}/tokens`
    return { path: `${path}/${(await world.owner.post(path, {})).body.id}` }
  }),
  'POST /v1/admin/setup-links': row('setup_link.created', async () => ({ path: '/v1/admin/setup-links', body: newSetupLink() })),
  'POST /v1/admin/setup-links/{id}/activate': row('setup_link.activated', async (world) => ({
    path: `/v1/admin/setup-links/${await finishedSetupLink(world)}/activate`,
  })),
  'DELETE /v1/admin/setup-links/{id}': row('setup_link.ended', async (world) => ({
    path: `/v1/admin/setup-links/${await setupLink(world)}`,
  })),
  'DELETE /v1/admin/users/{id}/identities/{identityId}': row('identity.unlinked', async (world) => {
    const { user, identity } = await withIdentity(world)
    return { path: `/v1/admin/users/${user.id}/identities/${identity.id}` }
  }),
  'DELETE /v1/me/identities/{id}': row('identity.unlinked', async (world) => {
    const { user, identity } = await withIdentity(world)
    return { path: `/v1/me/identities/${identity.id}`, by: user }
  }),
  'POST /v1/me/mfa/passkey/options': unaudited('it changes nothing', async (world) => ({
    path: '/v1/me/mfa/passkey/options',
    by: await person(world),
  })),
  'POST /v1/me/mfa/disable': row('mfa.disabled', async (world) => {
    const { user, authenticator } = await enrolled(world)
    return { path: '/v1/me/mfa/disable', body: { token: authenticator.nextCode() }, by: user }
  }),
  'POST /v1/me/mfa/backup-codes': row('mfa.backup_codes_replaced', async (world) => {
    const { user, authenticator } = await enrolled(world)
    return { path: '/v1/me/mfa/backup-codes', body: { token: authenticator.nextCode() }, by: user }
  }),

  'POST /v1/admin/users': row('user.created', async () => ({
    path: '/v1/admin/users',
    body: { email: `user-${unique()}@example.test`, firstName: 'Carol', lastName: 'Shaw', password },
  })),
  'PATCH /v1/admin/users/{id}': row('user.updated', async (world) => ({
    path: `/v1/admin/users/${(await person(world)).id}`,
    body: { lastName: 'Changed' },
  })),
  'DELETE /v1/admin/users/{id}': row('user.deleted', async (world) => ({ path: `/v1/admin/users/${(await person(world)).id}` })),
  'POST /v1/admin/users/{id}/restore': row('user.restored', async (world) => {
    const { id } = await person(world)
    await world.owner.delete(`/v1/admin/users/${id}`)
    return { path: `/v1/admin/users/${id}/restore` }
  }),
  'DELETE /v1/admin/users/{id}/lock': row('login.unlocked', async (world) => {
    const { id } = await world.given.user(world.owner)
    // Not by ten wrong passwords: they would count against the address that all tests of this service call from.
    const lockedUntil = new Date(world.service.clock.now().getTime() + 15 * 60_000)
    await world.service.database.tenant(world.organisation.id).updateTable('users').set({ lockedUntil }).where('id', '=', id).execute()
    return { path: `/v1/admin/users/${id}/lock` }
  }),
  'POST /v1/admin/users/{id}/roles': row('role.assigned', async (world) => ({
    path: `/v1/admin/users/${(await person(world)).id}/roles`,
    body: { roleId: (await world.given.role(world.owner)).id },
  })),
  'DELETE /v1/admin/users/{id}/roles': row('role.unassigned', async (world) => {
    const role = await world.given.role(world.owner)
    const user = await world.given.user(world.owner, { roleIds: [role.id] })
    return { path: `/v1/admin/users/${user.id}/roles`, body: { roleId: role.id } }
  }),
  'DELETE /v1/admin/users/{id}/sessions/{sessionId}': row('session.revoked', async (world) => {
    const { id, sessionId } = await person(world)
    return { path: `/v1/admin/users/${id}/sessions/${sessionId}` }
  }),
  'DELETE /v1/admin/users/{id}/consents/{clientId}': row('oauth2.consent.revoked', async (world) => {
    const { id } = await person(world)
    return { path: `/v1/admin/users/${id}/consents/${await consentOf(world, id)}` }
  }),
  'DELETE /v1/admin/users/{id}/sessions': row('session.revoked', async (world) => ({
    path: `/v1/admin/users/${(await person(world)).id}/sessions`,
  })),
  'POST /v1/admin/users/{id}/password-reset': row('auth.password_reset_requested', async (world) => ({
    path: `/v1/admin/users/${(await person(world)).id}/password-reset`,
  })),

  'POST /v1/admin/roles': row('role.created', async () => ({ path: '/v1/admin/roles', body: { name: 'Role', slug: `role-${unique()}` } })),
  'PATCH /v1/admin/roles/{id}': row('role.updated', async (world) => ({
    path: `/v1/admin/roles/${(await world.given.role(world.owner)).id}`,
    body: { name: 'Changed' },
  })),
  'POST /v1/admin/permission-checks': unaudited('it changes nothing', async ({ owner }) => ({
    path: '/v1/admin/permission-checks',
    body: { userId: owner.id, permission: 'users:read' },
  })),
  'POST /v1/admin/authorization-checks': unaudited('it changes nothing', async (world) => ({
    path: '/v1/admin/authorization-checks',
    body: { userId: world.owner.id, clientId: await client(world), scope: 'openid' },
  })),
  'POST /v1/admin/clients/{id}/claims/preview': unaudited('it changes nothing', async (world) => ({
    path: `/v1/admin/clients/${await client(world)}/claims/preview`,
    body: { userId: world.owner.id, scope: 'openid' },
  })),
  'POST /v1/admin/sign-in-checks': row('sign_in.checked', async ({ owner }) => ({
    path: '/v1/admin/sign-in-checks',
    body: { email: owner.email },
  })),
  'POST /v1/admin/assertion-checks': row('oauth2.identity_assertion.checked', async () => ({
    path: '/v1/admin/assertion-checks',
    body: { assertion: 'no assertion' },
  })),
  'POST /v1/admin/configuration/diff': unaudited('it changes nothing', async () => ({
    path: '/v1/admin/configuration/diff',
    body: { document: { teams: { europe: { name: 'Europe' } } } },
  })),
  'POST /v1/admin/configuration/plan': unaudited('it undoes what it changes', async () => ({
    path: '/v1/admin/configuration/plan',
    body: { document: { teams: { [`team-${unique()}`]: { name: 'Europe' } } } },
  })),
  'POST /v1/admin/configuration/apply': row('team.created', async () => ({
    path: '/v1/admin/configuration/apply',
    body: { document: { teams: { [`team-${unique()}`]: { name: 'Europe' } } } },
  })),
  'POST /v1/admin/roles/{id}/impact': unaudited('it changes nothing', async (world) => ({
    path: `/v1/admin/roles/${(await world.given.role(world.owner)).id}/impact`,
    body: { delete: true },
  })),
  'DELETE /v1/admin/roles/{id}': row('role.deleted', async (world) => ({
    path: `/v1/admin/roles/${(await world.given.role(world.owner)).id}`,
  })),

  'POST /v1/admin/domains': row('domain.created', async () => ({ path: '/v1/admin/domains', body: { domain: uniqueDomain() } })),
  'PATCH /v1/admin/domains/{id}': row('domain.updated', async (world) => ({
    path: `/v1/admin/domains/${(await domain(world)).id}`,
    body: { connectionId: await insertConnection(world.service, world.organisation.id) },
  })),
  'DELETE /v1/admin/domains/{id}': row('domain.deleted', async (world) => ({ path: `/v1/admin/domains/${(await domain(world)).id}` })),
  'POST /v1/admin/domains/{id}/verify': row('domain.verified', async ({ service, owner }) => {
    const added = await addDomain(owner)
    publish(service, added)
    return { path: `/v1/admin/domains/${added.id}/verify` }
  }),
  'POST /v1/admin/teams': row('team.created', async () => ({ path: '/v1/admin/teams', body: { name: 'Team', slug: `team-${unique()}` } })),
  'PATCH /v1/admin/teams/{id}': row('team.updated', async (world) => ({
    path: `/v1/admin/teams/${await team(world)}`,
    body: { name: 'Changed' },
  })),
  'POST /v1/admin/audit-logs/{id}/undo': row('team.updated', async (world) => ({
    path: `/v1/admin/audit-logs/${await changedTeam(world)}/undo`,
  })),
  'DELETE /v1/admin/teams/{id}': row('team.deleted', async (world) => ({ path: `/v1/admin/teams/${await team(world)}` })),
  'POST /v1/admin/teams/{id}/members': row('team.member_added', async (world) => ({
    path: `/v1/admin/teams/${await team(world)}/members`,
    body: { userId: world.owner.id },
  })),
  'DELETE /v1/admin/teams/{id}/members': row('team.member_removed', async (world) => {
    const path = `/v1/admin/teams/${await team(world)}/members`
    await world.owner.post(path, { userId: world.owner.id })
    return { path, body: { userId: world.owner.id } }
  }),

  'POST /v1/admin/invitations': row('invitation.sent', async (world) => ({
    path: '/v1/admin/invitations',
    body: { email: `invited-${unique()}@example.test`, roleId: (await world.given.role(world.owner)).id },
  })),
  'POST /v1/admin/invitations/{id}/resend': row('invitation.sent', async (world) => ({
    path: `/v1/admin/invitations/${await invitation(world)}/resend`,
  })),
  'DELETE /v1/admin/invitations/{id}': row('invitation.cancelled', async (world) => ({
    path: `/v1/admin/invitations/${await invitation(world)}`,
  })),

  'PATCH /v1/admin/organisation': row('organisation.updated', async () => ({
    path: '/v1/admin/organisation',
    body: { phone: '+44 20 7946 0000', sessionLifetime: 7200 },
  })),
  'POST /v1/admin/organisation/logo': row('organisation.updated', async () => ({
    path: '/v1/admin/organisation/logo',
    body: { content: picture() },
  })),
  'DELETE /v1/admin/organisation/logo': row('organisation.updated', async (world) => {
    await world.owner.post('/v1/admin/organisation/logo', { content: picture() })
    return { path: '/v1/admin/organisation/logo' }
  }),
  'POST /v1/admin/organisation/impact': unaudited('it changes nothing', async () => ({
    path: '/v1/admin/organisation/impact',
    body: { requireMfa: true },
  })),
  'DELETE /v1/admin/organisation': row('organisation.deleted', async () => ({ path: '/v1/admin/organisation' })),
  'POST /v1/admin/organisation/transfer-ownership': row('organisation.ownership_transferred', async (world) => ({
    path: '/v1/admin/organisation/transfer-ownership',
    body: { userId: (await person(world)).id },
  })),

  'POST /v1/admin/clients': row('client.created', async () => ({ path: '/v1/admin/clients', body: newClient() })),
  'PATCH /v1/admin/clients/{id}': row('client.updated', async (world) => ({
    path: `/v1/admin/clients/${await client(world)}`,
    body: { name: 'Changed' },
  })),
  'POST /v1/admin/clients/{id}/rotate-secret': row('client.secret_rotated', async (world) => ({
    path: `/v1/admin/clients/${await client(world)}/rotate-secret`,
  })),
  'POST /v1/admin/clients/{id}/revoke': row('client.revoked', async (world) => ({
    path: `/v1/admin/clients/${await client(world)}/revoke`,
  })),
  'POST /v1/admin/clients/{id}/activate': row('client.activated', async (world) => {
    const id = await client(world)
    await world.owner.post(`/v1/admin/clients/${id}/revoke`)
    return { path: `/v1/admin/clients/${id}/activate` }
  }),
  'POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay': row('client.logout_replayed', async (world) => {
    const { path, deliveryId } = await logoutDelivery(world)
    return { path: `${path}/${deliveryId}/replay` }
  }),
  'POST /v1/admin/clients/{id}/logout-deliveries/test': row('client.logout_tested', async (world) => ({
    path: `${(await logoutDelivery(world)).path}/test`,
  })),
  'DELETE /v1/admin/clients/{id}': row('client.deleted', async (world) => ({ path: `/v1/admin/clients/${await client(world)}` })),

  'POST /v1/admin/api-keys': row('api_key.created', async () => ({
    path: '/v1/admin/api-keys',
    body: { name: 'Key', permissions: ['users:read'] },
  })),
  'PATCH /v1/admin/api-keys/{id}': row('api_key.updated', async (world) => ({
    path: `/v1/admin/api-keys/${(await workload(world)).id}`,
    body: { federatedCredentials: [] },
  })),
  'POST /v1/auth/api-keys/exchange': row('api_key.exchanged', async (world) => {
    const { id, token } = await workload(world)
    return { path: '/v1/auth/api-keys/exchange', body: { apiKeyId: id, token }, by: world.anonymous }
  }),
  'DELETE /v1/admin/api-keys/{id}': row('api_key.deleted', async ({ owner }) => ({
    path: `/v1/admin/api-keys/${await made(owner, '/v1/admin/api-keys', { name: 'Key', permissions: [] })}`,
  })),

  'POST /v1/admin/webhooks': row('webhook.created', async () => ({
    path: '/v1/admin/webhooks',
    body: { url: 'https://hooks.example.test/', events: ['user.created'] },
  })),
  'PATCH /v1/admin/webhooks/{id}': row('webhook.updated', async (world) => ({
    path: `/v1/admin/webhooks/${await endpoint(world)}`,
    body: { events: ['role.created'] },
  })),
  'DELETE /v1/admin/webhooks/{id}': row('webhook.deleted', async (world) => ({ path: `/v1/admin/webhooks/${await endpoint(world)}` })),
  'POST /v1/admin/webhooks/{id}/rotate-secret': row('webhook.secret_rotated', async (world) => ({
    path: `/v1/admin/webhooks/${await endpoint(world)}/rotate-secret`,
  })),
  'POST /v1/admin/webhooks/{id}/test': row('webhook.tested', async (world) => ({
    path: `/v1/admin/webhooks/${await endpoint(world)}/test`,
  })),
  'POST /v1/admin/webhooks/test': row('webhook.tested', async (world) => ({
    path: '/v1/admin/webhooks/test',
    body: { webhookId: await endpoint(world), event: 'user.created' },
  })),
  'POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay': row('webhook.replayed', async (world) => {
    const { endpointId, deliveryId } = await delivery(world)
    return { path: `/v1/admin/webhooks/${endpointId}/deliveries/${deliveryId}/replay` }
  }),
  'POST /v1/admin/webhooks/{id}/replay': row('webhook.replayed', async (world) => {
    const { endpointId, deliveryId } = await delivery(world)
    // Or the attempt that is under way would write its outcome over this one.
    await world.service.deliverDueWebhooks()
    const deliveries = world.service.database.tenant(world.organisation.id).updateTable('webhookDeliveries')
    await deliveries.set({ status: 'failed', nextAttemptAt: null }).where('id', '=', deliveryId).execute()
    return { path: `/v1/admin/webhooks/${endpointId}/replay`, body: { from: '2026-01-01T00:00:00Z' } }
  }),

  'POST /v1/organisations': row('organisation.created', async ({ operator }) => {
    const slug = `org-${unique()}`
    const body = { name: slug, slug, email: `it@${slug}.test`, ownerEmail: `owner@${slug}.test` }
    return { path: '/v1/organisations', body, by: operator }
  }),
  'POST /v1/system/organisations/{id}/users/{userId}/recover': row('user.recovered', async (world) =>
    system(world, `/users/${(await person(world)).id}/recover`, { passwordLink: true }),
  ),
  'POST /v1/system/organisations/{id}/users/{userId}/erase': row('user.erased', async (world) =>
    system(world, `/users/${(await person(world)).id}/erase`),
  ),
  'POST /v1/system/organisations/{id}/transfer-ownership': row('organisation.ownership_transferred', async (world) =>
    system(world, '/transfer-ownership', { userId: (await person(world)).id }),
  ),
  'PATCH /v1/system/organisations/{id}/suspend': row('organisation.suspended', async (world) =>
    system(world, '/suspend', { reason: 'Payment overdue' }),
  ),
  'PATCH /v1/system/organisations/{id}/activate': row('organisation.activated', async (world) => {
    await world.operator.patch(`/v1/system/organisations/${world.organisation.id}/suspend`, { reason: 'Payment overdue' })
    return system(world, '/activate')
  }),
  'POST /v1/system/organisations/{id}/restore': row('organisation.restored', async (world) => {
    await world.operator.delete(`/v1/system/organisations/${world.organisation.id}`)
    return system(world, '/restore')
  }),
  'DELETE /v1/system/organisations/{id}': row('organisation.deleted', async (world) => system(world, '')),
  'POST /v1/system/sign-in-checks': row('sign_in.checked', async ({ operator, owner }) => ({
    path: '/v1/system/sign-in-checks',
    body: { email: owner.email },
    by: operator,
  })),
  'POST /v1/system/permissions': row('permission.created', async ({ operator }) => ({
    path: '/v1/system/permissions',
    body: { slug: `things:${unique()}`, name: 'Things', description: 'Do things', category: 'users' },
    by: operator,
  })),
  'DELETE /v1/system/permissions/{id}': row('permission.deleted', async ({ operator }) => {
    const permission = { slug: `things:${unique()}`, name: 'Things', description: 'Do things', category: 'custom' }
    const { body } = await operator.post('/v1/system/permissions', permission)
    return { path: `/v1/system/permissions/${body.id}`, by: operator }
  }),
  'POST /v1/system/signing-keys/rotate': row('signing_keys.rotated', async ({ operator }) => ({
    path: '/v1/system/signing-keys/rotate',
    by: operator,
  })),
}
