import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { connect, signInBy } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })
const cases = 220
const atLeastTen = expect.toSatisfy((count: number) => count >= 10)

let provider: IdentityProvider & { close(): Promise<void> }
let world: Awaited<ReturnType<typeof arrange>>
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  world = await arrange()
})
afterAll(() => provider?.close())

/** What an administrator may have chosen, and who may come. */
// Weighted so that about half of the sign-ins succeed: those that fail prove less.
const oneOf = <const T>(...weights: readonly (readonly [weight: number, value: T])[]) =>
  fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
const setting = fc.record({
  linking: oneOf([1, null], [1, 'none'], [1, 'confirm'], [4, 'automatic']),
  provisioning: oneOf([1, 'none'], [3, 'jit']),
  emailTrust: oneOf([1, undefined], [5, 'verified_claim'], [1, 'verified_domain']),
  allowedDomains: fc.constantFrom(undefined, ['*'], ['example.test']),
  hasDomain: fc.boolean(),
})
const others = ['owner', 'blocked', 'deleted', 'stranger', 'owner of another', 'none'] as const
const arrival = fc.record({
  holder: oneOf([3, 'nobody'], [6, 'user'], ...others.map((holder) => [1, holder] as const)),
  domain: fc.constantFrom(...(['assigned', 'verified', 'of another', 'example.test', 'elsewhere.test'] as const)),
  isVerified: fc.boolean(),
  says: fc.constantFrom(true, true, true, true, true, true, false, 'true', undefined),
  /** Whether it is an account that has come before. */
  isKnown: fc.constantFrom(false, false, false, false, false, true),
  inCapitals: fc.boolean(),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never
type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never

/** Two organisations with a verified domain or two. */
async function arrange() {
  const [own, other] = [await service().given.organisation(), await service().given.organisation()]
  const domains = {
    assigned: await verifiedDomain(service(), own.owner),
    verified: (await verifiedDomain(service(), own.owner)).domain,
    'of another': (await verifiedDomain(service(), other.owner)).domain,
    'example.test': 'example.test',
    'elsewhere.test': uniqueDomain(),
  }
  return { own, other, domains, connections: new Map<string, string>(), sessions: new Set(await allSessions().then(ids)) }
}

const allSessions = () => service().database.system().selectFrom('sessions').selectAll().execute()
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const identitiesOf = (connectionId: string, subject: string) =>
  service()
    .database.system()
    .selectFrom('identities')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('subject', '=', subject)
    .execute()

const domainOf = (domain: Arrival['domain']) => {
  const { assigned, ...others } = world.domains
  return domain === 'assigned' ? assigned.domain : others[domain]
}

/** A connection with these settings, the only one to which the assigned domain belongs. */
async function connectionWith({ hasDomain, emailTrust, allowedDomains, ...columns }: Setting): Promise<string> {
  const key = JSON.stringify({ emailTrust, allowedDomains, ...columns })
  const configuration = JSON.stringify({ issuer: provider.issuer, clientId: 'gatehouse', emailTrust, allowedDomains })
  const connectionId = world.connections.get(key) ?? (await connect(service(), world.own, provider, { ...columns, configuration }))
  world.connections.set(key, connectionId)
  await service()
    .database.tenant(world.own.id)
    .updateTable('organisationDomains')
    .set({ connectionId: hasDomain ? connectionId : null })
    .where('id', '=', world.domains.assigned.id)
    .execute()
  return connectionId
}

/** Accounts of other organisations that a domain has are from before it was proven. */
async function beforeProven<T>(domain: string, work: () => Promise<T>): Promise<T> {
  const setStatus = (status: 'pending' | 'verified') =>
    service().database.system().updateTable('organisationDomains').set({ status }).where('domain', '=', domain).execute()
  const [found] = await service()
    .database.system()
    .selectFrom('organisationDomains')
    .select('status')
    .where('domain', '=', domain)
    .execute()
  if (found?.status !== 'verified') return work()
  await setStatus('pending')
  const done = await work()
  await setStatus('verified')
  return done
}

/** The address of a user in their organisation; undefined for none. */
async function addressOf({ holder, domain, isVerified }: Arrival): Promise<string | undefined> {
  const email = `person-${unique()}@${domainOf(domain)}`
  const create = async (by: SignedInUser) => {
    const user = await beforeProven(domainOf(domain), () => service().given.user(by, { email }))
    const emailVerifiedAt = isVerified ? service().clock.now() : null
    await service().database.system().updateTable('users').set({ emailVerifiedAt }).where('id', '=', user.id).execute()
    return user
  }
  const { own, other } = world
  switch (holder) {
    case 'none':
      return undefined
    case 'nobody':
      return email
    case 'user':
      return (await create(own.owner)).email
    case 'stranger':
      return (await create(other.owner)).email
    case 'owner':
      return own.owner.email
    case 'owner of another':
      return other.owner.email
    case 'blocked': {
      const { id } = await create(own.owner)
      await service().database.system().updateTable('users').set({ blockedAt: service().clock.now() }).where('id', '=', id).execute()
      return email
    }
    case 'deleted': {
      const { id } = await create(own.owner)
      expect(await own.owner.delete(`/v1/admin/users/${id}`)).toMatchObject({ status: 204 })
      return email
    }
  }
}

/** The accounts that have signed in. */
const known: { chosen: Setting; subject: string }[] = []

/** One sign-in, and all that it has changed. */
async function arrive(asked: Setting, arrived: Arrival) {
  const { chosen, subject } = (arrived.isKnown && known.at(-1)) || { chosen: asked, subject: `sub-${unique()}` }
  const connectionId = await connectionWith(chosen)
  const address = await addressOf(arrived)
  const email = arrived.inCapitals ? address?.toUpperCase() : address
  provider.behaviour.user = { sub: subject, ...(email !== undefined && { email }), email_verified: arrived.says }
  const system = service().database.system()
  const holderBefore =
    address === undefined ? undefined : await system.selectFrom('users').selectAll().where('email', '=', address).executeTakeFirst()
  const [linkedBefore] = await identitiesOf(connectionId, subject)

  const answer = await signInBy(service(), provider, connectionId)

  const sessions = (await allSessions()).filter(({ id }) => !world.sessions.has(id))
  for (const { id } of sessions) world.sessions.add(id)
  const [linked] = await identitiesOf(connectionId, subject)
  if (sessions.length > 0) known.push({ chosen, subject })
  return { chosen, answer, address, holderBefore, linkedBefore, linked, sessions }
}

/** Whether the connection proves the address, by the words of the documents. */
function isProven({ emailTrust }: Setting, { says, domain, holder }: Arrival): boolean {
  if (emailTrust === 'verified_claim') return says === true
  const isOfOwn = (domain === 'assigned' || domain === 'verified') && holder !== 'owner' && holder !== 'owner of another'
  return emailTrust === 'verified_domain' && isOfOwn
}

describe('a sign-in by any connection', () => {
  it('reaches no user of another organisation, not the owner, and no user whose address was not proven', async () => {
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(setting, arrival, async (asked, arrived) => {
        const { chosen, answer, address, holderBefore, linkedBefore, linked, sessions } = await arrive(asked, arrived)

        expect(answer.status).toBeLessThan(500)
        const outcome = sessions.length > 0 ? (linkedBefore ? 'known' : holderBefore ? 'linked' : 'created') : 'none'
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        // Every user who is linked is signed in by it, and no user is signed in without.
        expect(sessions.length).toBeLessThanOrEqual(1)
        const [session] = sessions
        if (!session) {
          expect(linked).toEqual(linkedBefore)
          return
        }
        expect(linked?.userId).toBe(session.userId)
        expect(session.organisationId).toBe(world.own.id)
        expect(session.userId).not.toBe(world.own.owner.id)
        const reached = await service()
          .database.system()
          .selectFrom('users')
          .selectAll()
          .where('id', '=', session.userId)
          .executeTakeFirstOrThrow()
        expect([reached.organisationId, reached.blockedAt, reached.deletedAt]).toEqual([world.own.id, null, null])
        if (linkedBefore) {
          expect(session.userId).toBe(linkedBefore.userId)
          return
        }

        expect(isProven(chosen, arrived)).toBe(true)
        expect(reached.email).toBe(address)
        const isAssigned = chosen.hasDomain && arrived.domain === 'assigned'
        if (holderBefore) {
          expect(holderBefore.id).toBe(session.userId)
          expect(chosen.linking ?? (isAssigned ? 'automatic' : 'confirm')).toBe('automatic')
          expect(arrived.isVerified || isAssigned).toBe(true)
        } else {
          expect(chosen.provisioning).toBe('jit')
          const isAllowed = chosen.allowedDomains?.some((one) => one === '*' || address?.endsWith(`@${one}`)) ?? false
          expect(isAllowed || arrived.domain === 'assigned' || arrived.domain === 'verified').toBe(true)
        }
      }),
      { numRuns: cases, seed: 20_261_122, endOnFailure: true },
    )
    // The cases reach every outcome: else they would prove nothing.
    for (const outcome of ['none', 'known', 'linked', 'created'])
      expect([outcome, outcomes.get(outcome) ?? 0]).toEqual([outcome, atLeastTen])

    const system = service().database.system()
    const strangers = await system.selectFrom('identities').selectAll().where('organisationId', '!=', world.own.id).execute()
    const owners = await system.selectFrom('identities').selectAll().where('userId', '=', world.own.owner.id).execute()
    expect([strangers, owners]).toEqual([[], []])
  })
})
