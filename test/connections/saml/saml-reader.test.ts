import { afterEach, describe, expect, it } from 'vitest'
import type { ExpectedSamlResponse } from '../../../src/connections/saml/identity.ts'
import { createSamlReader, type SamlReader } from '../../../src/connections/saml/saml-reader.ts'
import { UpstreamRefusal } from '../../../src/connections/upstream/checks.ts'
import { samlProvider } from '../../support/saml-provider.ts'

const expected: ExpectedSamlResponse = {
  issuer: 'https://idp.test',
  certificates: [],
  audience: 'https://id.test',
  acsUrl: 'https://id.test/acs',
  requestId: '_1',
  acceptsSignedResponse: false,
  subjectAttribute: undefined,
  decryptionKeys: [],
  now: new Date(),
}
const limits = { taskMilliseconds: 10_000, longestMilliseconds: 100_000, heapMebibytes: 64, waitingMax: 100, idleMilliseconds: 60_000 }

let reader: SamlReader | undefined
afterEach(() => reader?.close())

const refusedWith = (code: string) => (error: unknown) => {
  if (!(error instanceof UpstreamRefusal)) throw error
  expect(error.checks.filter(({ passed }) => !passed)).toMatchObject([{ code }])
}
const accepted = () => {
  throw new Error('It was accepted')
}

describe('the thread that reads XML', () => {
  it('refuses as the checks do, and does one task after another', async () => {
    reader = createSamlReader(limits)
    const tasks = ['', '!', Buffer.from('<a/>').toString('base64')].map((message) =>
      reader?.run('org_a', 'checkResponse', message, expected),
    )

    await Promise.all([
      tasks[0]?.then(accepted, refusedWith('encoding')),
      tasks[1]?.then(accepted, refusedWith('encoding')),
      tasks[2]?.then(accepted, refusedWith('root')),
    ])
  })

  it('signs what it is given', async () => {
    reader = createSamlReader(limits)
    const { privateKey, certificate } = await samlProvider()
    const described = { entityId: 'https://id.test', acsUrl: 'https://id.test/acs', sloUrl: undefined }
    const metadata = { ...described, signingCertificates: [certificate], encryptionCertificates: [certificate] }

    expect(await reader.run('org_a', 'signMetadata', metadata, privateKey)).toContain('<ds:SignatureValue>')
  })

  it('is ended when a task takes too long, and the next task has a new one', async () => {
    const { privateKey, certificate } = await samlProvider()
    // Seconds of work, so that none of it is done before the limit is noticed.
    const entityId = '&'.repeat(5_000_000)
    const metadata = { entityId, acsUrl: '', sloUrl: undefined, signingCertificates: [certificate], encryptionCertificates: [] }
    for (const short of [{ taskMilliseconds: 0 }, { longestMilliseconds: 0 }]) {
      const hurried = createSamlReader({ ...limits, heapMebibytes: 1_024, ...short })
      const slow = () => hurried.run('org_a', 'signMetadata', metadata, privateKey)

      await slow().then(accepted, refusedWith('resources'))
      await slow().then(accepted, refusedWith('resources'))
      await hurried.close()
    }
  })

  it('asks to come back when more than may wait are waiting', async () => {
    reader = createSamlReader({ ...limits, waitingMax: 1 })
    const first = reader.run('org_a', 'checkResponse', '', expected).then(accepted, refusedWith('encoding'))

    await expect(reader.run('org_a', 'checkResponse', '', expected)).rejects.toMatchObject({ slug: 'service-unavailable' })
    await first
  })

  it('gives each organisation its turn, and room to one that comes although another has filled it', async () => {
    reader = createSamlReader({ ...limits, waitingMax: 4 })
    const done: string[] = []
    const ask = (organisationId: string) =>
      reader?.run(organisationId, 'checkResponse', '', expected).then(accepted, (error: unknown) => {
        done.push(error instanceof UpstreamRefusal ? organisationId : `${organisationId} is refused`)
      })

    await Promise.all(['org_a', 'org_a', 'org_a', 'org_a', 'org_a', 'org_b', 'org_b'].map(ask))

    expect(done).toEqual(['org_a is refused', 'org_a is refused', 'org_a is refused', 'org_a', 'org_b', 'org_a', 'org_b'])
  })

  it('fails what is under way when the service stops', async () => {
    reader = createSamlReader(limits)
    const task = reader.run('org_a', 'checkResponse', '', expected)
    await Promise.all([reader.close(), expect(task).rejects.toThrow('The service is stopping')])
  })
})
