import { describe, expect, it } from 'vitest'
import { type Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { SignedInUser, type TestOrganisation } from '../support/given.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const newPassword = 'another horse battery'

/** What ends sessions of a user along with something else, and who is named as the one who did it. */
type Cause = (organisation: TestOrganisation, user: SignedInUser) => Promise<unknown>

const block: Cause = ({ owner }, { id }) => owner.patch(`/v1/admin/users/${id}`, { blockedAt: '2026-01-31T09:30:00Z' })

async function resetPassword(_: TestOrganisation, { email }: SignedInUser) {
  await service().anonymous.post('/v1/auth/password/forgot', { email })
  const token = await service().mailbox.tokenTo(email, 'Choose a new password')
  return service().anonymous.post('/v1/auth/password/reset', { token, password: newPassword })
}

const causes: [string, Cause, actor: 'owner' | 'user' | 'none'][] = [
  ['a block', block, 'owner'],
  ['a deletion', ({ owner }, { id }) => owner.delete(`/v1/admin/users/${id}`), 'owner'],
  ['the end of all sessions by an administrator', ({ owner }, { id }) => owner.delete(`/v1/admin/users/${id}/sessions`), 'owner'],
  ['the loss of the second factor', ({ owner }, { id }) => owner.patch(`/v1/admin/users/${id}`, { mfaEnabled: false }), 'owner'],
  ['a password that is set by a link', resetPassword, 'user'],
  [
    'the suspension of the organisation',
    ({ id }) => service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' }),
    'none',
  ],
]

/** A user with two sessions that are live and one that has ended by itself. */
async function arrange(organisation: TestOrganisation) {
  const { given, clock } = service()
  const user = await given.userWith(organisation.owner, [])
  clock.advance({ minutes: 45 })
  const owner = await given.signIn(organisation.owner.email)
  const first = await given.signIn(user.email)
  // It ends the session that there is besides, so that the other one comes after it.
  const { authenticator } = await enrolAuthenticator(first, clock)
  const sessions = [first, await signInWithCode(user, authenticator)] as const
  return { organisation: { ...organisation, owner }, user: sessions[0], ended: sessions.map(({ sessionId }) => sessionId).sort() }
}

async function signInWithCode({ email, password }: SignedInUser, authenticator: Authenticator): Promise<SignedInUser> {
  const { anonymous, origin } = service()
  const { mfaToken } = (await anonymous.post('/v1/auth/login', { email, password })).body
  const login = await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })
  return new SignedInUser(origin, login, { email, password })
}

const sessionsIn = (requests: { body: string }[]) => requests.map(({ body }) => JSON.parse(body))

describe('session.revoked', () => {
  it.each(causes)('is sent for each active session that ends with %s', async (_, cause, actor) => {
    const { organisation, user, ended } = await arrange(await service().given.organisation())
    const hook = receiver.hook()
    await createEndpoint(organisation.owner, { url: hook.url, events: ['session.revoked'] })

    expect(await cause(organisation, user)).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
    await service().deliverDueWebhooks()

    const sent = sessionsIn(hook.requests)
    const ofUser = sent.filter(({ data }) => data.session.id !== organisation.owner.sessionId)
    expect(ofUser.map(({ data }) => data.session.id).sort()).toEqual(ended)
    expect(sent.length - ofUser.length).toBe(actor === 'none' ? 1 : 0)
    const { owner } = organisation
    const actors = { owner: { id: owner.id, type: 'user', email: owner.email }, user: { id: user.id, type: 'user', email: user.email } }
    for (const event of sent) {
      expect(event).toMatchObject({ type: 'session.revoked', organisationId: organisation.id })
      expect(event.data.actor).toEqual(actor === 'none' ? undefined : actors[actor])
      expect(Object.keys(event.data.session)).toEqual(expect.arrayContaining(['ipAddress', 'userAgent', 'expiresAt', 'createdAt']))
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
  })

  it('is sent only for the other sessions when users change their password', async () => {
    const { organisation, user, ended } = await arrange(await service().given.organisation())
    const hook = receiver.hook()
    await createEndpoint(organisation.owner, { url: hook.url, events: ['session.revoked'] })

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({ status: 204 })
    await service().deliverDueWebhooks()

    expect(sessionsIn(hook.requests).map(({ data }) => data.session.id)).toEqual(ended.filter((id) => id !== user.sessionId))
  })

  it('is sent only for the other sessions when users end these', async () => {
    const { organisation, user, ended } = await arrange(await service().given.organisation())
    const hook = receiver.hook()
    await createEndpoint(organisation.owner, { url: hook.url, events: ['session.revoked'] })

    expect(await user.delete('/v1/me/sessions')).toMatchObject({ status: 204 })
    await service().deliverDueWebhooks()

    expect(sessionsIn(hook.requests).map(({ data }) => data.session.id)).toEqual(ended.filter((id) => id !== user.sessionId))
  })

  it('adds no row except the audit entry of the block when no endpoint subscribes', async () => {
    const { organisation, user } = await arrange(await service().given.organisation())
    await createEndpoint(organisation.owner, { url: receiver.hook().url, events: ['role.created'] })
    const { database } = service()
    const count = async () => {
      const [entries, deliveries] = await Promise.all([
        database.tenant(organisation.id).selectFrom('auditLogs').select('action').execute(),
        database.tenant(organisation.id).selectFrom('webhookDeliveries').select('id').execute(),
      ])
      return { entries: entries.length, deliveries: deliveries.length }
    }
    const before = await count()

    await block(organisation, user)

    expect(await count()).toEqual({ entries: before.entries + 1, deliveries: before.deliveries })
  })
})
