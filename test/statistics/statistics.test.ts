import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { createDirectory, givenDirectory, person } from '../support/directories.ts'
import { invite } from '../support/invite.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const groups = {
  users: 'users:read',
  sessions: 'users:read',
  roles: 'roles:read',
  invitations: 'invitations:read',
  clients: 'clients:read',
  apiKeys: 'api_keys:read',
  webhooks: 'webhooks:read',
  directories: 'directories:read',
}
const path = '/v1/admin/statistics'

describe('GET /v1/admin/statistics', () => {
  it('counts the users and sessions of the organisation alone', async () => {
    const { given, clock } = service()
    await given.organisation()
    const { owner } = await given.organisation()
    await given.user(owner)
    const blocked = await given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date().toISOString() })
    const deleted = await given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    const enrolled = await given.userWith(owner, [])
    await enrolAuthenticator(enrolled, clock)
    const gone = await given.userWith(owner, [])
    await gone.post('/v1/auth/logout')

    expect((await owner.get(path)).body).toMatchObject({
      users: {
        total: 5,
        active: 4,
        blocked: 1,
        unverified: 4,
        withMfa: 1,
        neverSignedIn: 2,
        createdLast30Days: 5,
        signedInLast30Days: 3,
      },
      sessions: { active: 2 },
      asOf: expect.stringMatching(/^\d{4}-.*Z$/),
    })

    clock.advance({ days: 31 })
    const later = await given.signIn(owner.email)
    expect((await later.get(path)).body).toMatchObject({
      users: { total: 5, neverSignedIn: 2, createdLast30Days: 0, signedInLast30Days: 1 },
      sessions: { active: 1 },
    })
  })

  it('counts roles, and those that were added to the given ones', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    expect((await owner.get(path)).body.roles).toEqual({ total: 3, added: 0 })
    await given.role(owner)
    expect((await owner.get(path)).body.roles).toEqual({ total: 4, added: 1 })
  })

  it('counts an invitation as expired from the moment when it can no longer be accepted', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    await invite(service(), owner, { expiresInDays: 1 })
    await invite(service(), owner, { expiresInDays: 7 })
    expect((await owner.get(path)).body.invitations).toEqual({ pending: 2, expiringIn24Hours: 1, expired: 0 })

    clock.advance({ days: 1, minutes: 1 })
    const later = await given.signIn(owner.email)
    expect((await later.get(path)).body.invitations).toEqual({ pending: 1, expiringIn24Hours: 0, expired: 1 })
  })

  it('counts clients and API keys by what an administrator may have to do', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const portal = { name: 'Portal', clientType: 'public', redirectUris: ['https://portal.test/callback'] }
    await owner.post('/v1/admin/clients', portal)
    const { body: revoked } = await owner.post('/v1/admin/clients', portal)
    await owner.post(`/v1/admin/clients/${revoked.id}/revoke`)
    const { body: deleted } = await owner.post('/v1/admin/clients', portal)
    await owner.delete(`/v1/admin/clients/${deleted.id}`)
    const expiresAt = new Date(clock.now().getTime() + 20 * 86_400_000).toISOString()
    await owner.post('/v1/admin/api-keys', { name: 'Soon', permissions: [], expiresAt })
    const { body: used } = await owner.post('/v1/admin/api-keys', { name: 'Used', permissions: [] })
    await owner.post('/v1/admin/api-keys', { name: 'Unused', permissions: [] })
    const { body: ended } = await owner.post('/v1/admin/api-keys', { name: 'Ended', permissions: [] })
    await owner.delete(`/v1/admin/api-keys/${ended.id}`)

    expect((await owner.get(path)).body).toMatchObject({
      clients: { active: 1, revoked: 1 },
      apiKeys: { total: 3, expiringIn30Days: 1, unusedFor90Days: 0 },
    })

    clock.advance({ days: 91 })
    await service()
      .anonymous.with({ authorization: `Bearer ${used.key}` })
      .get('/v1/admin/organisation')
    await service().settled()
    const later = await given.signIn(owner.email)
    expect((await later.get(path)).body.apiKeys).toEqual({ total: 3, expiringIn30Days: 0, unusedFor90Days: 1 })
  })

  it('counts an active endpoint as failing while its last attempt is a failed one', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })
    const inactive = await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })
    await owner.patch(`/v1/admin/webhooks/${inactive.id}`, { isActive: false })
    const webhooks = async () => (await owner.get(path)).body.webhooks
    expect(await webhooks()).toEqual({ active: 2, failing: 0, inactive: 1 })

    await service().given.role(owner)
    await service().deliverDueWebhooks()
    await expect.poll(webhooks).toEqual({ active: 2, failing: 1, inactive: 1 })

    hook.answer = () => ({ status: 200 })
    await service().given.role(owner)
    await service().deliverDueWebhooks()
    await expect.poll(webhooks).toEqual({ active: 2, failing: 0, inactive: 1 })
  })

  it('counts directories, those that fail, and what they manage', async () => {
    const directory = await givenDirectory(service())
    const { owner, id: organisationId } = directory.organisation
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    const { body: ended } = await directory.scim.post('/Users', person(directory.address()))
    await directory.scim.delete(`/Users/${ended.id}`)
    const { body: deleted } = await directory.scim.post('/Users', person(directory.address()))
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    await directory.scim.post('/Groups', { displayName: 'Sales', members: [{ value: user.id }] })
    await createDirectory(owner, { isActive: false })
    const directories = async () => (await owner.get(path)).body.directories
    expect(await directories()).toEqual({ active: 1, failing: 0, users: 1, groups: 1 })
    await service()
      .database.tenant(organisationId)
      .updateTable('directories')
      .set({ failingSince: service().clock.now() })
      .where('id', '=', directory.id)
      .execute()
    expect(await directories()).toMatchObject({ active: 1, failing: 1 })
  })

  it.each(Object.values(groups))('shows a caller with %s what that permission lets them read, and no more', async (permission) => {
    const { owner } = await service().given.organisation()
    const member = await service().given.userWith(owner, [permission])
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: [permission] })
    const readable = Object.entries(groups).flatMap(([group, needed]) => (needed === permission ? [group] : []))

    for (const caller of [member, service().anonymous.with({ authorization: `Bearer ${key.key}` })]) {
      const { status, body } = await caller.get(path)
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toEqual(['asOf', ...readable].sort())
    }
  })

  it('shows a caller without any of them nothing but the time', async () => {
    const { owner } = await service().given.organisation()
    const member = await service().given.userWith(owner, ['teams:read', 'audit:read'])

    expect(await member.get(path)).toMatchObject({ status: 200, body: { asOf: expect.any(String) } })
    expect(Object.keys((await member.get(path)).body)).toEqual(['asOf'])
  })
})
