import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import type { HttpClient } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const newPassword = 'another long passphrase'
const offline = { scope: 'openid offline_access' }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

/** A user with an application that has tokens of theirs. */
async function aUserWithTokens() {
  const app = await givenApplication(service())
  const { owner } = app.organisation
  const user = await service().given.userWith(owner, ['api_keys:create', 'api_keys:read', 'users:read'])
  return { app, owner, user, tokens: await app.signIn(offline, user) }
}

async function createKey(creator: HttpClient, name: string) {
  const created = await creator.post('/v1/admin/api-keys', { name, permissions: ['users:read'] })
  expect(created).toMatchObject({ status: 201 })
  return created.body as { id: string; key: string; prefix: string }
}

const by = ({ key }: { key: string }) => service().anonymous.with({ authorization: `Bearer ${key}` })
const mailTo = (address: string, subject: string) => service().mailbox.mailTo(address, subject)
const mailsTo = (address: string, subject: string) =>
  service().mailbox.mails.filter((mail) => mail.to === address && mail.subject.includes(subject)).length

describe('a change of the password', () => {
  it('ends the access of applications in the name of the user, and of no other user', async () => {
    const { app, owner, user, tokens } = await aUserWithTokens()
    const other = await app.signIn(offline, owner)

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({ status: 204 })

    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(other.refresh_token)).toMatchObject({ status: 200 })
    await mailTo(user.email, 'Your password has been changed')
  })

  it('that is refused ends nothing', async () => {
    const { app, user, tokens } = await aUserWithTokens()

    expect(await user.post('/v1/me/password', { currentPassword: 'a wrong one', newPassword })).toMatchObject({ status: 400 })

    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('an administrator who ends all sessions of a user', () => {
  it('ends the access of applications in their name, too', async () => {
    const { app, owner, user, tokens } = await aUserWithTokens()

    expect(await owner.delete(`/v1/admin/users/${user.id}/sessions`)).toMatchObject({ status: 204 })

    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
  })

  it('ends sign-ins that wait for a second factor', async () => {
    const { owner, user } = await aUserWithTokens()
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const { anonymous } = service()
    const { mfaToken } = (await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).body

    await owner.delete(`/v1/admin/users/${user.id}/sessions`)

    expect(await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })).toMatchObject({ status: 401 })
  })
})

describe('a second factor', () => {
  it('that is enabled ends the other sessions and mails the user', async () => {
    const { user } = await aUserWithTokens()
    const other = await service().given.signIn(user.email)

    await enrolAuthenticator(user, service().clock)

    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200, body: { mfaEnabled: true } })
    const mail = await mailTo(user.email, 'Two-factor authentication has been switched on')
    expect(mail.text).toContain('an authenticator app')
  })

  it('that its user disables sends them a mail', async () => {
    const { user } = await aUserWithTokens()
    const { authenticator } = await enrolAuthenticator(user, service().clock)

    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.wrongCode() })).toMatchObject({ status: 400 })
    await service().settled()
    expect(mailsTo(user.email, 'switched off')).toBe(0)
    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.nextCode() })).toMatchObject({ status: 200 })

    await mailTo(user.email, 'Two-factor authentication has been switched off')
  })
})

describe('an API key', () => {
  it('that is created in the name of a user sends them a mail', async () => {
    const { owner, user } = await aUserWithTokens()

    const { key, prefix } = await createKey(user, 'Nightly import')

    const mail = await mailTo(user.email, 'An API key has been made in your name')
    expect(mail.text).toContain('Nightly import')
    expect(mail.text).toContain(prefix)
    expect(mail.text).not.toContain(key)
    expect(mail.html).not.toContain(key)
    expect(mailsTo(owner.email, 'An API key')).toBe(0)
  })

  it('that is refused sends no mail', async () => {
    const { user } = await aUserWithTokens()

    expect(await user.post('/v1/admin/api-keys', { name: 'Too much', permissions: ['users:delete'] })).toMatchObject({ status: 403 })

    await service().settled()
    expect(mailsTo(user.email, 'An API key')).toBe(0)
  })
})

describe('a reset of the password', () => {
  it('ends the API keys of the last 24 hours and lists the others', async () => {
    const { owner, user } = await aUserWithTokens()
    const old = await createKey(user, 'Nightly import')
    service().clock.advance({ hours: 25 })
    const signedIn = await service().given.signIn(user.email)
    const recent = await createKey(signedIn, 'Made by an attacker')
    const ownerAnew = await service().given.signIn(owner.email)
    const others = await createKey(ownerAnew, 'Made by the owner')

    await ownerAnew.post(`/v1/admin/users/${user.id}/password-reset`)
    await service().given.setPassword(user.email, newPassword, 'Choose a new password')

    expect(await by(recent).get('/v1/admin/users')).toMatchObject({ status: 401 })
    expect(await by(old).get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await by(others).get('/v1/admin/users')).toMatchObject({ status: 200 })
    const mail = await mailTo(user.email, 'Your password has been changed')
    expect(mail.text).toMatch(/Nightly import/)
    expect(mail.text).toMatch(/Made by an attacker/)
    expect(mail.text.indexOf('Made by an attacker')).toBeLessThan(mail.text.indexOf('Nightly import'))
    expect(mail.text).not.toContain('Made by the owner')
    expect(await ownerAnew.audit({ targetId: recent.id })).toMatchObject([
      { action: 'api_key.deleted', actorId: user.id, metadata: { because: 'auth.password_reset' } },
      { action: 'api_key.created' },
    ])
  })

  it('does not mention API keys to a user who has none', async () => {
    const { owner, user } = await aUserWithTokens()
    await owner.post(`/v1/admin/users/${user.id}/password-reset`)
    await service().given.setPassword(user.email, newPassword, 'Choose a new password')

    expect((await mailTo(user.email, 'Your password has been changed')).text).not.toContain('API key')
  })

  it('by the token of an expired password does not end API keys', async () => {
    const { app, owner, user } = await aUserWithTokens()
    const key = await createKey(user, 'Made on the day')
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 1 } })
    const passwordChangedAt = new Date(service().clock.now().getTime() - 48 * 3_600_000)
    await service().database.tenant(app.organisation.id).updateTable('users').set({ passwordChangedAt }).where('id', '=', user.id).execute()
    const { resetToken } = (await service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).body

    expect(await service().anonymous.post('/v1/auth/password/reset', { token: resetToken, password: newPassword })).toMatchObject({
      status: 200,
    })

    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 200 })
  })
})
