import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'

const service = useService()

const newEmail = () => `invited-${unique()}@example.test`
const day = 24 * 3_600 * 1_000

async function auditOf(owner: SignedInUser, targetId: string) {
  return (await owner.audit({ targetId })).toReversed() as {
    action: string
    metadata: Record<string, unknown>
    changes: unknown
    actorId: string
  }[]
}

describe('POST /v1/admin/invitations', () => {
  it('responds with the link where that is asked for, and then the address is not proven by it', async () => {
    const { given, mailbox, anonymous } = service()
    const { owner } = await given.organisation()
    const { id: roleId } = await given.role(owner)
    const email = newEmail()
    const sent = await owner.post('/v1/admin/invitations', { email, roleId, returnLink: true })
    const token = new URL(sent.body.link).searchParams.get('token') as string
    expect(token).toBe(await mailbox.tokenTo(email))
    expect(await auditOf(owner, sent.body.id)).toMatchObject([{ action: 'invitation.sent', metadata: { email, linkReturned: true } }])
    expect((await owner.get(`/v1/admin/invitations/${sent.body.id}`)).body).not.toHaveProperty('link')

    const accepted = await anonymous.post('/v1/auth/invitations/accept', acceptance(token))
    expect(accepted).toMatchObject({ status: 201 })
    expect((await owner.get(`/v1/admin/users/${accepted.body.user.id}`)).body.emailVerifiedAt).toBeNull()
  })

  it('counts the address as verified again once the invitation was resent, by mail alone', async () => {
    const { given, mailbox, anonymous } = service()
    const { owner } = await given.organisation()
    const { id: roleId } = await given.role(owner)
    const email = newEmail()
    const { body } = await owner.post('/v1/admin/invitations', { email, roleId, returnLink: true })
    const former = await mailbox.tokenTo(email)
    const resent = await owner.post(`/v1/admin/invitations/${body.id}/resend`)
    expect(JSON.stringify(resent.body)).not.toContain('token=')
    expect(await anonymous.post('/v1/auth/invitations/accept', acceptance(former))).toMatchObject({ status: 400 })
    const accepted = await anonymous.post('/v1/auth/invitations/accept', acceptance(await mailbox.tokenTo(email)))
    expect((await owner.get(`/v1/admin/users/${accepted.body.user.id}`)).body.emailVerifiedAt).toEqual(expect.any(String))
  })

  it('mails a link whose token no response shows', async () => {
    const { owner, name } = await service().given.organisation()
    const role = await service().given.role(owner)
    const team = (await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const email = `Carol.${unique()}@Example.test`

    const sent = await owner.post('/v1/admin/invitations', { email: ` ${email} `, roleId: role.id, teamIds: [team.id] })

    expect(sent).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
        email: email.toLowerCase(),
        roleId: role.id,
        teamIds: [team.id],
        status: 'pending',
        invitedById: owner.id,
        acceptedAt: null,
      },
    })
    expect(sent.body).not.toHaveProperty('invitedBy')
    expect(Date.parse(sent.body.expiresAt) - Date.parse(sent.body.createdAt)).toBe(7 * day)
    const mail = await service().mailbox.mailTo(email.toLowerCase())
    expect(mail.subject).toContain(name)
    expect(mail.text).toMatch(/http:\/\/gatehouse\.test\/invitations\/accept\?token=[\w-]{43}\n/)
    const token = await service().mailbox.tokenTo(email.toLowerCase())
    expect(JSON.stringify([sent.body, (await owner.get('/v1/admin/invitations')).body])).not.toContain(token)
    expect(await auditOf(owner, sent.body.id)).toMatchObject([
      { action: 'invitation.sent', actorId: owner.id, metadata: { email: email.toLowerCase() } },
    ])
  })

  it('stores the token hashed', async () => {
    const { owner, id } = await service().given.organisation()
    const { token } = await invite(service(), owner)

    const rows = await service().database.tenant(id).selectFrom('invitations').selectAll().execute()

    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('expires after the requested number of days', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)

    const { body } = await owner.post('/v1/admin/invitations', { email: newEmail(), roleId: role.id, expiresInDays: 30 })

    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(30 * day)
  })

  it('refuses a registered address, in any letter case and in any organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(owner)

    for (const email of [owner.email.toUpperCase(), other.owner.email]) {
      const refused = await owner.post('/v1/admin/invitations', { email, roleId: role.id })
      expect(refused).toMatchObject({ status: 400, body: { title: 'Bad Request', detail: 'User with this email already exists' } })
    }
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(0)
    expect(await owner.audit({ action: 'invitation.sent' })).toEqual([])
  })

  it('refuses the address of a deleted user, which stays reserved', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const { id, email } = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${id}`)

    expect(await owner.post('/v1/admin/invitations', { email, roleId: role.id })).toMatchObject({ status: 400 })
  })

  it('refuses an address that has a pending invitation, in any letter case', async () => {
    const { owner } = await service().given.organisation()
    const { email, roleId } = await invite(service(), owner)

    const refused = await owner.post('/v1/admin/invitations', { email: email.toUpperCase(), roleId })

    expect(refused).toMatchObject({ status: 400, body: { detail: 'A pending invitation for this email already exists' } })
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(1)
  })

  it('invites an address once when it is asked twice at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const body = { email: newEmail(), roleId: role.id }

    const answers = await Promise.all([owner.post('/v1/admin/invitations', body), owner.post('/v1/admin/invitations', body)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(1)
    expect(await owner.audit({ action: 'invitation.sent' })).toHaveLength(1)
  })

  it('does not know a role of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(other.owner)

    const refused = await owner.post('/v1/admin/invitations', { email: newEmail(), roleId: role.id })

    expect(refused).toMatchObject({ status: 404, body: { detail: 'Role not found' } })
  })

  it('points at each team that does not exist', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const team = (await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body

    const refused = await owner.post('/v1/admin/invitations', { email: newEmail(), roleId: role.id, teamIds: [team.id, 'tem_unknown'] })

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'custom', path: ['teamIds', 1], message: 'Team not found' }] } })
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(0)
  })

  it('refuses a role with a permission that the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const inviter = await service().given.userWith(owner, ['invitations:create', 'users:read'])
    const within = await service().given.role(owner, { permissions: ['users:read'] })
    const beyond = await service().given.role(owner, { permissions: ['users:read', 'users:delete'] })

    const refused = await inviter.post('/v1/admin/invitations', { email: newEmail(), roleId: beyond.id })

    expect(refused).toMatchObject({ status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } })
    expect(await inviter.post('/v1/admin/invitations', { email: newEmail(), roleId: within.id })).toMatchObject({ status: 201 })
  })

  it('names the creator of an API key as the inviter, and the key in the audit log', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const { id: keyId, key } = (await owner.post('/v1/admin/api-keys', { name: 'Import', permissions: ['invitations:create'] })).body
    const program = service().anonymous.with({ authorization: `Bearer ${key}` })

    const sent = await program.post('/v1/admin/invitations', { email: newEmail(), roleId: role.id })

    expect(sent).toMatchObject({ status: 201, body: { invitedById: owner.id } })
    expect(await auditOf(owner, sent.body.id)).toMatchObject([{ action: 'invitation.sent', actorId: keyId }])
  })

  it('requires invitations:create', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['invitations:read', 'invitations:delete'])

    expect(await user.post('/v1/admin/invitations', { email: newEmail(), roleId: 'rol_1' })).toMatchObject({
      status: 403,
      body: { detail: 'Missing required permission: invitations:create' },
    })
  })

  it.each([
    ['no address', { email: undefined }, { code: 'invalid_type', path: ['email'], message: 'Required' }],
    ['an address that is none', { email: 'carol' }, { code: 'invalid_string', path: ['email'] }],
    ['no role', { roleId: undefined }, { code: 'invalid_type', path: ['roleId'], message: 'Required' }],
    ['no day', { expiresInDays: 0 }, { code: 'too_small', path: ['expiresInDays'] }],
    ['31 days', { expiresInDays: 31 }, { code: 'too_big', path: ['expiresInDays'] }],
    ['half a day', { expiresInDays: 1.5 }, { path: ['expiresInDays'] }],
    ['teams that are no array', { teamIds: 'tem_1' }, { code: 'invalid_type', path: ['teamIds'] }],
  ])('refuses %s', async (_, fields, error) => {
    const { owner } = await service().given.organisation()

    const refused = await owner.post('/v1/admin/invitations', { email: newEmail(), roleId: 'rol_1', ...fields })

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [error] } })
  })
})

describe('GET /v1/admin/invitations', () => {
  it('lists the invitations of the organisation with their inviters', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    await invite(service(), other.owner)
    const inviter = await service().given.userWith(owner, ['invitations:create'])
    const role = await service().given.role(owner)
    const first = await invite(service(), owner, { roleId: role.id })
    const second = await invite(service(), inviter, { roleId: role.id })

    const { status, body } = await owner.get('/v1/admin/invitations')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      total: 2,
      data: [
        { id: first.id, invitedBy: { id: owner.id, email: owner.email } },
        { id: second.id, invitedById: inviter.id, invitedBy: { id: inviter.id, email: inviter.email, name: 'Test User' } },
      ],
    })
  })

  it('is searched by address and sorted by address or expiry', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const b = await invite(service(), owner, { roleId: role.id, email: `b-${unique()}@example.test`, expiresInDays: 1 })
    const a = await invite(service(), owner, { roleId: role.id, email: `a-${unique()}@example.test`, expiresInDays: 2 })
    const idsOf = async (query: string) => (await owner.get(`/v1/admin/invitations?${query}`)).body.data.map(({ id }: { id: string }) => id)

    expect(await idsOf('q=A-')).toEqual([a.id])
    expect(await idsOf('sort=email')).toEqual([a.id, b.id])
    expect(await idsOf('sort=expiresAt')).toEqual([b.id, a.id])
    const { nextCursor } = (await owner.get('/v1/admin/invitations?sort=-expiresAt&limit=1')).body
    expect(await idsOf(`sort=-expiresAt&limit=1&cursor=${nextCursor}`)).toEqual([b.id])
  })
})

describe('GET /v1/admin/invitations/:id', () => {
  it('names the role and the teams, without those that have been deleted', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const [europe, africa] = await Promise.all(
      ['europe', 'africa'].map(async (slug) => (await owner.post('/v1/admin/teams', { name: `Team ${slug}`, slug })).body),
    )
    const { id } = await invite(service(), owner, { roleId: role.id, teamIds: [europe.id, africa.id] })
    const summary = ({ id, name, slug }: Record<string, string>) => ({ id, name, slug })
    const read = async () => {
      const { body } = await owner.get(`/v1/admin/invitations/${id}`)
      expect((await owner.get('/v1/admin/invitations')).body.data).toEqual([body])
      expect(body.teams.map((team: { id: string }) => team.id)).toEqual(body.teamIds)
      return body
    }

    const { role: named, teams } = await read()
    expect(named).toEqual(summary(role))
    expect(teams).toHaveLength(2)
    expect(teams).toEqual(expect.arrayContaining([summary(europe), summary(africa)]))
    await owner.delete(`/v1/admin/roles/${role.id}`)
    await owner.delete(`/v1/admin/teams/${europe.id}`)
    expect(await read()).toMatchObject({ role: null, roleId: null, teams: [summary(africa)] })
  })

  it('returns the invitation', async () => {
    const { owner } = await service().given.organisation()
    const { id, email } = await invite(service(), owner)

    const found = await owner.get(`/v1/admin/invitations/${id}`)

    expect(found).toMatchObject({ status: 200, body: { id, email, status: 'pending', invitedBy: { id: owner.id } } })
  })

  it('does not know an invitation of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { id } = await invite(service(), other.owner)

    expect(await owner.get(`/v1/admin/invitations/${id}`)).toMatchObject({ status: 404, body: { detail: 'Invitation not found' } })
  })
})

describe('POST /v1/admin/invitations/:id/resend', () => {
  it('mails a new link in place of the old one, with its full lifetime', async () => {
    const { owner } = await service().given.organisation()
    const invitation = await invite(service(), owner, { expiresInDays: 3 })
    const before = (await owner.get(`/v1/admin/invitations/${invitation.id}`)).body

    const resent = await owner.post(`/v1/admin/invitations/${invitation.id}/resend`)

    expect(resent).toMatchObject({
      status: 200,
      body: { message: 'Invitation resent', invitation: { id: invitation.id, email: invitation.email, status: 'pending' } },
    })
    expect(Object.keys(resent.body.invitation).sort()).toEqual(['email', 'expiresAt', 'id', 'status'])
    expect(resent.body.invitation.expiresAt > before.expiresAt).toBe(true)
    const after = (await owner.get(`/v1/admin/invitations/${invitation.id}`)).body
    expect(Date.parse(after.expiresAt) - Date.parse(after.updatedAt)).toBe(3 * day)
    const accept = (token: string) => service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))
    expect(await accept(invitation.token)).toMatchObject({ status: 400 })
    const renewed = await service().mailbox.tokenTo(invitation.email)
    expect(renewed).not.toBe(invitation.token)
    expect(await accept(renewed)).toMatchObject({ status: 201 })
    const history = (await auditOf(owner, invitation.id)).filter(({ action }) => action === 'invitation.sent')
    expect(history).toMatchObject([
      { action: 'invitation.sent' },
      { action: 'invitation.sent', metadata: { resent: true }, changes: { expiresAt: { from: before.expiresAt, to: after.expiresAt } } },
    ])
  })

  it('refuses an accepted one', async () => {
    const { owner } = await service().given.organisation()
    const { id, token } = await invite(service(), owner)
    await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))

    const refused = await owner.post(`/v1/admin/invitations/${id}/resend`)

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Only pending invitations can be resent' } })
  })

  it('refuses a role that has gained a permission which the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const inviter = await service().given.userWith(owner, ['invitations:create'])
    const role = await service().given.role(owner)
    const { id } = await invite(service(), inviter, { roleId: role.id })
    const permissions = (await owner.get('/v1/admin/permissions?q=users:delete')).body.data
    await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: [permissions[0].id] })

    const refused = await inviter.post(`/v1/admin/invitations/${id}/resend`)

    expect(refused).toMatchObject({ status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } })
    expect(await auditOf(owner, id)).toHaveLength(1)
  })

  it('refuses a default role, in place of a deleted one, with a permission that the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const inviter = await service().given.userWith(owner, ['invitations:create'])
    const role = await service().given.role(owner)
    const { id } = await invite(service(), inviter, { roleId: role.id })
    await service().given.role(owner, { isDefault: true, permissions: ['users:delete'] })
    await owner.delete(`/v1/admin/roles/${role.id}`)

    expect(await inviter.post(`/v1/admin/invitations/${id}/resend`)).toMatchObject({ status: 403 })
    expect(await owner.post(`/v1/admin/invitations/${id}/resend`)).toMatchObject({ status: 200 })
  })

  it('does not know an invitation of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { id } = await invite(service(), other.owner)

    expect(await owner.post(`/v1/admin/invitations/${id}/resend`)).toMatchObject({ status: 404 })
  })
})

describe('DELETE /v1/admin/invitations/:id', () => {
  it('removes the invitation, and its link stops working', async () => {
    const { owner } = await service().given.organisation()
    const { id, email, token, roleId } = await invite(service(), owner)

    expect(await owner.delete(`/v1/admin/invitations/${id}`)).toMatchObject({ status: 204, body: null })

    expect(await owner.get(`/v1/admin/invitations/${id}`)).toMatchObject({ status: 404 })
    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))).toMatchObject({ status: 400 })
    expect(await auditOf(owner, id)).toMatchObject([
      { action: 'invitation.sent' },
      { action: 'invitation.cancelled', actorId: owner.id, metadata: { email } },
    ])
    expect(await owner.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
  })

  it('refuses an accepted one', async () => {
    const { owner } = await service().given.organisation()
    const { id, token } = await invite(service(), owner)
    await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))

    const refused = await owner.delete(`/v1/admin/invitations/${id}`)

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Only pending invitations can be cancelled' } })
    expect((await owner.get(`/v1/admin/invitations/${id}`)).body.status).toBe('accepted')
  })

  it('responds 404 the second time', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await invite(service(), owner)

    const answers = await Promise.all([owner.delete(`/v1/admin/invitations/${id}`), owner.delete(`/v1/admin/invitations/${id}`)])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect(await auditOf(owner, id)).toHaveLength(2)
  })

  it('requires invitations:delete', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['invitations:create'])
    const { id } = await invite(service(), owner)

    expect(await user.delete(`/v1/admin/invitations/${id}`)).toMatchObject({ status: 403 })
  })
})
