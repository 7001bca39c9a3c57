import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noAccess, takenAway } from '../../src/connections/federation/take-away-access.ts'
import { linkedIdentity } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { connect, meOf, signInBy } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { givenApplication } from '../support/oauth.ts'
import { PasskeyDevice, passkeyProof, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

/** A user in whose account an attacker has left every way back in. */
async function takenAccount({ isVerified = false } = {}) {
  const application = await givenApplication(service(), { scopes: ['openid', 'offline_access'] })
  const { organisation } = application
  const { owner, id: organisationId } = organisation
  const domain = uniqueDomain()
  const assigned = await connect(service(), organisation, provider)
  await verifiedDomain(service(), owner, { domain, connectionId: assigned, sso: 'offered' })
  const other = await connect(service(), organisation, provider)
  const email = `ceo-${unique()}@${domain}`
  const { id } = await service().given.user(owner, { email })
  const role = await service().given.role(owner, { permissions: ['users:read'] })
  await owner.post(`/v1/admin/users/${id}/roles`, { roleId: role.id })
  const attacker = await service().given.signIn(email)
  if (!isVerified) {
    await service().database.tenant(organisationId).updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', id).execute()
  }
  const { subject } = await linkedIdentity(service(), { organisationId, userId: id, connectionId: other })
  const device = new PasskeyDevice()
  await registerPasskey(attacker, device)
  const made = await attacker.post('/v1/admin/api-keys', { name: `key-${unique()}`, permissions: ['users:read'] })
  const tokens = await application.signIn({ scope: 'openid offline_access' }, attacker)
  const key = made.body.key as string | undefined

  const waysIn = async () => {
    provider.behaviour.user = { sub: subject }
    const linked = await signInBy(service(), provider, other)
    return {
      session: (await attacker.get('/v1/me/profile')).status,
      password: (await service().anonymous.post('/v1/auth/login', { email, password: attacker.password })).status,
      passkey: (await service().anonymous.post('/v1/auth/passkey', await passkeyProof(service().anonymous, device))).status,
      linkedAccount: (await meOf(service(), linked.visitor)).status,
      key: (await new HttpClient(service().origin, { authorization: `Bearer ${key}` }).get('/v1/admin/users')).status,
      refreshToken: (await application.refresh(tokens.refresh_token)).status,
    }
  }
  return { application, organisation, owner, attacker, email, id, assigned, other, waysIn }
}

const nothing = { session: 401, password: 401, passkey: 401, linkedAccount: 401, key: 401, refreshToken: 400 }
const mailsTo = (address: string, subject: string) =>
  service().mailbox.mails.filter((mail) => mail.to === address && mail.subject.includes(subject))

describe('everything by which another person can act as a user', () => {
  it('goes when the owner of an address arrives that the account has never proven', async () => {
    const { email, assigned, waysIn, owner, id } = await takenAccount()

    provider.behaviour.user = { sub: `sub-${unique()}`, email, email_verified: true }
    const arrived = await signInBy(service(), provider, assigned)

    expect((await meOf(service(), arrived.visitor)).body).toMatchObject({ id, emailVerified: true })
    expect(await waysIn()).toEqual(nothing)
    expect((await owner.get(`/v1/admin/users/${id}/identities`)).body.data).toMatchObject([{ connection: { id: assigned } }])
    await service().mailbox.mailTo(email, 'An account has been linked')
  })

  it('goes when the operator removes second factors or sends a link, and stays when they lift a lock', async () => {
    const { organisation, id, waysIn, attacker } = await takenAccount({ isVerified: true })
    const recover = (body: object) => service().operator.post(`/v1/system/organisations/${organisation.id}/users/${id}/recover`, body)
    expect(await recover({ unlock: true })).toMatchObject({ status: 200 })
    expect((await attacker.get('/v1/me/profile')).status).toBe(200)

    expect(await recover({ passwordLink: true })).toMatchObject({ status: 200, body: { done: ['passwordLink'] } })
    expect(await waysIn()).toEqual(nothing)
  })

  it('goes when the user is erased', async () => {
    const { organisation, id, waysIn, owner } = await takenAccount({ isVerified: true })
    expect((await service().operator.post(`/v1/system/organisations/${organisation.id}/users/${id}/erase`)).status).toBe(200)
    expect(await waysIn()).toMatchObject({ session: 401, password: 401, passkey: 401, linkedAccount: 401, key: 401 })
    expect((await owner.get('/v1/admin/api-keys')).body.data).toEqual([])
  })

  it('is each table with a column that names a user, but those with a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select t.relname || '.' || a.attname as name from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace and t.relname <> 'users' and a.attnum > 0
        and not a.attisdropped and (a.attname ~ '(^|_)(user_id|by_id|owner_id|actor_id|user_ids|reserved_for)$'
          or (a.attname not in ('organisation_id', 'id') and exists (
            select from pg_constraint k
            where k.contype = 'f' and k.confrelid = 'users'::regclass and k.conrelid = t.oid and a.attnum = any (k.conkey))))`.execute(
      service().database.system(),
    )
    const known = new Set<string>([...takenAway, ...Object.keys(noAccess)])
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  })
})

describe('linked accounts and mails', () => {
  it('are mailed when they are linked automatically, and when they are unlinked', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, { linking: 'automatic' })
    const user = await service().given.userWith(organisation.owner, [])
    const users = service().database.tenant(organisation.id).updateTable('users').where('id', '=', user.id)
    await users.set({ emailVerifiedAt: service().clock.now() }).execute()
    provider.behaviour.user = { sub: `sub-${unique()}`, email: user.email, email_verified: true }
    await signInBy(service(), provider, connectionId)
    const linked = await service().mailbox.mailTo(user.email, 'An account has been linked')
    expect(linked.text).toContain('with an account at Workforce')
    expect(linked.text).toContain('/account/identities')

    const { data } = (await user.get('/v1/me/identities')).body
    expect((await user.delete(`/v1/me/identities/${data[0].id}`)).status).toBe(204)
    await service().mailbox.mailTo(user.email, 'An account has been unlinked')
    expect(mailsTo(user.email, 'An account has been linked')).toHaveLength(1)
  })

  it('end with passkeys at a password reset when they are younger than a day, and are named in its mail when they are older', async () => {
    const organisation = await service().given.organisation()
    const { owner, id: organisationId } = organisation
    const user = await service().given.userWith(owner, [])
    const connectionId = await connect(service(), organisation, provider)
    const add = async (as: SignedInUser, name: string) => {
      await linkedIdentity(service(), { organisationId, userId: user.id, connectionId })
      const { id } = await registerPasskey(as, new PasskeyDevice())
      await as.patch(`/v1/me/passkeys/${id}`, { name })
    }
    await add(user, 'old key')
    await service().clock.advance({ hours: 25 })
    await add(await service().given.signIn(user.email, user.password), 'new key')

    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    await service().given.setPassword(user.email, 'quite another long secret', 'Choose a new password')

    const { text } = await service().mailbox.mailTo(user.email, 'password has been changed')
    expect(text).toMatch(/deleted: new key\./)
    expect(text).toMatch(/still sign you in: old key\..*\/account\/passkeys/s)
    expect(text).toMatch(/linked accounts still sign you in: Workforce.*\/account\/identities/s)
    const again = await service().given.signIn(user.email, 'quite another long secret')
    expect((await again.get('/v1/me/passkeys')).body.data).toMatchObject([{ name: 'old key' }])
    expect((await again.get('/v1/me/identities')).body.total).toBe(1)
  })
})
