import { describe, expect, it } from 'vitest'
import { checkDomains } from '../../src/domains/check-domains.ts'
import { findVerifiedDomain } from '../../src/domains/queries.ts'
import { TestDnsServer } from '../support/dns-server.ts'
import { addDomain, insertConnection, publish, verifiedDomain } from '../support/domains.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const secondServer = await TestDnsServer.start()
const firstServer = await TestDnsServer.start()
const ofTwoServers = useService({ environment: { DNS_SERVERS: `${firstServer.address}, ${secondServer.address}` } })

const statusOf = async (owner: { get(path: string): Promise<{ body: { data: object[] } }> }) =>
  (await owner.get('/v1/admin/domains')).body.data[0]

describe('the verification of a domain', () => {
  it('gives no domain to an administrator who has been blocked while the DNS was asked', async () => {
    const { owner } = await service().given.organisation()
    const admin = await service().given.userWith(owner, ['domains:update'])
    const domain = await addDomain(owner)
    const { name, value } = domain.challenge
    service().dns.set(name, { texts: [value], afterMilliseconds: 900 })

    const verifying = admin.post(`/v1/admin/domains/${domain.id}/verify`)
    await expect.poll(() => service().dns.questions.some((question) => question.name === name)).toBe(true)
    await owner.patch(`/v1/admin/users/${admin.id}`, { blockedAt: new Date().toISOString() })

    expect(await verifying).toMatchObject({ status: 401 })
    expect(await statusOf(owner)).toMatchObject({ status: 'pending' })
  })

  it('finds the record among others', async () => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    service().dns.set(domain.challenge.name, { texts: ['v=spf1 -all', domain.challenge.value] })

    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({
      status: 200,
      body: { id: domain.id, status: 'verified', verifiedAt: expect.any(String), checkedAt: expect.any(String), failingSince: null },
    })
    expect(await findVerifiedDomain(service().database, domain.domain)).toMatchObject({ id: domain.id, sso: 'off', bypassUserIds: [] })
  })

  it('asks by TCP when the answer does not fit', async () => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    const { name, value } = domain.challenge
    service().dns.set(name, { texts: [...Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(200)}`), value] })

    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 200 })
    expect(
      service()
        .dns.questions.filter((question) => question.name === name)
        .map(({ over }) => over),
    ).toEqual(['udp', 'tcp'])
  })

  it('waits for a slow answer', async () => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    service().dns.set(domain.challenge.name, { texts: [domain.challenge.value], afterMilliseconds: 300 })

    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 200 })
  })

  it.each([
    ['absent', undefined, { status: 'NXDOMAIN', records: [] }],
    ['of no text', { texts: [] }, { status: 'NODATA', records: [] }],
    ['wrong', { texts: ['gatehouse-domain=another'] }, { status: 'NOERROR', records: ['gatehouse-domain=another'] }],
    ['failing', { status: 'SERVFAIL' }, { status: 'SERVFAIL', records: [] }],
    ['refused', { status: 'REFUSED' }, { status: 'REFUSED', records: [] }],
    ['silent', { isSilent: true }, { status: 'TIMEOUT', records: [] }],
  ] as const)('says what the DNS answered when the record is %s', async (_, behaviour, answer) => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    if (behaviour) service().dns.set(domain.challenge.name, behaviour)

    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({
      status: 400,
      body: { detail: 'The record was not found', code: 'domain-record-not-found', answers: [answer] },
    })
    expect(await statusOf(owner)).toEqual(domain)
    expect(await findVerifiedDomain(service().database, domain.domain)).toBeUndefined()
    expect(await owner.audit({ action: 'domain.verified' })).toEqual([])
  })

  it('does not take a record that holds more or less than the value', async () => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    const { name, value } = domain.challenge
    service().dns.set(name, { texts: [`${value}x`, value.slice(0, -1), value.toUpperCase(), ` ${value}`] })

    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 400 })
  })

  it('is possible thirty times an hour for an organisation', async () => {
    const { owner } = await service().given.organisation()
    const { owner: other } = await service().given.organisation()
    const { id } = await addDomain(owner)
    const path = `/v1/admin/domains/${id}/verify`
    for (let time = 0; time < 30; time++) expect(await owner.post(path)).toMatchObject({ status: 400 })

    expect(await owner.post(path)).toMatchObject({ status: 429, body: { code: 'too-many-domain-verifications' } })
    expect(await verifiedDomain(service(), other)).toMatchObject({ status: 'verified' })
  })

  it('makes one organisation the owner, of twenty concurrent ones by two', async () => {
    const { owner: first } = await service().given.organisation()
    const { owner: second } = await service().given.organisation()
    const one = await addDomain(first)
    const two = await addDomain(second, { domain: one.domain })
    service().dns.set(one.challenge.name, { texts: [one.challenge.value, two.challenge.value] })

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? first.post(`/v1/admin/domains/${one.id}/verify`) : second.post(`/v1/admin/domains/${two.id}/verify`),
      ),
    )

    const statuses = [0, 1].map((half) => [...new Set(answers.filter((_, n) => n % 2 === half).map(({ status }) => status))])
    expect(statuses.toSorted()).toEqual([[200], [409]])
    const refused = answers.filter(({ status }) => status === 409)
    expect(new Set(refused.map(({ body }) => body.detail))).toEqual(new Set(['Domain is verified by another organisation']))
    const shown = [await statusOf(first), await statusOf(second)].map((domain) => (domain as { status: string }).status)
    expect(shown.toSorted()).toEqual(['pending', 'verified'])
    const entries = await Promise.all([first, second].map((owner) => owner.get('/v1/admin/audit-logs?action=domain.verified')))
    expect(entries.map(({ body }) => body.data.length).toSorted()).toEqual([0, 1])
  })

  it('tells that another organisation has the domain only to one that has proven it', async () => {
    const { owner } = await service().given.organisation()
    const { owner: other } = await service().given.organisation()
    const { domain } = await verifiedDomain(service(), owner)
    const wanted = await addDomain(other, { domain })

    expect(await other.post(`/v1/admin/domains/${wanted.id}/verify`)).toMatchObject({
      status: 400,
      body: { code: 'domain-record-not-found' },
    })
    publish(service(), wanted)
    expect(await other.post(`/v1/admin/domains/${wanted.id}/verify`)).toMatchObject({ status: 409 })
  })

  it('again neither changes when the domain was proven nor is an event', async () => {
    const { owner } = await service().given.organisation()
    const domain = await verifiedDomain(service(), owner)
    service().clock.advance({ minutes: 5 })

    const again = await owner.post(`/v1/admin/domains/${domain.id}/verify`)

    const { checkedAt, ...before } = domain as typeof domain & { checkedAt: string }
    expect(again).toMatchObject({ status: 200, body: before })
    expect(again.body.checkedAt > checkedAt).toBe(true)
    expect(await owner.audit({ action: 'domain.verified' })).toHaveLength(1)
  })
})

describe('two name servers', () => {
  it.each([
    ['both have the record', 'has', 'has', 200],
    ['one fails', 'has', 'fails', 200],
    ['the other fails', 'fails', 'has', 200],
    ['one does not have it', 'has', 'has not', 400],
    ['the other does not have it', 'has not', 'has', 400],
    ['both fail', 'fails', 'fails', 400],
  ] as const)('decide together when %s', async (_, first, second, status) => {
    const { owner } = await ofTwoServers().given.organisation()
    const { id, challenge } = await addDomain(owner)
    for (const [server, says] of [
      [firstServer, first],
      [secondServer, second],
    ] as const) {
      if (says === 'has') server.set(challenge.name, { texts: [challenge.value] })
      if (says === 'fails') server.set(challenge.name, { status: 'SERVFAIL' })
    }

    const answer = await owner.post(`/v1/admin/domains/${id}/verify`)

    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.answers).toHaveLength(2)
  })
})

describe('the daily check of a domain', () => {
  const check = () => checkDomains(service().services.findChallenge).run(service().database)

  it('notes a missing record, and forgets it once the record is back', async () => {
    const { owner } = await service().given.organisation()
    const domain = await verifiedDomain(service(), owner)
    service().dns.remove(domain.challenge.name)
    service().clock.advance({ hours: 23 })
    await check()
    expect(await statusOf(await service().given.signIn(owner.email))).toEqual(domain)

    service().clock.advance({ hours: 2 })
    await check()
    expect(await statusOf(await service().given.signIn(owner.email))).toMatchObject({
      status: 'verified',
      failingSince: expect.any(String),
    })

    service().clock.advance({ days: 6 })
    publish(service(), domain)
    await check()
    expect(await statusOf(await service().given.signIn(owner.email))).toMatchObject({ status: 'verified', failingSince: null })
  })

  it('lets a domain lapse after seven days, and no longer requires single sign-on of its users', async () => {
    const { owner, id } = await service().given.organisation()
    const connectionId = await insertConnection(service(), id)
    const domain = await verifiedDomain(service(), owner, { connectionId, sso: 'required' })
    service().dns.set(domain.challenge.name, { status: 'SERVFAIL' })
    for (let day = 0; day < 8; day++) {
      service().clock.advance({ days: 1 })
      await check()
      const found = await findVerifiedDomain(service().database, domain.domain)
      // The first failed check is a day after the verification.
      expect([day, found?.sso]).toEqual([day, day < 7 ? 'required' : undefined])
    }

    const reader = await service().given.signIn(owner.email)
    expect((await reader.get('/v1/admin/domains')).body.data).toMatchObject([{ status: 'lapsed', sso: 'offered', connectionId }])
    const { body } = await reader.get('/v1/admin/audit-logs?action=domain.lapsed')
    expect(body.data).toMatchObject([{ actor: { type: 'system' }, target: { id: domain.id } }])
    await check()
    expect(await reader.audit({ action: 'domain.lapsed' })).toHaveLength(1)
  })

  it('gives a lapsed domain back to its organisation, or to the first other one that proves it', async () => {
    const { owner, id } = await service().given.organisation()
    const { owner: other } = await service().given.organisation()
    const domain = await verifiedDomain(service(), owner)
    const lapse = () => service().database.tenant(id).updateTable('organisationDomains').set({ status: 'lapsed' }).execute()
    await lapse()
    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 200, body: { status: 'verified' } })
    await lapse()

    const taken = await addDomain(other, { domain: domain.domain })
    service().dns.set(domain.challenge.name, { texts: [taken.challenge.value, domain.challenge.value] })
    expect(await other.post(`/v1/admin/domains/${taken.id}/verify`)).toMatchObject({ status: 200 })

    expect(await statusOf(owner)).toMatchObject({ status: 'pending' })
    expect(await owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 409 })
  })

  describe('while its organisation is cancelled', () => {
    const cancel = (id: string) => service().operator.delete(`/v1/system/organisations/${id}`)
    const restore = (id: string) => service().operator.post(`/v1/system/organisations/${id}/restore`)

    it('is not made, so that the domain is what it was once the organisation is restored, and the week begins then', async () => {
      const { owner, id } = await service().given.organisation()
      const domain = await verifiedDomain(service(), owner, { connectionId: await insertConnection(service(), id), sso: 'required' })
      const found = () => findVerifiedDomain(service().database, domain.domain)
      service().dns.remove(domain.challenge.name)
      service().clock.advance({ days: 1 })
      await check()
      expect(await cancel(id)).toMatchObject({ status: 204 })
      for (let day = 0; day < 10; day++) {
        service().clock.advance({ days: 1 })
        await check()
      }
      expect(await restore(id)).toMatchObject({ status: 200 })

      expect(await found()).toMatchObject({ sso: 'required' })
      await check()
      service().clock.advance({ days: 6 })
      await check()
      expect(await found()).toMatchObject({ sso: 'required' })
      service().clock.advance({ days: 1 })
      await check()
      expect(await found()).toBeUndefined()
    })

    it('is not needed for another organisation to prove the domain, which then has it', async () => {
      const { owner, id } = await service().given.organisation()
      const { owner: other } = await service().given.organisation()
      const connectionId = await insertConnection(service(), id)
      const domain = await verifiedDomain(service(), owner, { connectionId, sso: 'required' })
      const taken = await addDomain(other, { domain: domain.domain })
      service().dns.set(domain.challenge.name, { texts: [taken.challenge.value, domain.challenge.value] })
      const verify = () => other.post(`/v1/admin/domains/${taken.id}/verify`)
      expect(await verify()).toMatchObject({ status: 409 })

      await cancel(id)
      expect(await verify()).toMatchObject({ status: 200, body: { status: 'verified' } })

      await restore(id)
      const again = await service().given.signIn(owner.email)
      expect(await statusOf(again)).toMatchObject({ status: 'pending', sso: 'offered', connectionId })
      expect(await again.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 409 })
      expect(await again.audit({ action: 'domain.updated' })).toMatchObject([
        { changes: { status: { from: 'verified', to: 'pending' }, sso: { from: 'required', to: 'offered' } } },
      ])

      // Proven again months later, it requires nothing until an administrator has said so anew.
      expect(await other.delete(`/v1/admin/domains/${taken.id}`)).toMatchObject({ status: 204 })
      expect(await again.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({
        status: 200,
        body: { status: 'verified', sso: 'offered' },
      })
    })
  })
})
