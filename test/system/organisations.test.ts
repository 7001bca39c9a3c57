import { describe, expect, it } from 'vitest'
import { systemCaller } from '../../src/access/caller.ts'
import { NewUser } from '../../src/accounts/schemas.ts'
import { systemActor } from '../../src/activity/actor.ts'
import { applyConfiguration } from '../../src/configuration/apply.ts'
import { importUsers } from '../../src/import/import-users.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { createRole } from '../../src/roles/create-role.ts'
import { NewRole } from '../../src/roles/schemas.ts'
import { recoverUser } from '../../src/system/recover-user.ts'
import { createUser } from '../../src/users/create-user.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { unique } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ environment: { TRIAL_MAX_USERS: '5' } })
const newOrganisation = (slug = `new-${unique()}`) => ({
  name: `New ${slug}`,
  slug,
  email: `it@${slug}.test`,
  ownerEmail: `hank@${slug}.test`,
})

describe('POST /v1/organisations', () => {
  it('creates a trial organisation with its owner and roles, and mails a link that sets the password once', async () => {
    const input = { ...newOrganisation(), ownerFirstName: 'Hank', ownerLastName: 'Scorpio' }
    const created = await service().operator.post('/v1/organisations', input)
    expect(created).toMatchObject({
      status: 201,
      body: {
        organisation: { id: expect.stringMatching(/^org_/), slug: input.slug, status: 'trial', sessionLifetime: 3600, deletedAt: null },
        owner: { id: expect.stringMatching(/^usr_/), email: input.ownerEmail, name: 'Hank Scorpio' },
      },
    })
    expect(created.body.organisation.ownerId).toBe(created.body.owner.id)

    const { text } = await service().mailbox.mailTo(input.ownerEmail, 'Welcome')
    expect(text).toContain('http://gatehouse.test/password/reset?token=')
    const token = await service().mailbox.tokenTo(input.ownerEmail)
    const reset = (password: string) => service().anonymous.post('/v1/auth/password/reset', { token, password })
    expect(await reset('correct horse battery')).toMatchObject({ status: 200 })
    expect(await reset('another password')).toMatchObject({
      status: 400,
      body: { detail: 'Invalid or expired token' },
    })
    const owner = await service().given.signIn(input.ownerEmail)
    const roles: { slug: string; isDefault: boolean; permissions: unknown[] }[] = (await owner.get('/v1/admin/roles')).body.data
    const { total } = (await owner.get('/v1/admin/permissions')).body
    const sizes = roles.map(({ slug, isDefault, permissions }) => [slug, isDefault, permissions.length])
    expect(sizes.sort()).toEqual([
      ['admin', false, total - 1],
      ['member', true, 0],
      ['owner', false, total],
    ])
  })

  it('refuses names and addresses that are taken, and leaves nothing behind', async () => {
    const input = newOrganisation()
    const answers = await Promise.all([1, 2, 3].map(() => service().operator.post('/v1/organisations', input)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const fresh = newOrganisation()
    for (const field of ['slug', 'name', 'email', 'ownerEmail'] as const) {
      expect([field, await service().operator.post('/v1/organisations', { ...fresh, [field]: input[field] })]).toMatchObject([
        field,
        { status: 409 },
      ])
    }
    expect(await service().operator.post('/v1/organisations', fresh)).toMatchObject({ status: 201 })
  })

  it('is for the operator unless the sign-up is open', async () => {
    expect(await service().anonymous.post('/v1/organisations', newOrganisation())).toMatchObject({ status: 401 })
    const open = await startTestService({ environment: { SIGNUP: 'open' } })
    try {
      expect(await open.anonymous.post('/v1/organisations', newOrganisation())).toMatchObject({ status: 201 })
    } finally {
      await open.stop()
    }
  })
})

describe('an organisation', () => {
  it('that is suspended loses its sessions and sign-ins, and works again when it is activated', async () => {
    const { id, owner } = await service().given.organisation()
    const path = `/v1/system/organisations/${id}`
    expect(await service().operator.patch(`${path}/suspend`)).toMatchObject({ status: 400, body: { errors: [{ path: ['reason'] }] } })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })

    expect(await service().operator.patch(`${path}/suspend`, { reason: 'Payment' })).toMatchObject({
      status: 200,
      body: { status: 'suspended' },
    })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await service().anonymous.post('/v1/auth/login', owner)).toMatchObject({ status: 403 })

    expect(await service().operator.patch(`${path}/activate`)).toMatchObject({ status: 200, body: { status: 'active' } })
    const again = await service().given.signIn(owner.email)
    const { data } = (await again.get('/v1/admin/audit-logs?targetType=organisation')).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['organisation.suspended', 'organisation.activated']),
    )
  })

  it('that is suspended allows no changes, by any session that is left', async () => {
    const { id, owner } = await service().given.organisation()
    const system = service().database.system()
    await system.updateTable('organisations').set({ status: 'suspended' }).where('id', '=', id).execute()
    const refusal = { status: 403, body: { detail: 'Organisation is suspended' } }
    expect(await owner.post('/v1/admin/users', {})).toMatchObject(refusal)
    expect(await owner.get('/v1/admin/users')).toMatchObject({ status: 200 })
  })

  it('that is cancelled is visible only to the operator, and cannot be activated', async () => {
    const { id, owner } = await service().given.organisation()
    const path = `/v1/system/organisations/${id}`
    expect(await service().operator.delete(path)).toMatchObject({ status: 204 })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await service().operator.get(path)).toMatchObject({ status: 200, body: { status: 'cancelled', deletedAt: expect.any(String) } })
    expect(await service().operator.patch(`${path}/activate`)).toMatchObject({ status: 409 })
    expect(await service().operator.delete(path)).toMatchObject({ status: 404 })
  })

  it('that is cancelled takes nothing more, not even of an import that has begun: what its export lacks would be purged', async () => {
    const { id, owner } = await service().given.organisation()
    const word = unique()
    const person = (index: number) => ({ email: `${word}-${index}@example.test`, firstName: 'Ada', lastName: 'Byron' })
    let readings = 0
    const source = {
      name: 'test',
      async *records() {
        const isWriting = ++readings === 2
        for (let index = 0; index <= 1_000; index++) {
          if (isWriting && index === 1_000) await service().operator.delete(`/v1/system/organisations/${id}`)
          yield { place: `line ${index + 1}`, value: person(index) }
        }
      },
    }
    const options = { organisationId: id, actor: systemActor, resume: false, sendLinks: false, ignoreTrialLimit: false }
    await expect(importUsers({ ...service().services, trialMaxUsers: 5 }, source, options)).rejects.toThrow(
      'The import has stopped after 1,000 users, whom --resume passes over: Organisation is cancelled',
    )

    const { database, services } = service()
    const caller = systemCaller(id, 'cli')
    for (const write of [
      () => createUser(services, caller, NewUser.parse(person(1_001)), undefined),
      () => recoverUser(services, systemActor, { organisationId: id, userId: owner.id }, { passwordLink: true }, undefined),
      () => createRole(database, caller, NewRole.parse({ name: 'Late', slug: 'late' })),
      () => applyConfiguration({ ...services, grants }, caller, { document: { teams: { late: { name: 'Late' } } }, prune: false }),
    ])
      await expect(write()).rejects.toThrow('Organisation is cancelled')
    expect(await database.tenant(id).selectFrom('users').select('id').execute()).toHaveLength(1_001)
  })

  it('that is cancelled still has its users looked up and erased by the operator', async () => {
    const { id, owner } = await service().given.organisation()
    const { id: userId } = await service().given.user(owner)
    const path = `/v1/system/organisations/${id}`
    await service().operator.delete(path)

    expect((await service().operator.get(`${path}/users?email=${owner.email}`)).body).toMatchObject({ data: [{ id: owner.id }], total: 1 })
    expect(await service().operator.post(`${path}/users/${userId}/erase`)).toMatchObject({ status: 200 })
    const [entry] = await service().database.tenant(id).selectFrom('auditLogs').selectAll().where('action', '=', 'user.erased').execute()
    expect(entry).toMatchObject({ targetId: userId })
  })

  it.each(['trial', 'active', 'suspended'])('that was %s and is cancelled comes back as that, without its sessions', async (status) => {
    const { id, owner } = await service().given.organisation({ status: status === 'trial' ? 'trial' : 'active' })
    const path = `/v1/system/organisations/${id}`
    if (status === 'suspended') await service().operator.patch(`${path}/suspend`, { reason: 'Unpaid' })
    const before = (await service().operator.get(path)).body
    await service().operator.delete(path)

    const restored = await service().operator.post(`${path}/restore`)

    const { status: _, updatedAt: __, ...unchanged } = before
    expect(restored).toMatchObject({ status: 200, body: { ...unchanged, status, deletedAt: null } })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect((await service().anonymous.post('/v1/auth/login', owner)).status).toBe(status === 'suspended' ? 403 : 200)
    expect(await service().operator.post(`${path}/restore`)).toMatchObject({ status: 409, body: { code: 'organisation-not-cancelled' } })
    const entries = await service().database.tenant(id).selectFrom('auditLogs').select(['action', 'changes']).orderBy('id').execute()
    expect(entries).toContainEqual({ action: 'organisation.restored', changes: { status: { from: 'cancelled', to: status } } })
  })

  it('that is restored has its API keys, and none of its refresh tokens', async () => {
    const app = await givenApplication(service())
    const { id, owner } = app.organisation
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'Sync', permissions: ['users:read'] })
    const { refresh_token } = await app.signIn({ scope: 'openid offline_access' })
    const path = `/v1/system/organisations/${id}`
    await service().operator.delete(path)
    const byKey = service().anonymous.with({ authorization: `Bearer ${key.key}` })
    expect(await byKey.get('/v1/admin/users')).toMatchObject({ status: 401 })

    await service().operator.post(`${path}/restore`)

    expect(await byKey.get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await app.refresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('that is restored has no access token of before, also not of a client that acted for itself', async () => {
    const app = await givenApplication(service(), {
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: ['reports:read'],
    })
    const ofClient = async (): Promise<string> => (await app.token({ grant_type: 'client_credentials' })).body.access_token
    const former = [await ofClient(), (await app.signIn({ scope: 'openid' })).access_token]
    const path = `/v1/system/organisations/${app.organisation.id}`
    await service().operator.delete(path)

    await service().operator.post(`${path}/restore`)

    for (const token of former) expect((await app.introspect(token)).body).toEqual({ active: false })
    expect((await app.introspect(await ofClient())).body).toMatchObject({ active: true })
  })

  it.each([
    ['verifies an address', '/v1/me/email/verification', '/v1/auth/email/verify'],
    ['sets a password', '/v1/auth/password/forgot', '/v1/auth/password/reset'],
  ])('that is restored has no mailed link of before that %s', async (_what, send, use) => {
    const { given, operator, anonymous, mailbox } = service()
    const { id, owner } = await given.organisation()
    const user = await given.signIn((await given.user(owner)).email)
    const former = await mailbox.tokenTo(user.email)
    await user.post(send, { email: user.email })
    const token = await mailbox.tokenTo(user.email)
    const path = `/v1/system/organisations/${id}`
    await operator.delete(path)
    await operator.post(`${path}/restore`)

    expect(token).not.toBe(former)
    expect(await anonymous.post(use, { token, password: 'quite another secret' })).toMatchObject({
      status: 400,
      body: { code: 'invalid-link' },
    })
  })

  it('that is restored has no sign-in of before that waits for a code, be it mailed or of a second factor', async () => {
    const { given, operator, anonymous, clock } = service()
    const { id, owner } = await given.organisation()
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const [mailed, challenged] = [await given.userWith(owner, []), await given.userWith(owner, [])]
    const code = await emailCodeFor(service(), mailed.email)
    const { backupCodes } = await enrolAuthenticator(challenged, clock)
    const { email, password } = challenged
    const { mfaToken } = (await anonymous.post('/v1/auth/login', { email, password })).body
    const path = `/v1/system/organisations/${id}`
    await operator.delete(path)
    await operator.post(`${path}/restore`)

    const refused = [
      await anonymous.post('/v1/auth/email-code/verify', code),
      await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 401])
    // Later ones work.
    expect(await anonymous.post('/v1/auth/email-code/verify', await emailCodeFor(service(), mailed.email))).toMatchObject({ status: 200 })
  })

  it('that is restored has no link of an invitation of before, and can invite the same person again', async () => {
    const { id, owner } = await service().given.organisation()
    const invited = await invite(service(), owner)
    const path = `/v1/system/organisations/${id}`
    await service().operator.delete(path)
    await service().operator.post(`${path}/restore`)

    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(invited.token))).toMatchObject({
      status: 400,
      body: { code: 'invalid-invitation' },
    })
    const again = await service().given.signIn(owner.email)
    expect((await again.get(`/v1/admin/invitations/${invited.id}`)).body).toMatchObject({ status: 'expired' })
    const { email, roleId } = invited
    expect(await again.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
  })

  it('that is restored can be cancelled again', async () => {
    const { id } = await service().given.organisation()
    const path = `/v1/system/organisations/${id}`
    for (let round = 0; round < 2; round++) {
      expect(await service().operator.delete(path)).toMatchObject({ status: 204 })
      expect(await service().operator.post(`${path}/restore`)).toMatchObject({ status: 200 })
    }
  })

  it('on trial has no more users than its limit, however many are created at once', async () => {
    const { id, owner } = await service().given.organisation({ status: 'trial' })
    const create = () => owner.post('/v1/admin/users', { email: `t-${unique()}@example.test`, firstName: 'T', lastName: 'U' })
    const answers = await Promise.all(Array.from({ length: 8 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({ status: 403, body: { detail: 'Trial limit reached: users' } })
    }
    expect((await owner.get('/v1/admin/users')).body.total).toBe(5)
    await service().operator.patch(`/v1/system/organisations/${id}/activate`)
    expect(await create()).toMatchObject({ status: 201 })
  })
})
