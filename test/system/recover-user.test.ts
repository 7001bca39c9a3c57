import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { TRUST_PROXY: '127.0.0.1' } })
const password = 'correct horse battery'

const ofOrganisation = ({ id }: { id: string }, path: string) => `/v1/system/organisations/${id}${path}`
const recover = (organisation: { id: string }, userId: string, body: object) =>
  service().operator.post(ofOrganisation(organisation, `/users/${userId}/recover`), body)
const mailsTo = (address: string, subject: string) =>
  service().mailbox.mails.filter((mail) => mail.to === address && mail.subject.includes(subject))
const entriesOf = async (owner: SignedInUser, targetId: string) =>
  (await owner.audit({ targetId })) as { action: string; [field: string]: unknown }[]
const signIn = (email: string, given = password) =>
  service()
    .anonymous.with({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}::1` })
    .post('/v1/auth/login', { email, password: given })

async function lock(email: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) await signIn(email, 'wrong password')
  await service().settled()
}

describe('GET /v1/system/organisations/:id/users', () => {
  const find = (organisation: { id: string }, email: string) =>
    service().operator.get(ofOrganisation(organisation, `/users?email=${encodeURIComponent(email)}`))

  it('finds the user with the address, deleted or not, and records the search in the history of the organisation', async () => {
    const organisation = await service().given.organisation()
    const user = await service().given.user(organisation.owner)

    expect(await find(organisation, ` ${user.email.toUpperCase()} `)).toMatchObject({
      status: 200,
      body: { data: [{ id: user.id, email: user.email, deletedAt: null }], total: 1 },
    })
    await organisation.owner.delete(`/v1/admin/users/${user.id}`)
    expect((await find(organisation, user.email)).body).toMatchObject({ data: [{ id: user.id, deletedAt: expect.any(String) }] })

    const pointReads = (await entriesOf(organisation.owner, user.id)).filter(({ action }) => action === 'user.looked_up')
    expect(pointReads).toHaveLength(2)
    expect(pointReads[0]).toMatchObject({ actorType: 'system', actorId: null })
  })

  it('finds no user of another organisation, and none by a part of the address', async () => {
    const organisation = await service().given.organisation()
    const other = await service().given.organisation()
    const user = await service().given.user(other.owner)

    expect((await find(organisation, user.email)).body).toEqual({ data: [], total: 0 })
    expect((await find(other, user.email.slice(1))).body).toEqual({ data: [], total: 0 })
    expect((await find({ id: 'org_unknown' }, user.email)).status).toBe(404)
    expect((await service().operator.get(ofOrganisation(other, '/users'))).status).toBe(400)
    expect((await other.owner.get(ofOrganisation(other, `/users?email=${user.email}`))).status).toBe(401)
  })
})

describe('POST /v1/system/organisations/:id/users/:userId/recover', () => {
  /** An owner who has lost the phone, has forgotten the password, and is locked. */
  async function lostOwner(): Promise<TestOrganisation> {
    const organisation = await service().given.organisation()
    await enrolAuthenticator(organisation.owner, service().clock)
    await lock(organisation.owner.email)
    return organisation
  }

  it('restores the access of an owner who has lost phone, codes and password', async () => {
    const organisation = await lostOwner()
    const { owner } = organisation

    const answer = await recover(organisation, owner.id, { removeSecondFactors: true, passwordLink: true, unlock: true, unblock: true })

    expect(answer).toMatchObject({ status: 200, body: { done: ['removeSecondFactors', 'unlock', 'passwordLink'] } })
    expect((await owner.get('/v1/me/profile')).status).toBe(401)
    const token = await service().mailbox.tokenTo(owner.email, 'was recovered')
    expect((await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another horse battery' })).status).toBe(200)
    const again = await service().given.signIn(owner.email, 'another horse battery')
    expect((await again.get('/v1/me/profile')).body).toMatchObject({ mfaEnabled: false })
  })

  it('is recorded in the history of the organisation, step by step and as a whole with the reason', async () => {
    const organisation = await lostOwner()
    const { owner } = organisation

    await recover(organisation, owner.id, { removeSecondFactors: true, passwordLink: true, unlock: true, reason: 'Ticket 4711' })
    const token = await service().mailbox.tokenTo(owner.email, 'was recovered')
    await service().anonymous.post('/v1/auth/password/reset', { token, password })
    const again = await service().given.signIn(owner.email)
    const entries = (await entriesOf(again, owner.id)).filter(({ actorType }) => actorType === 'system')
    // They were written at the same moment, so the order of their ids is random.
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'auth.password_reset_requested',
      'login.unlocked',
      'mfa.disabled',
      'user.password_removed',
      'user.recovered',
    ])
    expect(entries.find(({ action }) => action === 'user.recovered')).toMatchObject({
      actorId: null,
      metadata: { done: ['removeSecondFactors', 'unlock', 'passwordLink'], reason: 'Ticket 4711' },
    })
    // The factor that went at the same time has an entry of its own.
    expect(entries.find(({ action }) => action === 'login.unlocked')?.changes).toEqual({
      lockedUntil: { from: expect.any(String), to: null },
    })
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('performs the requested steps and no others, and lists them', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const user = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z', blockedReason: 'Left' })
    await lock(user.email)

    const locked = await recover(organisation, user.id, { unlock: true })
    expect(locked.body).toEqual({ done: ['unlock'], blockedAt: '2026-01-01T00:00:00.000Z', blockedReason: 'Left' })
    await lock(user.email)
    const active = { blockedAt: null, blockedReason: null }
    expect((await recover(organisation, user.id, { unblock: true })).body).toEqual({ done: ['unblock'], ...active })

    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({
      blockedAt: null,
      blockedReason: null,
      lockedUntil: expect.any(String),
    })
    expect((await signIn(user.email)).status).toBe(429)
    expect((await recover(organisation, user.id, { unlock: true })).body).toEqual({ done: ['unlock'], ...active })
    expect((await signIn(user.email)).status).toBe(200)
    const mail = await service().mailbox.mailTo(user.email, 'was recovered')
    expect(mail.text).not.toContain('/password/reset')
  })

  it('mails and records nothing when there is nothing to do', async () => {
    const organisation = await service().given.organisation()
    const user = await service().given.user(organisation.owner)
    const everything = { removeSecondFactors: true, unlock: true, unblock: true }

    expect(await recover(organisation, user.id, everything)).toMatchObject({ status: 200, body: { done: [] } })
    expect(await recover(organisation, user.id, {})).toMatchObject({ status: 200, body: { done: [] } })

    expect((await entriesOf(organisation.owner, user.id)).filter(({ actorType }) => actorType === 'system')).toEqual([])
    const other = await service().given.user(organisation.owner)
    await service().mailbox.mailTo(other.email)
    expect(mailsTo(user.email, 'was recovered')).toEqual([])
  })

  it('sends no link that would not work, and then performs no other step', async () => {
    const organisation = await service().given.organisation()
    const user = await service().given.user(organisation.owner)
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    await lock(user.email)
    const refused = { status: 409, body: { code: 'password-link-would-not-work' } }

    expect(await recover(organisation, user.id, { passwordLink: true, unlock: true })).toMatchObject(refused)
    expect((await organisation.owner.get(`/v1/admin/users/${user.id}`)).body.lockedUntil).not.toBeNull()
    expect((await recover(organisation, user.id, { passwordLink: true, unblock: true })).body.done).toEqual(['unblock', 'passwordLink'])
    await service().operator.patch(ofOrganisation(organisation, '/suspend'), { reason: 'Unpaid' })
    expect(await recover(organisation, user.id, { passwordLink: true })).toMatchObject(refused)
  })

  it('finds no user of another organisation and no deleted one, and serves only the operator', async () => {
    const organisation = await service().given.organisation()
    const other = await service().given.organisation()
    const user = await service().given.user(other.owner)
    const gone = await service().given.user(other.owner)
    await other.owner.delete(`/v1/admin/users/${gone.id}`)

    expect(await recover(organisation, user.id, { unlock: true })).toMatchObject({ status: 404, body: { code: 'user-not-found' } })
    expect(await recover(other, gone.id, { unlock: true })).toMatchObject({ status: 404, body: { code: 'user-not-found' } })
    expect(await recover({ id: 'org_unknown' }, user.id, {})).toMatchObject({ status: 404, body: { code: 'organisation-not-found' } })
    expect((await other.owner.post(ofOrganisation(other, `/users/${user.id}/recover`), { unlock: true })).status).toBe(401)
  })
})

describe('POST /v1/system/organisations/:id/transfer-ownership', () => {
  const transfer = (organisation: { id: string }, userId: string) =>
    service().operator.post(ofOrganisation(organisation, '/transfer-ownership'), { userId })

  it('makes the user the owner, records it, and mails both', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const next = await service().given.user(owner, { firstName: 'Next', lastName: 'Owner' })

    expect(await transfer(organisation, next.id)).toMatchObject({ status: 200, body: { id: organisation.id, ownerId: next.id } })

    const newOwner = await service().given.signIn(next.email)
    expect((await newOwner.get(`/v1/admin/users/${next.id}`)).body.roles).toContainEqual(expect.objectContaining({ slug: 'owner' }))
    const [entry] = (await entriesOf(newOwner, organisation.id)).filter(({ action }) => action === 'organisation.ownership_transferred')
    expect(entry).toMatchObject({ actorType: 'system', changes: { ownerId: { from: owner.id, to: next.id } } })
    expect((await service().mailbox.mailTo(next.email, 'has another owner')).text).toContain('made you the owner')
    expect((await service().mailbox.mailTo(owner.email, 'has another owner')).text).toContain('Next Owner')
  })

  it('changes, records and mails nothing when the user is the owner already', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation

    expect(await transfer(organisation, owner.id)).toMatchObject({ status: 200, body: { ownerId: owner.id } })

    expect((await entriesOf(owner, organisation.id)).map(({ action }) => action)).not.toContain('organisation.ownership_transferred')
    expect(mailsTo(owner.email, 'has another owner')).toEqual([])
  })

  it('refuses a user who is blocked, deleted or of another organisation, and a cancelled organisation', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const other = await service().given.organisation()
    const blocked = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)

    expect(await transfer(organisation, blocked.id)).toMatchObject({ status: 400, body: { code: 'new-owner-blocked' } })
    for (const { id } of [deleted, other.owner]) expect((await transfer(organisation, id)).status).toBe(404)
    expect((await owner.post(ofOrganisation(organisation, '/transfer-ownership'), { userId: blocked.id })).status).toBe(401)
    expect((await service().operator.get(ofOrganisation(organisation, ''))).body.ownerId).toBe(owner.id)
    await service().operator.delete(ofOrganisation(organisation, ''))
    expect(await transfer(organisation, owner.id)).toMatchObject({ status: 409, body: { code: 'organisation-cancelled' } })
  })
})
