import { describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { replaceTeamsFromSource } from '../../src/teams/teams-from-source.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { cameBy, createConnection, linkedIdentity } from '../support/connections.ts'
import { verifiedDomain } from '../support/domains.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'
import { unequalRows } from '../support/sources.ts'

const service = useService()
const unknown = { status: 404, body: { code: 'identity-not-found' } }
const isSignedIn = async (user: SignedInUser) => (await user.get('/v1/me/profile')).status === 200

/** A user with an account at an active connection, and a second session that came by it. */
async function linkedUser(own: TestOrganisation) {
  const connection = await createConnection(own.owner)
  const user = await service().given.userWith(own.owner, [])
  const identity = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })
  const session = await service().given.signIn(user.email, user.password)
  await cameBy(service(), { organisationId: own.id, sessionId: session.sessionId }, identity)
  return { connection, user, identity, session }
}

const withoutPassword = (own: TestOrganisation, user: { id: string }) =>
  service().database.tenant(own.id).updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()

describe('the linked accounts of a user', () => {
  it('are listed for the user and for administrators, without what the provider has said besides', async () => {
    const own = await service().given.organisation()
    const { connection, user, identity } = await linkedUser(own)
    const record = {
      id: identity.id,
      connection: { id: connection.id, slug: connection.slug, name: 'Acme', provider: 'oidc', isActive: true },
      subject: identity.subject,
      email: 'carol@acme.test',
      createdAt: expect.any(String),
      lastUsedAt: null,
    }
    const list = { status: 200, body: { data: [record], total: 1 } }
    expect(await user.get('/v1/me/identities')).toMatchObject(list)
    expect(await own.owner.get(`/v1/admin/users/${user.id}/identities`)).toMatchObject(list)
    expect((await user.get('/v1/me/identities')).body.data[0]).toEqual(record)
    expect((await own.owner.get('/v1/me/identities')).body).toEqual({ data: [], total: 0 })
    expect((await user.get('/v1/me/identities?limit=1')).body).toMatchObject({ total: 1, nextCursor: null })
  })

  it('are unlinked by an administrator, which ends the sessions that came by them', async () => {
    const own = await service().given.organisation()
    const { connection, user, identity, session } = await linkedUser(own)
    const other = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })

    const reason = 'Signed in with a private account'
    expect(await own.owner.delete(`/v1/admin/users/${user.id}/identities/${identity.id}`, { reason })).toMatchObject({ status: 204 })

    expect(await isSignedIn(session)).toBe(false)
    expect(await isSignedIn(user)).toBe(true)
    expect((await user.get('/v1/me/identities')).body.data).toMatchObject([{ id: other.id }])
    expect(await own.owner.delete(`/v1/admin/users/${user.id}/identities/${identity.id}`)).toMatchObject(unknown)
    const { data } = (await own.owner.get('/v1/admin/audit-logs?action=identity.unlinked')).body
    expect(data).toMatchObject([{ targetId: identity.id, actorId: own.owner.id, metadata: { userId: user.id, reason } }])
  })

  it('are those of the user and the organisation named alone', async () => {
    const own = await service().given.organisation()
    const other = await service().given.organisation()
    const { user, identity, session } = await linkedUser(own)
    const colleague = await service().given.userWith(own.owner, ['users:read', 'users:update'])

    expect(await own.owner.delete(`/v1/admin/users/${colleague.id}/identities/${identity.id}`)).toMatchObject(unknown)
    expect(await colleague.delete(`/v1/me/identities/${identity.id}`)).toMatchObject(unknown)
    for (const path of [`/v1/admin/users/${user.id}/identities`, `/v1/admin/users/${user.id}/identities/${identity.id}`]) {
      const answer = path.endsWith('identities') ? await other.owner.get(path) : await other.owner.delete(path)
      expect(answer).toMatchObject({ status: 404, body: { code: 'user-not-found' } })
    }
    expect(await isSignedIn(session)).toBe(true)
    expect((await user.get('/v1/me/identities')).body.total).toBe(1)
  })

  it('of the owner are unlinked by the owner alone', async () => {
    const own = await service().given.organisation()
    const identity = await linkedIdentity(service(), { organisationId: own.id, userId: own.owner.id })
    const deputy = await service().given.userWith(own.owner, ['users:read', 'users:update'])
    const path = `/v1/admin/users/${own.owner.id}/identities/${identity.id}`
    const refused = { status: 403, body: { code: 'owner-identities-only-by-the-owner' } }
    expect(await deputy.delete(path)).toMatchObject(refused)
    expect((await own.owner.get('/v1/me/identities')).body.total).toBe(1)
    expect(await own.owner.delete(path)).toMatchObject({ status: 204 })
  })

  it('are unlinked by the user after a recent sign-in, whose own session stays', async () => {
    const own = await service().given.organisation()
    const { user, identity, session } = await linkedUser(own)
    const path = `/v1/me/identities/${identity.id}`
    service().clock.advance({ minutes: 16 })
    expect(await session.delete(path)).toMatchObject({ status: 403, body: { code: 'recent-sign-in-required' } })
    await session.post('/v1/me/reauthenticate', { password: user.password })

    expect(await session.delete(path)).toMatchObject({ status: 204 })

    expect(await isSignedIn(session)).toBe(true)
    expect(await isSignedIn(user)).toBe(true)
  })

  it('end the other sessions that came by them when the user unlinks them', async () => {
    const own = await service().given.organisation()
    const { user, identity, session } = await linkedUser(own)
    expect(await user.delete(`/v1/me/identities/${identity.id}`)).toMatchObject({ status: 204 })
    expect(await isSignedIn(session)).toBe(false)
  })
})

