import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, signInBy, workingStatus } from '../support/federation.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  usual = { ...provider.behaviour }
})
afterAll(() => provider.close())
beforeEach(() => {
  // Of sign-ins that one address may begin.
  service().clock.advance({ minutes: 5 })
  Object.assign(provider.behaviour, usual, {
    user: { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true },
  })
})

async function connected(changes: { failures?: number } = {}) {
  const organisation = await service().given.organisation()
  const configuration = JSON.stringify({
    issuer: provider.issuer,
    clientId: 'gatehouse',
    allowedDomains: ['*'],
    emailTrust: 'verified_claim',
  })
  const connectionId = await connect(service(), organisation, provider, { configuration, provisioning: 'jit', ...changes })
  return { ...organisation, connectionId }
}

async function attempts(connectionId: string, times: number) {
  for (let attempt = 0; attempt < times; attempt++) await signInBy(service(), provider, connectionId)
}

const statusOf = async (owner: SignedInUser, id: string) => (await owner.get(`/v1/admin/connections/${id}`)).body.status
const entriesOf = async (owner: SignedInUser) => await owner.audit({ action: 'connection.failing' })
const mailsOf = async ({ slug }: TestOrganisation) => {
  await service().settled()
  return service().mailbox.mails.filter(({ to, subject }) => to === `it@${slug}.test` && subject.includes('are failing'))
}

describe('a connection by which users come with more than 1,000 groups', () => {
  it('says so, until one comes with fewer', async () => {
    const { owner, connectionId } = await connected()
    const role = await service().given.role(owner)
    const roleMappings = [{ claim: 'groups', value: 'group-0', roleId: role.id }]
    const comeWith = async (groups: number) => {
      provider.behaviour.claims = (claims) => ({ ...claims, groups: Array.from({ length: groups }, (_, at) => `group-${at}`) })
      await attempts(connectionId, 1)
      return (await statusOf(owner, connectionId)).groupsCutSince
    }
    expect(await comeWith(1_001)).toBe(null)
    expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { roleMappings })).toMatchObject({ status: 200 })
    expect(await comeWith(1_000)).toBe(null)
    const since = await comeWith(1_001)
    expect(since).toEqual(expect.any(String))
    service().clock.advance({ minutes: 5 })
    expect(await comeWith(1_001)).toBe(since)
    expect(await comeWith(1_000)).toBe(null)
  })
})

describe('a connection whose provider fails', () => {
  it('counts as failing from the third failure in a row: with an entry and one mail until a sign-in succeeds', async () => {
    const { connectionId, ...organisation } = await connected()
    const { owner } = organisation
    provider.behaviour.secrets = ['another']
    await attempts(connectionId, 2)
    expect(await statusOf(owner, connectionId)).toMatchObject({
      state: 'ok',
      error: expect.stringContaining('invalid_client'),
      check: { code: 'token_endpoint', name: 'token endpoint' },
    })
    expect(await entriesOf(owner)).toEqual([])

    await attempts(connectionId, 3)
    const { state, since } = await statusOf(owner, connectionId)
    expect([state, since]).toEqual(['failing', expect.any(String)])
    expect(await entriesOf(owner)).toMatchObject([{ targetId: connectionId, targetName: 'Workforce', actorType: 'system' }])
    const mail = await service().mailbox.mailTo(`it@${organisation.slug}.test`, 'Sign-ins by Workforce are failing')
    expect(mail.text).toContain('to sign in to')
    expect(await mailsOf(organisation)).toHaveLength(1)

    provider.behaviour.secrets = ['secret']
    await attempts(connectionId, 1)
    expect(await statusOf(owner, connectionId)).toEqual(workingStatus)
    provider.behaviour.secrets = ['another']
    await attempts(connectionId, 3)
    expect(await statusOf(owner, connectionId)).toMatchObject({ state: 'failing' })
    expect(await entriesOf(owner)).toHaveLength(2)
  })

  it('counts once of failures at the same time', async () => {
    const { connectionId, owner } = await connected()
    provider.behaviour.secrets = ['another']
    await Promise.all(Array.from({ length: 6 }, () => attempts(connectionId, 1)))

    expect(await statusOf(owner, connectionId)).toMatchObject({ state: 'failing' })
    expect(await entriesOf(owner)).toHaveLength(1)
  })

  it.each<[string, (found: IdentityProvider) => void]>([
    ['cancels', ({ behaviour }) => (behaviour.response = ({ state = '' }) => ({ state, error: 'access_denied' }))],
    ['brings a code that is none', ({ behaviour }) => (behaviour.response = ({ state = '' }) => ({ state, code: 'none' }))],
    ['has no proven address', ({ behaviour }) => (behaviour.user = { ...behaviour.user, email_verified: false })],
    ['brings a code of another sign-in', ({ behaviour }) => (behaviour.claims = (claims) => ({ ...claims, nonce: 'another' }))],
  ])('does not count when the user %s', async (_name, bend) => {
    const { connectionId, owner } = await connected()
    bend(provider)
    await attempts(connectionId, 3)

    expect(await statusOf(owner, connectionId)).toMatchObject({ state: 'ok', error: null })
    expect(await entriesOf(owner)).toEqual([])
  })
})

describe('an error of the token endpoint', () => {
  // RFC 6749 §5.2, the codes of §4.1.2.1 that providers send here, too, GitHub's, and some that providers have added.
  const counted = {
    ...{ invalid_client: true, unauthorized_client: true, unsupported_grant_type: true, server_error: true, temporarily_unavailable: true },
    ...{ incorrect_client_credentials: true, redirect_uri_mismatch: true, application_suspended: true },
    ...{ invalid_grant: false, invalid_request: false, invalid_scope: false, bad_verification_code: false, unverified_user_email: false },
    ...{ access_denied: false, interaction_required: false, consent_required: false, invalid_code: false },
  }

  it.each(Object.entries(counted))('%s counts against the connection: %s', async (error, counts) => {
    const { connectionId, owner } = await connected({ failures: 2 })
    provider.behaviour.intercept = (path) => (path === '/token' ? Response.json({ error }, { status: 400 }) : undefined)
    await attempts(connectionId, 1)

    expect(await statusOf(owner, connectionId)).toMatchObject({ state: counts ? 'failing' : 'ok' })
    expect(await entriesOf(owner)).toHaveLength(counts ? 1 : 0)
  })
})
