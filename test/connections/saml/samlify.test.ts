import { beforeAll, describe, expect, it } from 'vitest'
import { checkResponse } from '../../../src/connections/saml/check-response.ts'
import { authnRequest, redirectUrlOf } from '../../../src/connections/saml/messages.ts'
import { readMetadata } from '../../../src/connections/saml/read-metadata.ts'
import { signMetadata } from '../../../src/connections/saml/sign.ts'
import { type SamlProvider, samlProvider } from '../../support/saml-provider.ts'
import { type SamlifyProvider, samlifyProvider } from '../../support/samlify-provider.ts'

const now = new Date('2026-11-26T12:00:00Z')
const entityId = 'https://id.test/saml/con_1/metadata'
const acsUrl = 'https://id.test/saml/con_1/acs'

let provider: SamlifyProvider
let encrypting: SamlifyProvider
let signing: SamlProvider
let encryption: SamlProvider
let ownMetadata: string

beforeAll(async () => {
  ;[provider, encrypting, signing, encryption] = await Promise.all([
    samlifyProvider({ now: () => now }),
    samlifyProvider({ now: () => now, encrypts: true }),
    samlProvider(),
    samlProvider(),
  ])
  const described = {
    entityId,
    acsUrl,
    sloUrl: undefined,
    signingCertificates: [signing.certificate],
    encryptionCertificates: [encryption.certificate],
  }
  ownMetadata = signMetadata(described, signing.privateKey)
})

const request = (destination: string) => ({ id: '_request1', issuedAt: now, destination, issuer: entityId, acsUrl, isNewSignIn: true })

const expected = ({ metadata }: SamlifyProvider) => {
  const { entityId: issuer, certificates } = readMetadata(metadata, { entityId: undefined, now, allowsLoopback: false })
  return {
    issuer,
    certificates: certificates.map(({ certificate }) => certificate),
    audience: entityId,
    acsUrl,
    requestId: '_request1',
    acceptsSignedResponse: false,
    subjectAttribute: undefined,
    decryptionKeys: [encryption.privateKey],
    now,
  }
}

describe('samlify as the identity provider', () => {
  it('has metadata that are read', () => {
    expect(readMetadata(provider.metadata, { entityId: undefined, now, allowsLoopback: false })).toMatchObject({
      entityId: 'https://samlify.test/metadata',
      singleSignOn: 'https://samlify.test/sso',
      certificates: [{ fingerprint: expect.stringMatching(/^[\da-f]{64}$/) }],
      certificatesLeftOut: 0,
      wantsSignedRequests: true,
    })
  })

  it('verifies a request by the Redirect binding with the certificate of our metadata', async () => {
    const message = { kind: 'SAMLRequest', xml: authnRequest(request(provider.ssoUrl)), relayState: 'state' } as const
    const url = redirectUrlOf(provider.ssoUrl, message, { privateKey: signing.privateKey })

    expect(await provider.readRequest(ownMetadata, url)).toEqual({
      id: '_request1',
      destination: provider.ssoUrl,
      acsUrl,
      issuer: entityId,
    })
    const other = redirectUrlOf(provider.ssoUrl, message, { privateKey: encryption.privateKey })
    await expect(provider.readRequest(ownMetadata, other)).rejects.toThrow()
  })

  it('sends a response that is accepted, plain and encrypted', async () => {
    const user = { nameId: 'anna', email: 'anna@acme.test', groups: ['a', 'b'] }
    for (const one of [provider, encrypting]) {
      const identity = checkResponse(await one.respond(ownMetadata, '_request1', user), expected(one))

      expect(identity).toMatchObject({ nameId: { value: 'anna' }, attributes: { email: ['anna@acme.test'], groups: ['a', 'b'] } })
    }
  })
})
