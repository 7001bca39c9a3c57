import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertUser } from '../../src/accounts/queries.ts'
import { emailTaken } from '../../src/accounts/refusals.ts'
import { systemActor } from '../../src/activity/actor.ts'
import { importUsers } from '../../src/import/import-users.ts'
import { addDomain, publish, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { connect, meOf, signInBy } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { acceptance, invite } from '../support/invite.ts'
import { asRequest } from '../support/sent-statements.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { SIGNUP: 'open' } })

let provider: IdentityProvider & { close(): Promise<void> }
let keeper: TestOrganisation
let other: TestOrganisation
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  keeper = await service().given.organisation()
  other = await service().given.organisation()
})
afterAll(() => provider.close())

const person = (email: string) => ({ email, firstName: 'Ada', lastName: 'Byron' })
const newOrganisation = (ownerEmail: string) => {
  const slug = `org-${unique()}`
  return { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail }
}

/** Every way to a new account, as far as it goes before the domain is verified; the rest is done afterwards. */
const ways: Record<string, (email: string, organisation: TestOrganisation) => Promise<() => Promise<{ status: number; body: object }>>> = {
  'an administrator':
    async (email, { owner }) =>
    () =>
      owner.post('/v1/admin/users', person(email)),
  'an invitation': async (email, { owner }) => {
    const { id: roleId } = await service().given.role(owner)
    return () => owner.post('/v1/admin/invitations', { email, roleId })
  },
  'an invitation that was sent before': async (email, { owner }) => {
    const { token } = await invite(service(), owner, { email })
    return () => service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))
  },
  'a sign-up': async (email) => () => service().anonymous.post('/v1/organisations', newOrganisation(email)),
  'a sign-up that was begun before': async (email) => {
    expect(await service().anonymous.post('/v1/organisations', newOrganisation(email))).toMatchObject({ status: 201 })
    const token = await service().mailbox.tokenTo(email)
    return () => service().anonymous.post('/v1/auth/password/reset', { token, password: 'a long enough secret' })
  },
  'the operator, who creates its organisation': async (email) => () => service().operator.post('/v1/organisations', newOrganisation(email)),
}

const taken = { body: { detail: 'Email already registered', code: 'email-taken' } }

describe('a verified domain keeps its addresses', () => {
  it.each(Object.keys(ways))('from an account of another organisation by %s, as an address that is taken', async (way) => {
    const begin = ways[way] ?? expect.fail()
    const [domain, ofTaken] = [uniqueDomain(), `taken-${unique()}@example.test`]
    const attempt = await begin(`new-${unique()}@${domain}`, other)
    const asTaken = await begin(ofTaken, other)
    await verifiedDomain(service(), keeper.owner, { domain })
    await service().given.user(keeper.owner, { email: ofTaken })

    const refused = await attempt()
    expect(refused).toMatchObject(way === 'an invitation' ? { body: { code: 'user-exists' } } : taken)
    const { status, body } = await asTaken()
    expect([refused.status, { ...refused.body, requestId: '' }]).toEqual([status, { ...body, requestId: '' }])
  })

  it('from an import of users, which names their lines', async () => {
    const { domain } = await verifiedDomain(service(), keeper.owner)
    const email = `new-${unique()}@${domain}`
    const importInto = ({ id }: TestOrganisation) =>
      asRequest(() =>
        importUsers(
          { ...service().services, trialMaxUsers: 100 },
          { name: 'test', records: () => [{ place: 'line 1', value: person(email) }] },
          { organisationId: id, actor: systemActor, resume: false, sendLinks: false, ignoreTrialLimit: false },
        ),
      )
    expect(await importInto(other)).toMatchObject({
      created: 0,
      mistakes: [{ place: 'line 1', message: `${email} is registered in another organisation` }],
    })
    expect(await importInto(keeper)).toMatchObject({ created: 1, mistakes: [] })
  })

  it.each([
    ['jit', false],
    ['none', true],
  ] as const)(
    'from a first sign-in by a connection of another organisation (provisioning %s, invited: %s)',
    async (provisioning, isInvited) => {
      const domain = uniqueDomain()
      const email = `new-${unique()}@${domain}`
      const configuration = JSON.stringify({
        ...{ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['*'] },
      })
      const connection = await connect(service(), other, provider, { provisioning, configuration })
      if (isInvited) await invite(service(), other.owner, { email })
      await verifiedDomain(service(), keeper.owner, { domain })
      provider.behaviour.user = { sub: `sub-${unique()}`, email, email_verified: true }

      const { status, body, visitor } = await signInBy(service(), provider, connection)
      expect([status, body]).toEqual([403, expect.stringContaining('cannot be used')])
      expect((await meOf(service(), visitor)).status).toBe(401)
    },
  )

  it('whichever statement creates the account', async () => {
    const { domain } = await verifiedDomain(service(), keeper.owner)
    const create = (organisation: TestOrganisation) =>
      asRequest(() =>
        service().database.transaction(organisation.id, (tenant) =>
          insertUser(tenant, { ...person(`new-${unique()}@${domain}`), passwordHash: null }),
        ),
      )
    await expect(create(other)).rejects.toThrow(emailTaken().message)
    expect(await create(keeper)).toMatchObject({ organisationId: keeper.id })
  })

  it('while it is verified: accounts that exist stay, and can sign in', async () => {
    const domain = uniqueDomain()
    const { email } = await service().given.user(other.owner, { email: `before-${unique()}@${domain}` })
    const added = await addDomain(keeper.owner, { domain })
    const { email: pending } = await service().given.user(other.owner, { email: `pending-${unique()}@${domain}` })
    publish(service(), added)
    expect(await keeper.owner.post(`/v1/admin/domains/${added.id}/verify`)).toMatchObject({ status: 200 })
    await service().given.signIn(email)
    await service().given.signIn(pending)
    expect(await keeper.owner.post('/v1/admin/users', person(`own-${unique()}@${domain}`))).toMatchObject({ status: 201 })

    expect(await keeper.owner.delete(`/v1/admin/domains/${added.id}`)).toMatchObject({ status: 204 })
    await service().given.user(other.owner, { email: `after-${unique()}@${domain}` })
  })
})