/** A role and a team that the connection gives to the user, and a role that an administrator has given as well. */
async function given(own: TestOrganisation, user: { id: string }, connectionId: string) {
  const [role, both] = [await service().given.role(own.owner), await service().given.role(own.owner)]
  const team = (await own.owner.post('/v1/admin/teams', { name: 'Team', slug: `team-${unique()}` })).body
  await own.owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: both.id })
  await service().database.transaction(own.id, async (tenant) => {
    await replaceRolesFromSource(tenant, systemActor, user.id, `connection:${connectionId}`, [role.id, both.id])
    await replaceTeamsFromSource(tenant, systemActor, user.id, `connection:${connectionId}`, [team.id])
  })
  const held = async () => {
    const { body } = await own.owner.get(`/v1/admin/users/${user.id}`)
    return [...body.roles, ...body.teams].map(({ id }: { id: string }) => id)
  }
  expect(await held()).toEqual(expect.arrayContaining([role.id, both.id, team.id]))
  return { held, role, both, team }
}

describe('what a connection gives', () => {
  it.each(['the connection is deleted', 'the last account there is unlinked', 'a reset of the password unlinks it'])(
    'goes when %s, but not what is given by hand, too',
    async (how) => {
      const own = await service().given.organisation()
      const { connection, user, identity } = await linkedUser(own)
      const { held, role, both, team } = await given(own, user, connection.id)
      const second = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })
      expect(await own.owner.delete(`/v1/admin/users/${user.id}/identities/${second.id}`)).toMatchObject({ status: 204 })
      expect(await held()).toContain(role.id)

      if (how.includes('reset')) {
        expect(await own.owner.post(`/v1/admin/users/${user.id}/password-reset`)).toMatchObject({ status: 202 })
        await service().given.setPassword(user.email, 'quite another long secret', 'Choose a new password')
      } else {
        const path = how.includes('deleted')
          ? `/v1/admin/connections/${connection.id}`
          : `/v1/admin/users/${user.id}/identities/${identity.id}`
        expect(await own.owner.delete(path)).toMatchObject({ status: 204 })
      }

      expect(await held()).toContain(both.id)
      expect(await held()).not.toContain(role.id)
      expect(await held()).not.toContain(team.id)
      expect(await unequalRows(service().database.system())).toEqual([])
      const { data } = (await own.owner.get(`/v1/admin/audit-logs?action=role.unassigned&targetId=${user.id}`)).body
      expect(data).toMatchObject([{ metadata: { roleId: role.id, source: `connection:${connection.id}` } }])
    },
  )
})

