import { beforeAll, describe, expect, it } from 'vitest'
import { expiryOf, trustedCertificate, trustedOf, warningDueOf } from '../../../src/connections/saml/certificates.ts'
import { metadataBytesMax, readMetadata } from '../../../src/connections/saml/read-metadata.ts'
import { UpstreamRefusal } from '../../../src/connections/upstream/checks.ts'
import { at, base64Of, type SamlProvider, samlProvider, unreadable } from '../../support/saml-provider.ts'

const now = new Date('2026-11-26T12:00:00Z')
let provider: SamlProvider
let other: SamlProvider
let weak: SamlProvider

beforeAll(async () => {
  ;[provider, other, weak] = await Promise.all([samlProvider(), samlProvider(), samlProvider({ keySize: 1024 })])
})

const key = (one: SamlProvider, use = ' use="signing"') =>
  `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64Of(one)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`
const service = (location: string, binding = 'HTTP-Redirect') =>
  `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`

interface Described {
  entityId?: string
  attributes?: string
  keys?: string
  services?: string
  protocol?: string
}

const namespace = 'xmlns="urn:oasis:names:tc:SAML:2.0:metadata"'

function entity({ entityId = provider.entityId, attributes = '', keys, services, protocol }: Described = {}): string {
  const speaks = protocol ?? 'urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol'
  return `<EntityDescriptor ${namespace} entityID="${entityId}" ${attributes}><!-- a licence --><IDPSSODescriptor protocolSupportEnumeration="${speaks}">${keys ?? key(provider)}${services ?? service('https://idp.test/sso')}</IDPSSODescriptor></EntityDescriptor>`
}

const read = (document: string, entityId?: string, allowsLoopback = false) => readMetadata(document, { entityId, now, allowsLoopback })

function failedOf(document: string, entityId?: string): string[] {
  try {
    read(document, entityId)
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error.checks.filter(({ passed }) => !passed).map(({ code }) => code)
    throw error
  }
  return []
}

