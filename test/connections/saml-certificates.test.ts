import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionsToRefresh } from '../../src/connections/federation/queries.ts'
import { warnOfCertificates } from '../../src/connections/federation/warn-of-certificates.ts'
import { secondsAfter } from '../../src/platform/clock.ts'
import type { Query } from '../../src/platform/database/engine.ts'
import { freshEngine } from '../support/database.ts'
import { unique } from '../support/given.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { samlProvider } from '../support/saml-provider.ts'
import { startTestService, type TestService } from '../support/service.ts'

// The task reads the connections of all organisations, and the clock moves by months.
let engine: RecordingEngine
let service: TestService
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine })
})
afterAll(() => service?.stop())
const path = '/v1/admin/connections'

const inDays = (days: number) => secondsAfter(service.clock.now(), days * 86_400)
const certificateFor = async (days: number) => (await samlProvider({ notAfterDate: inDays(days) })).certificate
const byHand = async (...days: number[]) => ({
  entityId: 'https://idp.test/metadata',
  ssoUrl: 'https://idp.test/sso',
  certificates: await Promise.all(days.map(certificateFor)),
})

/** Metadata with as many certificates, which expire a day after each other. */
async function metadataOf(certificates: number, more = ''): Promise<string> {
  const all = await Promise.all(Array.from({ length: certificates }, (_one, number) => certificateFor(100 + number)))
  const keys = all.map(
    (one) =>
      `<KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${one.replaceAll(/-----[A-Z ]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  )
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/metadata" ${more}><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/></IDPSSODescriptor></EntityDescriptor>`
}

async function connected(configuration: object, fields: object = {}) {
  const organisation = await service.given.organisation()
  const sent = { name: 'Workforce', slug: `saml-${unique()}`, provider: 'saml', configuration, ...fields }
  const { status, body } = await organisation.owner.post(path, sent)
  expect([status, body.errors]).toEqual([201, undefined])
  // The session of before has ended by then.
  const signedIn = () => service.given.signIn(organisation.owner.email)
  return {
    ...organisation,
    connection: body,
    statusOf: async () => (await (await signedIn()).get(`${path}/${body.id}`)).body.status,
    change: async (changes: object) => (await signedIn()).patch(`${path}/${body.id}`, changes),
    warnings: async () => {
      const entries = await (await signedIn()).audit({ action: 'connection.certificate_expiring' })
      return entries.map(({ metadata }: { metadata: { days: number } }) => metadata.days)
    },
    mails: () => service.mailbox.mails.filter(({ to, subject }) => to === `it@${organisation.slug}.test` && subject.includes('expire')),
  }
}

const run = () => warnOfCertificates(service.services).run(service.database)

describe('the last certificate of a connection', () => {
  it('is warned of 30 and 7 days before it expires, once each, in the audit log and by mail to the contact of the organisation', async () => {
    const { warnings, mails, statusOf } = await connected(await byHand(31))
    await run()
    expect([await warnings(), mails()]).toEqual([[], []])
    expect(await statusOf()).toMatchObject({ certificatesExpireAt: null })

    service.clock.advance({ days: 1 })
    await run()
    await run()
    expect(await warnings()).toEqual([30])
    expect(mails()).toMatchObject([{ text: expect.stringContaining('Workforce') }])
    expect(await statusOf()).toMatchObject({ state: 'ok', certificatesExpireAt: expect.any(String) })

    service.clock.advance({ days: 23 })
    await Promise.all([run(), run()])
    expect(await warnings()).toEqual([7, 30])
    service.clock.advance({ days: 10 })
    await run()
    expect(await warnings()).toEqual([7, 30])
    expect(mails()).toHaveLength(2)
    // Its key counts on.
    expect(await statusOf()).toMatchObject({ state: 'ok', certificatesExpireAt: expect.any(String) })
  })

  it('is not the first: while another one is valid for longer, no administrator is warned', async () => {
    const { warnings, statusOf } = await connected(await byHand(5, 300))
    await run()

    expect(await warnings()).toEqual([])
    expect(await statusOf()).toMatchObject({ certificatesExpireAt: null })
  })

  it('is warned of anew when it has been replaced by one that expires soon, too', async () => {
    const { warnings, change } = await connected(await byHand(20))
    await run()
    await change({ configuration: await byHand(25) })
    await run()

    expect(await warnings()).toEqual([30, 30])
  })

  it('is not warned of while the connection is inactive', async () => {
    const { warnings } = await connected(await byHand(20), { isActive: false })
    await run()

    expect(await warnings()).toEqual([])
  })
})

describe('the status of a connection', () => {
  it('says 30 days before until when the metadata of the provider are valid', async () => {
    const { statusOf } = await connected({ metadataXml: await metadataOf(1, `validUntil="${inDays(31).toISOString()}"`) })
    expect(await statusOf()).toMatchObject({ metadataExpireAt: null })

    service.clock.advance({ days: 2 })
    expect(await statusOf()).toMatchObject({ metadataExpireAt: expect.any(String) })
  })

  it('says how many certificates of the metadata are not trusted, until others are entered', async () => {
    const { statusOf, change, connection } = await connected({ metadataXml: await metadataOf(7) })
    expect(connection.certificates).toHaveLength(5)
    expect(await statusOf()).toMatchObject({ certificatesLeftOut: 2 })

    await change({ name: 'Staff', configuration: { subjectAttribute: 'employeeNumber' } })
    expect(await statusOf()).toMatchObject({ certificatesLeftOut: 2 })
    await change({ configuration: { metadataXml: await metadataOf(6) } })
    expect(await statusOf()).toMatchObject({ certificatesLeftOut: 1 })
    await change({ configuration: await byHand(300) })
    expect(await statusOf()).toMatchObject({ certificatesLeftOut: 0 })
  })
})

describe('the connections whose documents are due', () => {
  it('are found by an index, whatever their provider is', async () => {
    const { database } = service
    engine.statements.length = 0
    await connectionsToRefresh(database.system(), database.clock.now(), 1)
    const query = engine.statements.find(({ query: { sql } }) => sql.includes('documents_checked_at'))?.query as Query
    const rows = await engine.ownerTransaction(async (transaction) => {
      // The tables of a test are so small that reading them whole costs least.
      for (const way of ['seqscan', 'sort']) await transaction.execute(CompiledQuery.raw(`set local enable_${way} = off`))
      return (await transaction.execute(CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]))).rows
    })

    expect(JSON.stringify(rows)).toContain('connections_with_documents_index')
  })
})
