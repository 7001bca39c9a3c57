import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'

const service = useService()
const trial = useService({ environment: { TRIAL_MAX_USERS: '2' } })

const accept = (token: string, fields: Record<string, unknown> = {}) =>
  service().anonymous.post('/v1/auth/invitations/accept', acceptance(token, fields))

const refusal = { status: 400, body: { title: 'Bad Request', detail: 'Invalid or expired invitation' } }

describe('POST /v1/auth/invitations/accept', () => {
  it('creates the user with the invited role and teams, whose address counts as verified', async () => {
    const { owner } = await service().given.organisation()
    const team = (await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const invitation = await invite(service(), owner, { teamIds: [team.id] })

    const accepted = await accept(invitation.token)

    expect(accepted).toEqual(
      expect.objectContaining({
        status: 201,
        body: {
          message: 'Invitation accepted',
          user: { id: expect.stringMatching(/^usr_/), email: invitation.email, name: 'Carol Shaw' },
        },
      }),
    )
    const { id } = accepted.body.user
    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({
      emailVerifiedAt: expect.any(String),
      roles: [{ id: invitation.roleId }],
      teams: [{ id: team.id }],
    })
    expect((await owner.get(`/v1/admin/invitations/${invitation.id}`)).body).toMatchObject({
      status: 'accepted',
      acceptedAt: expect.any(String),
    })
    expect(await service().given.signIn(invitation.email, 'a long enough secret')).toMatchObject({ id })
    const { data } = (await owner.get(`/v1/admin/audit-logs?actorId=${id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['invitation.accepted', 'user.created', 'login.success']),
    )
    expect(JSON.stringify(data)).not.toContain(invitation.token)
  })

  it('creates one user when two requests accept at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const { token, id } = await invite(service(), owner)

    const answers = await Promise.all([accept(token), accept(token), accept(token)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect((await owner.get('/v1/admin/users')).body.total).toBe(2)
    expect(await owner.audit({ targetId: id, action: 'invitation.accepted' })).toHaveLength(1)
  })

  it('is either accepted or cancelled when both are tried at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const { token, id } = await invite(service(), owner)

    const [accepted, cancelled] = await Promise.all([accept(token), owner.delete(`/v1/admin/invitations/${id}`)])

    const users = (await owner.get('/v1/admin/users')).body.total
    expect([
      [201, 400, 2],
      [400, 204, 1],
    ]).toContainEqual([accepted.status, cancelled.status, users])
  })

  it('never fails while its role and team are deleted at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const team = (await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const { token, roleId, id } = await invite(service(), owner, { teamIds: [team.id] })

    const answers = await Promise.all([
      accept(token),
      owner.delete(`/v1/admin/roles/${roleId}`),
      owner.delete(`/v1/admin/teams/${team.id}`),
      owner.post(`/v1/admin/invitations/${id}/resend`),
    ])

    const [accepted, ...deleted] = answers.map(({ status }) => status)
    expect([201, 400]).toContain(accepted)
    expect(deleted.slice(0, 2)).toEqual([204, 204])
    expect([200, 400]).toContain(deleted[2])
  })

  it('assigns the default role in place of a deleted one, and adds the user to the teams that remain', async () => {
    const { owner } = await service().given.organisation()
    const [kept, gone] = await Promise.all(
      ['kept', 'gone'].map(async (slug) => (await owner.post('/v1/admin/teams', { name: slug, slug })).body),
    )
    const invitation = await invite(service(), owner, { teamIds: [kept.id, gone.id] })
    await owner.delete(`/v1/admin/teams/${gone.id}`)
    await owner.delete(`/v1/admin/roles/${invitation.roleId}`)
    expect((await owner.get(`/v1/admin/invitations/${invitation.id}`)).body).toMatchObject({
      roleId: null,
      teamIds: [kept.id],
      status: 'pending',
    })

    const { body } = await accept(invitation.token)

    expect((await owner.get(`/v1/admin/users/${body.user.id}`)).body).toMatchObject({
      roles: [{ slug: 'member' }],
      teams: [{ id: kept.id }],
    })
  })

  describe('in place of a deleted role', () => {
    /** An invitation by a user with this permission to a role that was deleted, while the default role may delete users. */
    async function withStrongDefaultRole() {
      const { owner } = await service().given.organisation()
      const inviter = await service().given.userWith(owner, ['invitations:create', 'roles:read'])
      const { id: deletedRole } = await service().given.role(owner)
      const invitation = await invite(service(), inviter, { roleId: deletedRole })
      await service().given.role(owner, { isDefault: true, permissions: ['users:delete'] })
      await owner.delete(`/v1/admin/roles/${invitation.roleId}`)
      const rolesOfAccepted = async () => {
        const { status, body } = await accept(invitation.token)
        expect(status).toBe(201)
        return (await owner.get(`/v1/admin/users/${body.user.id}`)).body.roles.map(({ slug }: { slug: string }) => slug)
      }
      return { owner, inviter, rolesOfAccepted }
    }

    it('assigns no role when the inviter may not grant the default one', async () => {
      const { rolesOfAccepted } = await withStrongDefaultRole()

      expect(await rolesOfAccepted()).toEqual([])
    })

    it('assigns the default role when the inviter may grant it by then', async () => {
      const { owner, inviter, rolesOfAccepted } = await withStrongDefaultRole()
      const { id: roleId } = await service().given.role(owner, { permissions: ['users:delete'] })
      await owner.post(`/v1/admin/users/${inviter.id}/roles`, { roleId })

      expect(await rolesOfAccepted()).toHaveLength(1)
    })

    /** An invitation by an API key of the owner, who may grant any role, in place of whose role there is the default one. */
    async function byKey(permissions: string[]) {
      const { owner } = await service().given.organisation()
      const { body: key } = await owner.post('/v1/admin/api-keys', {
        name: 'Onboarding',
        permissions: ['invitations:create', ...permissions],
      })
      const { id: roleId } = await service().given.role(owner)
      const email = `invited-${unique()}@example.test`
      const client = service().anonymous.with({ authorization: `Bearer ${key.key}` })
      expect(await client.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
      await service().given.role(owner, { isDefault: true, permissions: ['users:delete'] })
      await owner.delete(`/v1/admin/roles/${roleId}`)
      const token = await service().mailbox.tokenTo(email)
      const rolesOfAccepted = async () => {
        const { status, body } = await accept(token)
        expect(status).toBe(201)
        return (await owner.get(`/v1/admin/users/${body.user.id}`)).body.roles
      }
      return { owner, key, rolesOfAccepted }
    }

    it('assigns no role when the key that invited may not grant the default one, whatever its user may', async () => {
      const { rolesOfAccepted } = await byKey([])

      expect(await rolesOfAccepted()).toEqual([])
    })

    it('assigns the default role when the key that invited may grant it, unless the key has been deleted', async () => {
      const [valid, deleted] = [await byKey(['users:delete']), await byKey(['users:delete'])]
      expect(await deleted.owner.delete(`/v1/admin/api-keys/${deleted.key.id}`)).toMatchObject({ status: 204 })

      expect(await valid.rolesOfAccepted()).toHaveLength(1)
      expect(await deleted.rolesOfAccepted()).toEqual([])
    })

    it('assigns no role when the inviter has been blocked', async () => {
      const { owner, inviter, rolesOfAccepted } = await withStrongDefaultRole()
      const { id: roleId } = await service().given.role(owner, { permissions: ['users:delete'] })
      await owner.post(`/v1/admin/users/${inviter.id}/roles`, { roleId })
      await owner.patch(`/v1/admin/users/${inviter.id}`, { blockedAt: '2026-01-01T00:00:00Z' })

      expect(await rolesOfAccepted()).toEqual([])
    })
  })

  it('refuses a token that is unknown or used', async () => {
    const { owner } = await service().given.organisation()
    const { token } = await invite(service(), owner)
    await accept(token)

    expect(await accept('x'.repeat(43))).toMatchObject(refusal)
    expect(await accept(token)).toMatchObject(refusal)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(2)
  })

  it('is refused while the organisation is suspended, and works once it is active again', async () => {
    const { owner, id } = await service().given.organisation()
    const { token } = await invite(service(), owner)
    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'unpaid' })

    expect(await accept(token)).toMatchObject({ status: 403, body: { detail: 'Organisation is suspended' } })

    await service().operator.patch(`/v1/system/organisations/${id}/activate`)
    expect(await accept(token)).toMatchObject({ status: 201 })
  })

  it('is unknown once the organisation is cancelled', async () => {
    const { owner, id } = await service().given.organisation()
    const { token } = await invite(service(), owner)
    await service().operator.delete(`/v1/system/organisations/${id}`)

    expect(await accept(token)).toMatchObject(refusal)
  })

  it('is refused once the address is registered, and stays pending', async () => {
    const { owner } = await service().given.organisation()
    const { token, email, id } = await invite(service(), owner)
    await service().given.user(owner, { email })

    expect(await accept(token)).toMatchObject({ status: 409, body: { detail: 'Email already registered' } })
    expect((await owner.get(`/v1/admin/invitations/${id}`)).body).toMatchObject({ status: 'pending', acceptedAt: null })
  })

  it('creates one user when invitations of two organisations are accepted at the same moment', async () => {
    const [one, other] = [await service().given.organisation(), await service().given.organisation()]
    const email = `wanted-${unique()}@example.test`
    const first = await invite(service(), one.owner, { email })
    await other.owner.post('/v1/admin/invitations', { email, roleId: (await service().given.role(other.owner)).id })
    const mail = await service().mailbox.mailTo(email, other.name)
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''

    const answers = await Promise.all([accept(first.token), accept(token)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('counts towards the limit of a trial organisation', async () => {
    const { owner } = await trial().given.organisation({ status: 'trial' })
    const [one, other] = [await invite(trial(), owner), await invite(trial(), owner)]
    const acceptOn = (token: string) => trial().anonymous.post('/v1/auth/invitations/accept', acceptance(token))

    const answers = await Promise.all([acceptOn(one.token), acceptOn(other.token)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
    expect(answers.find(({ status }) => status === 403)?.body.detail).toBe('Trial limit reached: users')
    expect((await owner.get('/v1/admin/users')).body.total).toBe(2)
    const statuses = (await owner.get('/v1/admin/invitations')).body.data.map(({ status }: { status: string }) => status)
    expect(statuses.sort()).toEqual(['accepted', 'pending'])
  })

  it('checks the password by the policy of the organisation', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { minLength: 30 } })
    const { token } = await invite(service(), owner)

    expect(await accept(token)).toMatchObject({ status: 400, body: { errors: [{ code: 'too_small', path: ['password'] }] } })
    expect(await accept(token, { password: 'Password1' })).toMatchObject({ status: 400 })
    expect(await accept(token, { password: 'long enough for this organisation' })).toMatchObject({ status: 201 })
  })

  it.each([
    ['no token', { token: undefined }, { code: 'invalid_type', path: ['token'], message: 'Required' }],
    ['no first name', { firstName: '' }, { code: 'too_small', path: ['firstName'] }],
    ['no last name', { lastName: undefined }, { code: 'invalid_type', path: ['lastName'], message: 'Required' }],
    ['a password of seven characters', { password: 'seven77' }, { code: 'too_small', path: ['password'] }],
  ])('refuses %s, and the invitation stays pending', async (_, fields, error) => {
    const { owner } = await service().given.organisation()
    const { token } = await invite(service(), owner)

    expect(await accept(token, fields)).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [error] } })
    expect(await accept(token)).toMatchObject({ status: 201 })
  })
})