describe('metadata of an identity provider', () => {
  it('say who it is, where it signs users in, and by which certificates', () => {
    const fingerprint = trustedCertificate(provider.certificate)?.fingerprint

    expect(read(`\ufeff<?xml version="1.0" encoding="UTF-8"?>\r\n${entity({ attributes: `validUntil="${at(now, 60)}"` })}`)).toMatchObject({
      entityId: provider.entityId,
      singleSignOn: 'https://idp.test/sso',
      certificates: [{ fingerprint }],
      wantsSignedRequests: false,
      validUntil: new Date(at(now, 60)),
    })
  })

  it('may have several certificates, for signatures alone, each of which counts once', () => {
    const keys = key(provider) + key(provider, '') + key(other, '') + key(other, ' use="encryption"')

    expect(read(entity({ keys })).certificates).toHaveLength(2)
    expect(read(entity({ keys: key(provider) + key(other, ' use="encryption"') })).certificates).toHaveLength(1)
  })

  it('leave out a certificate that is too weak, or none, while there is another', () => {
    const broken = key(other).replace(/(X509Certificate>)[^<]*/, '$1nothing')

    const others = (['end', 'key'] as const).map((what) => key({ ...other, certificate: unreadable(other, what) }))
    expect(read(entity({ keys: key(weak) + broken + others.join('') + key(provider) })).certificates).toHaveLength(1)
  })

  it('of a federation are read for the provider that the connection has', () => {
    const both = `<EntitiesDescriptor ${namespace}>${entity()}${entity({ entityId: 'https://other.test' })}</EntitiesDescriptor>`

    expect(read(both, 'https://other.test').entityId).toBe('https://other.test')
    expect(failedOf(both)).toEqual(['metadata'])
    expect(read(`<EntitiesDescriptor ${namespace}>${entity()}</EntitiesDescriptor>`).entityId).toBe(provider.entityId)
  })

  it('may name this machine by http in development alone', () => {
    const services = service('http://localhost:8080/sso')

    expect(failedOf(entity({ services }))).toEqual(['single_sign_on'])
    expect(read(entity({ services }), undefined, true).singleSignOn).toBe('http://localhost:8080/sso')
  })

  it.each<[string, () => string, string[]]>([
    ['are no XML', () => 'entityID', ['well_formed']],
    ['have a document type', () => `<!DOCTYPE a [<!ENTITY b "c">]>${entity()}`, ['markup']],
    ['are larger than 2 MiB', () => `${entity()}<!--${'a'.repeat(metadataBytesMax)}-->`, ['size']],
    ['are another document', () => '<html/>', ['metadata']],
    ['are of a service provider', () => entity().replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), ['metadata']],
    ['speak SAML 1.1 alone', () => entity({ protocol: 'urn:oasis:names:tc:SAML:1.1:protocol' }), ['metadata']],
    ['have no entity id', () => entity({ entityId: '' }), ['entity_id']],
    ['have ended', () => entity({ attributes: `validUntil="${at(now, 0)}"` }), ['valid_until']],
    ['have an end that cannot be read', () => entity({ attributes: 'validUntil="soon"' }), ['valid_until']],
    ['sign in nowhere', () => entity({ services: '' }), ['single_sign_on']],
    ['sign in by http', () => entity({ services: service('http://idp.test/sso') }), ['single_sign_on']],
    ['sign in by a script', () => entity({ services: service('javascript:alert(1)') }), ['single_sign_on']],
    ['sign in with a password in the address', () => entity({ services: service('https://a:b@idp.test/') }), ['single_sign_on']],
    ['sign in by another binding', () => entity({ services: service('https://idp.test/sso', 'SOAP') }), ['single_sign_on']],
    ['have no certificate', () => entity({ keys: '' }), ['certificates']],
    ['have none that is strong enough', () => entity({ keys: key(weak) }), ['certificates']],
  ])('that %s are refused', (_name, document, checks) => {
    expect(failedOf(document())).toEqual(checks)
  })

  it('have the address for the Redirect binding, and that for the POST binding where there is no other', () => {
    const [byForm, inAddress] = [service('https://idp.test/post', 'HTTP-POST'), service('https://idp.test/sso')]

    expect(read(entity({ services: byForm + inAddress }))).toMatchObject({ singleSignOn: 'https://idp.test/sso', binding: 'redirect' })
    expect(read(entity({ services: byForm }))).toMatchObject({ singleSignOn: 'https://idp.test/post', binding: 'post' })
  })

  it('of another provider than the connection has are refused', () => {
    expect(failedOf(entity(), 'https://other.test')).toEqual(['entity_id'])
  })
})

describe('the certificates of a connection', () => {
  const certificate = (days: number) => ({
    certificate: `${days}`,
    fingerprint: `${days}`,
    notBefore: now,
    notAfter: new Date(at(now, days * 86_400)),
  })

  it('are at most five: those that expire last', () => {
    const trusted = trustedOf([1, 7, 3, 5, 2, 6, 4, 7].map(certificate))

    expect(trusted.map(({ fingerprint }) => fingerprint)).toEqual(['7', '6', '5', '4', '3'])
  })

  it('say when they are about to expire', () => {
    expect([-1, 0, 1, 30, 31].map((days) => expiryOf(certificate(days), now))).toEqual([
      'expired',
      'expired',
      'expires_soon',
      'expires_soon',
      'valid',
    ])
  })

  it('are warned of thirty and seven days before the last of them expires', () => {
    const warningOf = (...days: number[]) => warningDueOf(days.map(certificate), now)

    expect([warningOf(31), warningOf(30), warningOf(8), warningOf(7), warningOf(1), warningOf(0)]).toEqual([undefined, 30, 30, 7, 7, 0])
    expect(warningOf(1, 365)).toBeUndefined()
    expect(warningOf()).toBeUndefined()
  })

  it('are none when a text is none, its key is too weak, or its key or its end cannot be read', () => {
    expect(trustedCertificate(unreadable(provider, 'end'))).toBeUndefined()
    expect(trustedCertificate(unreadable(provider, 'key'))).toBeUndefined()
    expect(trustedCertificate('nothing')).toBeUndefined()
    expect(trustedCertificate(provider.privateKey)).toBeUndefined()
    expect(trustedCertificate(weak.certificate)).toBeUndefined()
    expect(trustedCertificate(base64Of(provider))).toEqual(trustedCertificate(provider.certificate))
  })
})
