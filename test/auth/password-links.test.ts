import { describe, expect, it } from 'vitest'
import { emailCodeFor } from '../support/email-codes.ts'
import type { SignedInUser, TestOrganisation } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const subject = 'Choose a new password'
const invalid = { status: 400, body: { code: 'invalid-link', detail: 'Invalid or expired token' } }
const invalidLink = { status: 200, body: { valid: false, expiresAt: null, passwordPolicy: null } }

const reset = (token: string, password = 'another long passphrase') =>
  service().anonymous.post('/v1/auth/password/reset', { token, password })
const inspect = (token: string) => service().anonymous.get(`/v1/auth/password/reset?token=${token}`)

async function aUser() {
  const organisation = await service().given.organisation()
  return { organisation, user: await service().given.userWith(organisation.owner, []) }
}

async function mailedLink({ owner }: TestOrganisation, user: { id: string; email: string }): Promise<string> {
  expect(await owner.post(`/v1/admin/users/${user.id}/password-reset`)).toMatchObject({ status: 202 })
  return service().mailbox.tokenTo(user.email, subject)
}

/** The token in the response to a sign-in with an expired password. */
async function tokenOfExpired({ owner }: TestOrganisation, { email, password }: SignedInUser): Promise<string> {
  await owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 1 } })
  service().clock.advance({ days: 2 })
  const refused = await service().anonymous.post('/v1/auth/login', { email, password })
  expect(refused).toMatchObject({ status: 403, body: { resetToken: expect.any(String) } })
  return refused.body.resetToken
}