describe('the last way to sign in', () => {
  const lastWay = { status: 400, body: { code: 'last-way-to-sign-in', detail: 'The last way to sign in cannot be removed' } }

  it('is no linked account of a user with a password, a passkey or another account that works', async () => {
    const own = await service().given.organisation()
    const { connection, user, identity } = await linkedUser(own)
    await withoutPassword(own, user)
    const path = `/v1/me/identities/${identity.id}`
    expect(await user.delete(path)).toMatchObject(lastWay)
    expect((await user.get('/v1/me/identities')).body.total).toBe(1)

    const ofInactive = await createConnection(own.owner)
    const second = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: ofInactive.id })
    await own.owner.patch(`/v1/admin/connections/${ofInactive.id}`, { isActive: false })
    expect(await user.delete(path)).toMatchObject(lastWay)
    // What does not sign in is no way that could be the last.
    expect(await user.delete(`/v1/me/identities/${second.id}`)).toMatchObject({ status: 204 })

    await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })
    expect(await user.delete(path)).toMatchObject({ status: 204 })
  })

  it('is the linked account of a user whose passkey is for a former address of the service', async () => {
    const own = await service().given.organisation()
    const { user, identity } = await linkedUser(own)
    const { id } = await registerPasskey(user, new PasskeyDevice())
    await withoutPassword(own, user)
    const movePasskey = (rpId: string) =>
      service().database.tenant(own.id).updateTable('passkeys').set({ rpId }).where('id', '=', id).execute()
    await movePasskey('former.example.test')
    expect(await user.delete(`/v1/me/identities/${identity.id}`)).toMatchObject(lastWay)
    await movePasskey('gatehouse.test')
    expect(await user.delete(`/v1/me/identities/${identity.id}`)).toMatchObject({ status: 204 })
  })

  it('is the account at the connection that the domain of the user requires, whatever else they have', async () => {
    const own = await service().given.organisation()
    const [required, other] = [await createConnection(own.owner), await createConnection(own.owner)]
    const { domain, id: domainId } = await verifiedDomain(service(), own.owner, { connectionId: required.id })
    const { email } = await service().given.user(own.owner, { email: `ada-${unique()}@${domain}` })
    const user = await service().given.signIn(email)
    const linkedAt = ({ id: connectionId }: { id: string }) =>
      linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId })
    const [atRequired, atOther] = [await linkedAt(required), await linkedAt(other)]
    const passkey = await registerPasskey(user, new PasskeyDevice())
    expect(await own.owner.patch(`/v1/admin/domains/${domainId}`, { sso: 'required' })).toMatchObject({ status: 200 })

    expect(await user.delete(`/v1/me/identities/${atRequired.id}`)).toMatchObject(lastWay)
    const second = await linkedAt(required)
    expect(await user.delete(`/v1/me/identities/${atRequired.id}`)).toMatchObject({ status: 204 })
    // What the domain lets no user in by is no way that could be the last.
    expect(await own.owner.delete(`/v1/admin/users/${user.id}/identities/${second.id}`)).toMatchObject({ status: 204 })
    await withoutPassword(own, user)
    expect(await user.delete(`/v1/me/identities/${atOther.id}`)).toMatchObject({ status: 204 })
    expect(await user.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 204 })
  })

  it('is no passkey of a user with a linked account', async () => {
    const own = await service().given.organisation()
    const { user, identity } = await linkedUser(own)
    const passkey = await registerPasskey(user, new PasskeyDevice())
    await withoutPassword(own, user)

    expect(await user.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 204 })
    expect(await user.delete(`/v1/me/identities/${identity.id}`)).toMatchObject(lastWay)
  })

  it('remains of two that are removed at once', async () => {
    const own = await service().given.organisation()
    const { user, identity } = await linkedUser(own)
    const passkey = await registerPasskey(user, new PasskeyDevice())
    await withoutPassword(own, user)

    const answers = await Promise.all([user.delete(`/v1/me/passkeys/${passkey.id}`), user.delete(`/v1/me/identities/${identity.id}`)])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
  })
})