describe('a password that has been set', () => {
  it('by a mailed link ends the token of an expired password', async () => {
    const { organisation, user } = await aUser()
    const resetToken = await tokenOfExpired(organisation, user)
    organisation.owner = await signInAnew(organisation.owner)

    expect(await reset(await mailedLink(organisation, user), 'the owner of the mailbox')).toMatchObject({ status: 200 })

    expect(await inspect(resetToken)).toMatchObject(invalidLink)
    expect(await reset(resetToken)).toMatchObject(invalid)
    await service().given.signIn(user.email, 'the owner of the mailbox')
  })

  it('by the token of an expired password ends a mailed link', async () => {
    const { organisation, user } = await aUser()
    const resetToken = await tokenOfExpired(organisation, user)
    organisation.owner = await signInAnew(organisation.owner)
    const link = await mailedLink(organisation, user)

    expect(await reset(resetToken, 'the one who signed in')).toMatchObject({ status: 200 })

    expect(await inspect(link)).toMatchObject(invalidLink)
    expect(await reset(link)).toMatchObject(invalid)
  })

  it('by its user ends a mailed link', async () => {
    const { organisation, user } = await aUser()
    const link = await mailedLink(organisation, user)
    expect(await inspect(link)).toMatchObject({ body: { valid: true } })

    const change = { currentPassword: user.password, newPassword: 'chosen by the user' }
    expect(await user.post('/v1/me/password', change)).toMatchObject({ status: 204 })

    expect(await inspect(link)).toMatchObject(invalidLink)
    expect(await reset(link)).toMatchObject(invalid)
    await service().given.signIn(user.email, 'chosen by the user')
  })

  it('with two links at the same moment is the password of one of them', async () => {
    const { organisation, user } = await aUser()
    const resetToken = await tokenOfExpired(organisation, user)
    organisation.owner = await signInAnew(organisation.owner)
    const link = await mailedLink(organisation, user)

    const answers = await Promise.all([reset(link, 'the first of two'), reset(resetToken, 'the second of two')])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('ends the link of the welcome mail, which works for seven days', async () => {
    const { anonymous, mailbox, operator } = service()
    const ownerEmail = `owner@${Date.now()}.test`
    const slug = `welcome-${Date.now()}`
    const founded = await operator.post('/v1/organisations', { name: slug, slug, email: ownerEmail, ownerEmail })
    expect(founded).toMatchObject({ status: 201 })
    const welcome = await mailbox.tokenTo(ownerEmail, 'Welcome')

    // Use another purpose: a link of the same purpose replaces it anyway.
    await service().database.tenant(founded.body.organisation.id).updateTable('actionLinks').set({ purpose: 'password_change' }).execute()
    await anonymous.post('/v1/auth/password/forgot', { email: ownerEmail })
    expect(await reset(await mailbox.tokenTo(ownerEmail, subject))).toMatchObject({ status: 200 })

    expect(await reset(welcome, 'a stranger with the old mail')).toMatchObject(invalid)
  })
})

describe('a link of a user who may not sign in', () => {
  it('does nothing while the user is blocked', async () => {
    const { organisation, user } = await aUser()
    const link = await mailedLink(organisation, user)
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString() })

    expect(await inspect(link)).toMatchObject(invalidLink)
    expect(await reset(link)).toMatchObject(invalid)

    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: null })
    await service().given.signIn(user.email)
  })

  it('does nothing after the block either: neither a reset, nor the proof of an address, nor a code', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const link = await mailedLink(organisation, user)
    const verification = await service().mailbox.tokenTo(user.email, 'Confirm')
    const proof = await emailCodeFor(service(), user.email)
    for (const blockedAt of [service().clock.now().toISOString(), null])
      expect(await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt })).toMatchObject({
        status: 200,
        body: { blockedAt },
      })

    expect(await inspect(link)).toMatchObject(invalidLink)
    expect(await reset(link)).toMatchObject(invalid)
    expect(await service().anonymous.post('/v1/auth/email/verify', { token: verification })).toMatchObject(invalid)
    expect(await service().anonymous.post('/v1/auth/email-code/verify', proof)).toMatchObject({
      status: 400,
      body: { code: 'invalid-email-code' },
    })
    expect(await reset(await mailedLink(organisation, user), 'chosen after the block')).toMatchObject({ status: 200 })
    await service().given.signIn(user.email, 'chosen after the block')
  })

  it('sets the first password after a block, where the user was blocked until they begin', async () => {
    const { owner, name } = await service().given.organisation()
    const { id, email } = await service().given.user(owner, { password: undefined })
    const welcome = await service().mailbox.tokenTo(email, `Your account at ${name}`)
    await owner.patch(`/v1/admin/users/${id}`, { blockedAt: service().clock.now().toISOString(), blockedReason: 'Begins on Monday' })
    expect(await reset(welcome)).toMatchObject(invalid)
    service().clock.advance({ days: 3 })
    const onMonday = await service().given.signIn(owner.email, owner.password)
    expect(await onMonday.patch(`/v1/admin/users/${id}`, { blockedAt: null })).toMatchObject({ status: 200 })

    expect(await reset(welcome, 'a password of Monday')).toMatchObject({ status: 200 })
    await service().given.signIn(email, 'a password of Monday')
  })

  it('does nothing after the block of a user who signs in without a password', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const user = await service().given.user(owner, { password: undefined })
    const proof = await emailCodeFor(service(), user.email)
    expect(await service().anonymous.post('/v1/auth/email-code/verify', proof)).toMatchObject({ status: 200 })
    const link = await mailedLink(organisation, user)
    for (const blockedAt of [service().clock.now().toISOString(), null])
      expect(await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt })).toMatchObject({ status: 200 })

    expect(await reset(link)).toMatchObject(invalid)
  })

  it('does nothing while the organisation is suspended', async () => {
    const { organisation, user } = await aUser()
    const link = await mailedLink(organisation, user)
    const verification = await service().mailbox.tokenTo(user.email, 'Confirm')
    const path = `/v1/system/organisations/${organisation.id}`
    expect(await service().operator.patch(`${path}/suspend`, { reason: 'unpaid' })).toMatchObject({ status: 200 })

    expect(await inspect(link)).toMatchObject(invalidLink)
    expect(await reset(link)).toMatchObject(invalid)
    expect(await service().anonymous.post('/v1/auth/email/verify', { token: verification })).toMatchObject(invalid)

    expect(await service().operator.patch(`${path}/activate`)).toMatchObject({ status: 200 })
    await service().given.signIn(user.email)
  })

  it('is invalid on the hosted page, too', async () => {
    const { organisation, user } = await aUser()
    const link = await mailedLink(organisation, user)
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString() })

    expect(await service().anonymous.get(`/password/reset?token=${link}`)).toMatchObject({
      status: 400,
      body: expect.stringContaining('This link no longer works'),
    })
  })
})

/** The policy applies to the owner's password, too. */
async function signInAnew(owner: SignedInUser): Promise<SignedInUser> {
  const refused = await service().anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
  expect(await reset(refused.body.resetToken, 'the owner chooses another')).toMatchObject({ status: 200 })
  return service().given.signIn(owner.email, 'the owner chooses another')
}