describe('a connection that ends', () => {
  it('takes the linked accounts with it, and their sessions, and leaves the users', async () => {
    const own = await service().given.organisation()
    const { connection, user, session } = await linkedUser(own)
    const others = await linkedUser(own)

    expect(await own.owner.delete(`/v1/admin/connections/${connection.id}`, { reason: 'Replaced' })).toMatchObject({ status: 204 })

    expect((await user.get('/v1/me/identities')).body.total).toBe(0)
    expect(await isSignedIn(session)).toBe(false)
    expect(await isSignedIn(others.session)).toBe(true)
    expect((await others.user.get('/v1/me/identities')).body.total).toBe(1)
    const { data } = (await own.owner.get('/v1/admin/audit-logs?action=connection.deleted')).body
    expect(data).toMatchObject([{ metadata: { identities: 1, endedSessions: 1, reason: 'Replaced' } }])
  })

  it('cannot be deleted while a verified domain requires it', async () => {
    const own = await service().given.organisation()
    const { connection, session } = await linkedUser(own)
    const path = `/v1/admin/connections/${connection.id}`
    const { id, domain } = await verifiedDomain(service(), own.owner, { connectionId: connection.id, sso: 'required' })

    const refused = await own.owner.delete(path)

    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'sign-in-requires-connection', detail: `Sign-in of ${domain} requires this connection` },
    })
    expect(await isSignedIn(session)).toBe(true)
    expect(await own.owner.get(path)).toMatchObject({ status: 200 })
    await own.owner.patch(`/v1/admin/domains/${id}`, { sso: 'offered' })
    expect(await own.owner.delete(path)).toMatchObject({ status: 204 })
    expect((await own.owner.get('/v1/admin/domains')).body.data).toMatchObject([{ id, connectionId: null, sso: 'off' }])
  })

  it('stays while it is the only way to sign in, also when the last two end at once', async () => {
    const { owner } = await service().given.organisation()
    const [one, other] = [await createConnection(owner), await createConnection(owner)]
    const setPolicy = (signInPolicy: object) => owner.patch('/v1/admin/organisation', { signInPolicy })
    const end = (id: string) => owner.patch(`/v1/admin/connections/${id}`, { isActive: false })
    const refused = { status: 409, body: { code: 'only-way-to-sign-in' } }
    expect(await setPolicy({ password: 'disabled', passkeys: 'off' })).toMatchObject({ status: 200 })

    const outcomes = await Promise.all([end(one.id), end(other.id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const last = outcomes[0]?.status === 409 ? one : other
    expect(await end(last.id)).toMatchObject(refused)
    expect(await owner.delete(`/v1/admin/connections/${last.id}`)).toMatchObject(refused)
    expect((await owner.get(`/v1/admin/connections/${last.id}`)).body).toMatchObject({ isActive: true })
    expect(await owner.patch(`/v1/admin/connections/${last.id}`, { name: 'Last' })).toMatchObject({ status: 200 })

    // Codes by mail are a way, but not where a second factor is required, to which they would lead alone.
    expect(await setPolicy({ emailCode: 'allowed' })).toMatchObject({ status: 200 })
    expect(await owner.patch('/v1/admin/organisation', { requireMfa: true })).toMatchObject({ status: 200 })
    expect(await end(last.id)).toMatchObject(refused)
    expect(await owner.patch('/v1/admin/organisation', { requireMfa: false })).toMatchObject({ status: 200 })
    expect(await end(last.id)).toMatchObject({ status: 200 })
    expect(await owner.delete(`/v1/admin/connections/${last.id}`)).toMatchObject({ status: 204 })
  })

  it('ends the sessions that came by it when it is deactivated so, and none otherwise', async () => {
    const own = await service().given.organisation()
    const { connection, user, session } = await linkedUser(own)
    const others = await linkedUser(own)
    const path = `/v1/admin/connections/${connection.id}`
    const onlyInactive = { status: 400, body: { errors: [{ path: ['endSessions'], reason: 'end-sessions-while-active' }] } }
    expect(await own.owner.patch(path, { endSessions: true })).toMatchObject(onlyInactive)
    expect(await own.owner.patch(path, { isActive: true, endSessions: true })).toMatchObject(onlyInactive)
    expect(await own.owner.patch(path, { isActive: false })).toMatchObject({ status: 200 })
    expect(await isSignedIn(session)).toBe(true)

    expect(await own.owner.patch(path, { isActive: false, endSessions: true })).toMatchObject({ status: 200, body: { isActive: false } })

    expect(await isSignedIn(session)).toBe(false)
    expect(await isSignedIn(user)).toBe(true)
    expect(await isSignedIn(others.session)).toBe(true)
    const { data } = (await own.owner.get('/v1/admin/audit-logs?action=connection.updated')).body
    expect(data.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([{ endedSessions: 1 }, {}])
  })
})
