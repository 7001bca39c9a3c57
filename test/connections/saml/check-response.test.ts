import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkResponse } from '../../../src/connections/saml/check-response.ts'
import { messageBytesMax } from '../../../src/connections/saml/decode.ts'
import type { ExpectedSamlResponse } from '../../../src/connections/saml/identity.ts'
import { UpstreamRefusal } from '../../../src/connections/upstream/checks.ts'
import {
  type AssertionValues,
  assertionOf,
  at,
  encryptedAssertion,
  encryptedWithMixedHashes,
  enveloped,
  exclusive,
  posted,
  type ResponseValues,
  responseOf,
  type SamlProvider,
  type Signing,
  samlProvider,
  signed,
} from '../../support/saml-provider.ts'

const now = new Date('2026-11-26T12:00:00Z')
const acsUrl = 'https://id.test/saml/con_1/acs'
const audience = 'https://id.test/saml/con_1/metadata'
const requestId = '_request1'
const anna = '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">anna</saml:NameID>'

let provider: SamlProvider
let stranger: SamlProvider
let ownKey: SamlProvider

beforeAll(async () => {
  ;[provider, stranger, ownKey] = await Promise.all([samlProvider(), samlProvider(), samlProvider()])
})

const expected = (changes: Partial<ExpectedSamlResponse> = {}): ExpectedSamlResponse => ({
  issuer: provider.entityId,
  certificates: [provider.certificate],
  audience,
  acsUrl,
  requestId,
  acceptsSignedResponse: false,
  subjectAttribute: undefined,
  decryptionKeys: [ownKey.privateKey],
  now,
  ...changes,
})

const assertion = (changes: Partial<AssertionValues> = {}) =>
  assertionOf({
    id: '_assertion1',
    issuer: provider.entityId,
    nameId: anna,
    recipient: acsUrl,
    audience,
    inResponseTo: requestId,
    now,
    attributes: { email: ['anna@acme.test'] },
    ...changes,
  })

const response = (content: string, changes: Partial<ResponseValues> = {}) =>
  responseOf({ id: '_response1', issuer: provider.entityId, destination: acsUrl, now, ...changes }, content)

const statementAt = (instant: string) => `<saml:AuthnStatement AuthnInstant="${instant}"/>`

/** A response with a signed assertion, as the provider sends it. */
const good = (changes: Partial<AssertionValues> = {}, signing: Partial<Signing> = {}) =>
  signed(provider, response(assertion(changes)), { id: '_assertion1', ...signing })

const signedResponse = (content = assertion()) => signed(provider, response(content), { id: '_response1' })

function refusalOf(xml: string, changes: Partial<ExpectedSamlResponse> = {}, message = posted(xml)): UpstreamRefusal {
  try {
    checkResponse(message, expected(changes))
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
  throw new Error('The response was accepted')
}

/** The codes of the checks that have failed. */
const failedOf = (...bent: Parameters<typeof refusalOf>) =>
  refusalOf(...bent)
    .checks.filter(({ passed }) => !passed)
    .map(({ code }) => code)

describe('a response of an identity provider', () => {
  it('says who signed in, when, how and in which session', () => {
    const identity = checkResponse(posted(good({ attributes: { email: ['anna@acme.test'], groups: ['a', 'b'] } })), expected())

    expect(identity).toMatchObject({
      subject: JSON.stringify(['anna', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', null, null]),
      attributes: { email: ['anna@acme.test'], groups: ['a', 'b'] },
      authnInstant: new Date(at(now, -30)),
      authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
      sessionIndex: '_session1',
      assertionId: '_assertion1',
      expiresAt: new Date(at(now, 360)),
    })
    expect(identity.checks.every(({ passed }) => passed)).toBe(true)
  })

  it('may count, and name a session that lasts, for as long as there are years', () => {
    const until = '9999-12-31T23:59:59Z'
    const subject = confirmed(`Recipient="${acsUrl}" InResponseTo="${requestId}" NotOnOrAfter="${until}"`)
    const statement = `<saml:AuthnStatement AuthnInstant="0001-01-01T00:00:00Z" SessionNotOnOrAfter="${until}"/>`
    const last = new Date('9999-12-31T23:59:59.999Z')

    expect(checkResponse(posted(good({ subject, statement })), expected())).toMatchObject({ expiresAt: last, sessionEndsAt: last })
  })

  it('lasts as long as the session that ends first, of several statements', () => {
    const statement = [300, 120, 200]
      .map((seconds) => `<saml:AuthnStatement AuthnInstant="${at(now, 0)}" SessionNotOnOrAfter="${at(now, seconds)}"/>`)
      .join('')
    expect(checkResponse(posted(good({ statement })), expected()).sessionEndsAt).toEqual(new Date(at(now, 180)))
    const ended = `${statement}<saml:AuthnStatement AuthnInstant="${at(now, 0)}" SessionNotOnOrAfter="${at(now, -60)}"/>`
    expect(failedOf(good({ statement: ended }))).toEqual(['session_end'])
  })

  it('may be signed by any of several certificates, expired ones too, while one takes the place of another', () => {
    const identity = checkResponse(posted(good()), expected({ certificates: [stranger.certificate, provider.certificate] }))
    expect([identity.nameId?.value, identity.signedBy]).toEqual(['anna', [provider.certificate]])
  })

  it('may have lines that end as in Windows, and base64 in lines', () => {
    const message = posted(good().replace('<saml:Subject>', '\r\n<saml:Subject>'))
    const xml = signed(provider, response(assertion()).replace('<saml:Subject>', '\n<saml:Subject>'), { id: '_assertion1' })

    expect(failedOf('', {}, message)).toEqual(['signature'])
    const inLines = posted(xml.replaceAll('\n', '\r\n')).replaceAll(/.{64}/g, '$&\r\n')
    expect(checkResponse(inLines, expected()).nameId?.value).toBe('anna')
  })

  it('may have characters that only XML 1.1 takes for line ends', () => {
    // The library that signs takes them for line ends, too, unless they are written as references.
    const signedText = good({ attributes: { name: ['An&#x2028;na&#x85;'] } })
    const sent = signedText.replace('&#x2028;', '\u2028').replace('&#x85;', '\u0085')

    expect(signedText).toMatch(/An(?:&#x2028;|\u2028)na/)
    expect(checkResponse(posted(sent), expected()).attributes).toEqual({ name: ['An\u2028na\u0085'] })
  })

  it('may declare the namespaces of its assertion outside of it', () => {
    const xml = response(assertion().replace(' xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"', ''))
      .replace('<samlp:Response ', '<samlp:Response xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:unused="urn:unused" ')
      .replace('<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">', '<saml:Issuer>')

    expect(checkResponse(posted(signed(provider, xml, { id: '_assertion1' })), expected()).nameId?.value).toBe('anna')
  })

  it.each(['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'])(
    'may be signed with %s',
    (algorithm) => {
      expect(checkResponse(posted(good({}, { algorithm })), expected()).nameId?.value).toBe('anna')
    },
  )

  it('may be signed by a key of P-256', async () => {
    const elliptic = await samlProvider({ keyType: 'ec' })
    const algorithm = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
    const xml = signed(elliptic, response(assertion()), { id: '_assertion1', algorithm })

    expect(checkResponse(posted(xml), expected({ certificates: [elliptic.certificate] })).nameId?.value).toBe('anna')
  })

  it('counts when only the response is signed, where the connection accepts that', () => {
    expect(checkResponse(posted(signedResponse()), expected({ acceptsSignedResponse: true })).nameId?.value).toBe('anna')
    expect(failedOf(signedResponse())).toEqual(['signature'])
  })

  it('may have both signed', () => {
    const both = signed(provider, good(), { id: '_response1' })

    expect(checkResponse(posted(both), expected()).nameId?.value).toBe('anna')
    expect(failedOf(both.replace('_session1', '_session2'))).toEqual(['signature'])
  })

  it('identifies a user by an attribute, where the connection says which', () => {
    const byEmail = expected({ subjectAttribute: 'email' })

    expect(checkResponse(posted(good()), byEmail).subject).toBe('anna@acme.test')
    expect(failedOf(good({ attributes: { email: ['a@acme.test', 'b@acme.test'] } }), byEmail)).toEqual(['subject'])
    expect(failedOf(good({ attributes: { mail: ['a@acme.test'] } }), byEmail)).toEqual(['subject'])
  })

  it('tells subjects apart by format and qualifiers, and by every character', () => {
    const subjects = [
      anna,
      anna.replace('persistent', 'entity'),
      anna.replace('Format', 'NameQualifier="https://idp.test" Format'),
      anna.replace('Format', 'SPNameQualifier="https://idp.test" Format'),
      anna.replace('>anna<', '>Anna<'),
      anna.replace('>anna<', '>anna <'),
    ].map((nameId) => checkResponse(posted(good({ nameId })), expected()).subject)

    expect(new Set(subjects).size).toBe(subjects.length)
  })
})

const nested = (depth: number) => '<saml:x>'.repeat(depth) + '</saml:x>'.repeat(depth)
const inAttribute = (value: string) => good({ attributes: { email: [value] } })
const withNameId = (text: string) => good().replace('>anna<', `>${text}<`)

describe('the gate in front of a response refuses', () => {
  it.each<[string, () => string, string]>([
    ['a document type', () => `<!DOCTYPE a [<!ENTITY b "c">]>${good()}`, 'markup'],
    ['an entity that is expanded', () => `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]>${withNameId('&b;'.repeat(1_000))}`, 'markup'],
    ['an external entity', () => `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${withNameId('&b;')}`, 'markup'],
    ['an entity that nothing declares', () => withNameId('&b;'), 'entities'],
    ['a comment in a NameID', () => withNameId('anna<!-- -->.evil'), 'markup'],
    ['a processing instruction in a NameID, which the library would digest as text', () => withNameId('anna<?x .evil?>'), 'markup'],
    ['a CDATA section', () => withNameId('<![CDATA[anna]]>'), 'markup'],
    ['a comment in the signature', () => good().replace('<ds:DigestValue>', '<ds:DigestValue><!-- a -->'), 'markup'],
    ['one ID twice', () => good().replace('<samlp:Status>', '<samlp:Status ID="_assertion1">'), 'ids'],
    ['one ID twice, by another name', () => good().replace('<samlp:Status>', '<samlp:Status Id="_assertion1">'), 'ids'],
    ['an attribute twice', () => good().replace(' Version="2.0"', ' Version="2.0" Version="2.0"'), 'well_formed'],
    ['an attribute twice, by two prefixes', () => withAttributes('xmlns:a="urn:a" xmlns:b="urn:a" a:c="1" b:c="2"'), 'well_formed'],
    ['a prefix that stands for nothing', () => good().replace('<saml:Subject>', '<saml2:Subject>'), 'well_formed'],
    ['an element that does not end', () => good().replace('</samlp:Status>', ''), 'well_formed'],
    ['two documents', () => good() + good(), 'well_formed'],
    ['text around the document', () => `${good()}text`, 'well_formed'],
    ['a character that XML forbids', () => withNameId('an\u0000na'), 'well_formed'],
    ['a reference to a character that XML forbids', () => withNameId('an&#0;na'), 'entities'],
    ['another encoding', () => `<?xml version="1.0" encoding="utf-7"?>${good()}`, 'markup'],
    ['another message', () => good().replaceAll('samlp:Response', 'samlp:LogoutResponse'), 'root'],
    ['a message of SAML 1.1', () => good().replace('Version="2.0"', 'Version="1.1"'), 'version'],
    ['101 attributes of an element', () => withAttributes(Array.from({ length: 101 }, (_a, n) => `a${n}=""`).join(' ')), 'attributes'],
    ['elements a hundred deep', () => inAttribute(nested(100)), 'depth'],
    ['more than ten thousand elements', () => inAttribute('<saml:x/>'.repeat(10_000)), 'elements'],
    ['more than 256 KiB', () => inAttribute('a'.repeat(messageBytesMax)), 'size'],
    ['two assertions', () => good().replace('</samlp:Response>', `${assertion({ id: '_assertion2' })}</samlp:Response>`), 'assertions'],
    ['no assertion', () => response(''), 'assertions'],
    [
      'an assertion in another',
      () => good().replace('<saml:Conditions', `<saml:Advice>${assertion({ id: '_a2' })}</saml:Advice><saml:Conditions`),
      'assertions',
    ],
    ['an assertion in another namespace', () => good().replace('<samlp:Status>', '<Assertion xmlns="urn:a"/><samlp:Status>'), 'assertions'],
    ['a signature elsewhere', () => moved('<samlp:Status>'), 'signature_place'],
    ['a signature in the subject', () => moved('<saml:Subject>'), 'signature_place'],
    ['two signatures of one element', () => good().replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '$&$&'), 'signature_place'],
    ['an object in a signature', () => good().replace('</ds:Signature>', '<ds:Object/></ds:Signature>'), 'signature_form'],
    ['two references', () => good().replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, '$&$&'), 'signature_form'],
    ['two signed infos', () => good().replace(/<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/, '$&$&'), 'signature_form'],
    ['a reference to another element', () => good().replace('URI="#_assertion1"', 'URI="#_response1"'), 'signature_reference'],
    ['a reference to the whole document', () => good().replace('URI="#_assertion1"', 'URI=""'), 'signature_reference'],
    ['a reference to a file', () => good().replace('URI="#_assertion1"', 'URI="https://evil.test/a"'), 'signature_reference'],
    ['an XPath transform', () => good().replaceAll(enveloped, 'http://www.w3.org/TR/1999/REC-xpath-19991116'), 'transforms'],
    ['no transform', () => good().replace(/<ds:Transform A[^>]*\/>/, ''), 'transforms'],
    ['canonicalization with comments', () => good({}, { canonicalization: `${exclusive}WithComments` }), 'canonicalization'],
    ['a digest of SHA-1', () => good({}, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }), 'digest_algorithm'],
    ['a signature of SHA-1', () => good({}, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), 'signature_algorithm'],
    [
      'HMAC with the certificate as its key',
      () => good({}, { algorithm: 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256', key: provider.certificate }),
      'signature_algorithm',
    ],
  ])('%s', (_name, bent, check) => {
    expect(failedOf(bent())).toEqual([check])
  })

  it('what is no base64, no UTF-8, no XML, or was deflated', () => {
    expect(failedOf('', {}, '')).toEqual(['encoding'])
    expect(failedOf('', {}, 'not base64!')).toEqual(['encoding'])
    expect(failedOf('', {}, Buffer.from([0xc3, 0x28]).toString('base64'))).toEqual(['encoding'])
    expect(failedOf('nothing')).toEqual(['well_formed'])
    expect(failedOf('', {}, 'A'.repeat(4 * messageBytesMax))).toEqual(['size'])
  })

  it('any text without an error of another kind', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '&',
      ';',
      '=',
      ' ',
      ':',
      'a',
      'xmlns',
      '<!--',
      '-->',
      '<a',
      '</a>',
      '&lt;',
      '\0',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(failedOf('', {}, posted(pieces.join('')))).toHaveLength(1)
      }),
    )
  })
})

/** Each is signed as a whole by the provider, so that nothing but its form refuses it. */
describe('a signed response in a form that SAML does not have', () => {
  const subjectOf = (content: string) => `<saml:Subject>${content}</saml:Subject>`
  const confirmation = (data: string) =>
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">${data}</saml:SubjectConfirmation>`
  const data = (until = at(now, 300)) =>
    `<saml:SubjectConfirmationData Recipient="${acsUrl}" InResponseTo="${requestId}" NotOnOrAfter="${until}"/>`
  const signedAgain = (bend: (xml: string) => string) => signed(provider, bend(response(assertion())), { id: '_assertion1' })

  it.each<[string, () => string, string[]]>([
    ['two subjects', () => signedAgain((xml) => xml.replace(/<saml:Subject>.*<\/saml:Subject>/, '$&$&')), ['confirmation', 'subject']],
    ['two NameIDs', () => good({ subject: subjectOf(anna + anna.replace('anna', 'owner') + confirmation(data())) }), ['subject']],
    ['an encrypted NameID', () => good({ subject: subjectOf(`<saml:EncryptedID/>${confirmation(data())}`) }), ['subject']],
    [
      'a NameID of another namespace',
      () => good({ subject: subjectOf(`<NameID xmlns="urn:a">anna</NameID>${confirmation(data())}`) }),
      ['subject'],
    ],
    [
      'two data of a confirmation',
      () => good({ subject: subjectOf(anna + confirmation(data() + data())) }),
      ['recipient', 'in_response_to', 'not_on_or_after'],
    ],
    ['two conditions', () => signedAgain((xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '$&$&')), ['conditions', 'aud']],
    [
      'two issuers',
      () => signedAgain((xml) => xml.replace(/(<saml:Assertion[^>]*>)(<saml:Issuer>[^<]*<\/saml:Issuer>)/, '$1$2$2')),
      ['iss'],
    ],
    [
      'a second audience restriction, for another',
      () => {
        const [ours, other] = [audience, 'https://other.test'].map(
          (one) => `<saml:AudienceRestriction><saml:Audience>${one}</saml:Audience></saml:AudienceRestriction>`,
        )
        return good({ conditions: conditionsOf('', `${ours}${other}`) })
      },
      ['aud'],
    ],
    ['no version of the assertion', () => signedAgain((xml) => xml.replace(/(<saml:Assertion[^>]*) Version="2.0"/, '$1')), ['version']],
    [
      'another version of the assertion',
      () => signedAgain((xml) => xml.replace(/(<saml:Assertion[^>]*Version=)"2.0"/, '$1"1.1"')),
      ['version'],
    ],
    ['a time with an offset', () => good({ conditions: conditionsOf('NotOnOrAfter="2026-11-26T14:00:00+01:00"') }), ['exp']],
    ['a day that there is not', () => good({ conditions: conditionsOf('NotOnOrAfter="2027-02-30T12:00:00Z"') }), ['exp']],
    ['a day without a time', () => good({ conditions: conditionsOf('NotOnOrAfter="2027-02-28"') }), ['exp']],
    ['a reference by XPointer', () => good().replace('URI="#_assertion1"', `URI="#xpointer(id('_assertion1'))"`), ['signature_reference']],
    ['two statuses', () => response('').replace(/<samlp:Status>.*<\/samlp:Status>/, '$&$&'), ['status']],
    ['XML 1.1', () => `<?xml version="1.1"?>${good()}`, ['markup']],
    [
      'a name that is bound to another namespace',
      () => good().replace('<saml:Subject>', '<saml:Subject xmlns:saml="urn:a">'),
      ['signature'],
    ],
    [
      'a signature within that of the assertion',
      () => good().replace('<ds:SignedInfo>', `<ds:SignedInfo><ds:Signature/>`),
      ['signature_form'],
    ],
  ])('is refused for %s', (_name, bent, failed) => {
    expect(failedOf(bent())).toEqual(failed)
  })

  it('is refused for another version of its assertion, where only the response is signed', () => {
    const xml = signedResponse(assertion().replace('Version="2.0"', 'Version="1.1"'))
    expect(failedOf(xml, { acceptsSignedResponse: true })).toEqual(['version'])
  })

  it('is refused in base64 for URLs, in UTF-16, and twice in one message', () => {
    const encoded = posted(good())
    const inUrls = Buffer.from(good({ nameId: anna.replace('anna', 'ÿÿ>>??') })).toString('base64url')
    const utf16 = Buffer.from(`\ufeff${good()}`, 'utf16le').toString('base64')
    for (const message of [`${inUrls}_-`, utf16, `${encoded},${encoded}`, `${encoded}=${encoded}`])
      expect(failedOf('', {}, message)).toEqual(['encoding'])
  })

  it('is the same user however the characters of a name are written', () => {
    const [plain, byReference] = [anna, anna.replace('anna', 'ann&#97;')].map(
      (nameId) => checkResponse(posted(good({ nameId })), expected()).subject,
    )
    expect(byReference).toBe(plain)
  })

  it('may be used as long as any of its confirmations by bearer fits, and no other', () => {
    const until = [at(now, 60), at(now, 600), at(now, 240)].map(data)
    const foreign = confirmation(data(at(now, 3_600))).replace('cm:bearer', 'cm:sender-vouches')
    const subject = subjectOf(anna + foreign + until.map(confirmation).join(''))
    expect(checkResponse(posted(good({ subject })), expected()).expiresAt).toEqual(new Date(at(now, 660)))
  })
})

const withAttributes = (attributes: string) => good().replace('<saml:Subject>', `<saml:Subject ${attributes}>`)

function moved(behind: string): string {
  const [signature = ''] = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(good()) ?? []
  return good().replace(signature, '').replace(behind, `${behind}${signature}`)
}

describe('a status of the provider', () => {
  it('is named with its second code and its message, before anything else is looked for', () => {
    const status =
      '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode><samlp:StatusMessage>No access</samlp:StatusMessage>'
    const { checks } = refusalOf(response('', { status }))

    expect(checks).toMatchObject([
      { code: 'status', received: 'urn:oasis:names:tc:SAML:2.0:status:Responder urn:oasis:names:tc:SAML:2.0:status:AuthnFailed No access' },
    ])
  })
})

describe('signature wrapping', () => {
  const evil = (changes: Partial<AssertionValues> = {}) => assertion({ nameId: anna.replace('anna', 'owner'), id: '_evil', ...changes })
  const signatureIn = (xml: string) => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? ''
  const assertionIn = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const into = (signature: string, content: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)

  it.each<[string, () => string]>([
    [
      '1: a response in the signature of another',
      () => wrapped((original, signature) => response(into(signature, original) + evil(), { id: '_evil_r' })),
    ],
    [
      '2: a response beside its signature in another',
      () => wrapped((original, signature) => response(original + signature + evil(), { id: '_evil_r' })),
    ],
    ['3: an assertion before the signed one', () => good().replace('<saml:Assertion', `${evil()}<saml:Assertion`)],
    ['4: the signed assertion in another', () => response(evil().replace('</saml:Assertion>', `${assertionIn(good())}</saml:Assertion>`))],
    [
      '5: the signature in another assertion, the signed one behind it',
      () => response(withSignature(evil(), signatureIn(good())) + assertion()),
    ],
    ['6: the signed assertion in the signature of another', () => response(withSignature(evil(), into(signatureIn(good()), assertion())))],
    [
      '7: another assertion of the same id in an extension',
      () => response(`<samlp:Extensions>${evil({ id: '_assertion1' })}</samlp:Extensions>${assertionIn(good())}`),
    ],
    [
      '8: the signed assertion in an object of the signature of another',
      () => response(withSignature(evil({ id: '_assertion1' }), into(signatureIn(good()), assertion()))),
    ],
  ])('%s is refused', (_name, bent) => {
    for (const acceptsSignedResponse of [false, true]) expect(failedOf(bent(), { acceptsSignedResponse })).toHaveLength(1)
  })

  const withSignature = (xml: string, signature: string) => xml.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)

  function wrapped(around: (original: string, signature: string) => string): string {
    const xml = signedResponse()
    return around(xml.replace(signatureIn(xml), ''), signatureIn(xml))
  }
})

describe('a signature', () => {
  it.each<[string, () => string]>([
    ['is missing', () => response(assertion())],
    ['is of another key', () => signed(stranger, response(assertion()), { id: '_assertion1' })],
    ['covers another name', () => good().replace('>anna<', '>owner<')],
    ['covers another attribute', () => good().replace('anna@acme.test', 'owner@acme.test')],
    ['covers another recipient', () => good().replace(`Recipient="${acsUrl}"`, `Recipient="${acsUrl}2"`)],
    ['has another value', () => good().replace(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA')],
    ['is of the response alone', () => signedResponse()],
  ])('that %s is refused', (_name, bent) => {
    expect(failedOf(bent())).toEqual(['signature'])
  })

  it('of a key that is too weak does not count', async () => {
    const weak = await samlProvider({ keySize: 1024 })
    const xml = signed(weak, response(assertion()), { id: '_assertion1' })

    expect(failedOf(xml, { certificates: [weak.certificate] })).toEqual(['signature'])
  })

  it('does not count by the certificate that it brings', () => {
    const xml = signed(stranger, response(assertion()), { id: '_assertion1' })

    expect(xml).toContain('X509Certificate')
    expect(failedOf(xml)).toEqual(['signature'])
  })
})

const confirmed = (attributes: string, method = 'bearer') =>
  `<saml:Subject>${anna}<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData ${attributes}/></saml:SubjectConfirmation></saml:Subject>`
const conditionsOf = (
  attributes: string,
  content = `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
) => `<saml:Conditions ${attributes}>${content}</saml:Conditions>`

describe('a signed assertion is refused when', () => {
  it.each<[string, () => string, string[]]>([
    ['it is of another provider', () => good({ issuer: 'https://other.test' }), ['iss']],
    ['its response is of another provider', () => good().replace(`>${provider.entityId}<`, '>https://other.test<'), ['response_issuer']],
    [
      'its response was for another address',
      () => good().replace(`Destination="${acsUrl}"`, 'Destination="https://other.test/acs"'),
      ['destination'],
    ],
    ['it is for another audience', () => good({ audience: 'https://other.test' }), ['aud']],
    ['it names no audience', () => good({ conditions: conditionsOf('', '') }), ['aud']],
    ['it is for another recipient', () => good({ recipient: 'https://other.test/acs' }), ['recipient']],
    ['it responds to another request', () => good({ inResponseTo: '_request2' }), ['in_response_to']],
    [
      'no request asked for it',
      () => good({ subject: confirmed(`Recipient="${acsUrl}" NotOnOrAfter="${at(now, 60)}"`) }),
      ['in_response_to'],
    ],
    ['it is confirmed in another way', () => good({ subject: confirmed('', 'holder-of-key') }), ['confirmation']],
    [
      'its confirmation has no end',
      () => good({ subject: confirmed(`Recipient="${acsUrl}" InResponseTo="${requestId}"`) }),
      ['not_on_or_after'],
    ],
    [
      'its confirmation has ended',
      () => good({ subject: confirmed(`Recipient="${acsUrl}" InResponseTo="${requestId}" NotOnOrAfter="${at(now, -60)}"`) }),
      ['not_on_or_after'],
    ],
    [
      'its confirmation has not begun',
      () =>
        good({
          subject: confirmed(`Recipient="${acsUrl}" InResponseTo="${requestId}" NotBefore="${at(now, 61)}" NotOnOrAfter="${at(now, 120)}"`),
        }),
      ['not_before'],
    ],
    [
      'no confirmation fits as a whole',
      () => {
        const late = confirmed(`Recipient="${acsUrl}" InResponseTo="${requestId}" NotOnOrAfter="${at(now, -60)}"`)
        const other = `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${acsUrl}" NotOnOrAfter="${at(now, 60)}"/></saml:SubjectConfirmation></saml:Subject>`
        return good({ subject: late.replace('</saml:Subject>', other) })
      },
      ['not_on_or_after'],
    ],
    ['it has no conditions', () => good({ conditions: '' }), ['conditions', 'aud']],
    ['it has a condition that is not known', () => good({ conditions: conditionsOf('', '<saml:Condition/>') }), ['conditions', 'aud']],
    ['it is not valid yet', () => good({ conditions: conditionsOf(`NotBefore="${at(now, 61)}"`) }), ['not_before']],
    ['it has expired', () => good({ conditions: conditionsOf(`NotOnOrAfter="${at(now, -60)}"`) }), ['exp']],
    ['its times cannot be read', () => good({ conditions: conditionsOf('NotOnOrAfter="tomorrow"') }), ['exp']],
    ['the user has not signed in', () => good({ statement: '' }), ['authn_instant']],
    ['the user has signed in before the year 1', () => good({ statement: statementAt('0000-12-31T23:59:59Z') }), ['authn_instant']],
    ['the user will sign in', () => good({ statement: `<saml:AuthnStatement AuthnInstant="${at(now, 61)}"/>` }), ['authn_instant']],
    [
      'the session has ended',
      () => good({ statement: `<saml:AuthnStatement AuthnInstant="${at(now, 0)}" SessionNotOnOrAfter="${at(now, -60)}"/>` }),
      ['session_end'],
    ],
    ['its NameID is a transient one', () => good({ nameId: anna.replace('persistent', 'transient') }), ['subject']],
    ['it has no NameID', () => good({ nameId: '' }), ['subject']],
    ['its NameID is too long', () => good({ nameId: anna.replace('anna', 'a'.repeat(1_025)) }), ['subject']],
    ['its NameID has control characters', () => good({ nameId: anna.replace('anna', 'an\u007fna') }), ['subject']],
    ['its NameID has elements', () => good({ nameId: anna.replace('anna', 'an<saml:x/>na') }), ['subject']],
  ])('%s', (_name, bent, checks) => {
    expect(failedOf(bent())).toEqual(checks)
  })

  it('the attribute that identifies a user has control characters', () => {
    expect(failedOf(good({ attributes: { uid: ['an&#13;na'] } }), { subjectAttribute: 'uid' })).toEqual(['subject'])
  })

  it('the response is signed and does not say for which address', () => {
    const xml = signed(provider, response(assertion(), { destination: undefined }), { id: '_response1' })

    expect(failedOf(xml, { acceptsSignedResponse: true })).toEqual(['destination'])
  })

  it('its clock differs by more than a minute, and not before', () => {
    for (const seconds of [-59, 59]) {
      const moved = new Date(at(now, seconds))
      const conditions = conditionsOf(`NotBefore="${moved.toISOString()}" NotOnOrAfter="${moved.toISOString()}"`)
      expect(checkResponse(posted(good({ conditions })), expected()).nameId?.value).toBe('anna')
    }
  })

  it('is the fault of the provider, unless it was made for another request or audience', () => {
    expect(refusalOf(good({ issuer: 'https://other.test' })).fault).toBe('browser')
    expect(refusalOf(good({ statement: '' })).fault).toBe('upstream')
    expect(refusalOf(good({ inResponseTo: '_request2', statement: '' })).fault).toBe('browser')
    expect(refusalOf(good({ audience: 'https://other.test' })).fault).toBe('browser')
  })
})

describe('an encrypted assertion', () => {
  const plain = () => signed(provider, assertion(), { id: '_assertion1' })

  it.each<[string, string]>([
    ['as most providers encrypt', ''],
    [
      'with SHA-256 in both places',
      '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><x:MGF xmlns:x="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/>',
    ],
  ])('is read %s', (_name, keyOptions) => {
    const isLater = keyOptions !== ''
    const keyAlgorithm = isLater ? 'http://www.w3.org/2009/xmlenc11#rsa-oaep' : 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
    const xml = response(encryptedAssertion(plain(), ownKey.certificate, { keyAlgorithm, keyOptions, hash: isLater ? 'sha256' : 'sha1' }))

    expect(checkResponse(posted(xml), expected()).nameId?.value).toBe('anna')
  })

  it('is read with SHA-256 and a mask of SHA-1, and by a former key of ours', () => {
    const xml = response(encryptedWithMixedHashes(plain(), ownKey.certificate))

    expect(checkResponse(posted(xml), expected({ decryptionKeys: [stranger.privateKey, ownKey.privateKey] })).nameId?.value).toBe('anna')
  })

  it('counts in a signed response, where the connection accepts that', () => {
    const xml = signedResponse(encryptedAssertion(assertion(), ownKey.certificate))

    expect(checkResponse(posted(xml), expected({ acceptsSignedResponse: true })).nameId?.value).toBe('anna')
    expect(failedOf(xml)).toEqual(['signature'])
  })

  it.each<[string, () => string, string]>([
    ['for another key', () => encryptedAssertion(plain(), stranger.certificate), 'decryption'],
    ['and changed', () => encryptedAssertion(plain(), ownKey.certificate).replace(/(.*<xenc:CipherValue>)..../, '$1AAAA'), 'decryption'],
    [
      'and empty',
      () => encryptedAssertion(plain(), ownKey.certificate).replaceAll(/<xenc:CipherValue>[^<]*/g, '<xenc:CipherValue>'),
      'decryption',
    ],
    [
      'with CBC',
      () => encryptedAssertion(plain(), ownKey.certificate, { contentAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' }),
      'encryption_algorithm',
    ],
    [
      'with RSA 1.5',
      () => encryptedAssertion(plain(), ownKey.certificate, { keyAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }),
      'encryption_algorithm',
    ],
    ['and not signed', () => encryptedAssertion(assertion(), ownKey.certificate), 'signature'],
    ['and no assertion', () => encryptedAssertion('<a/>', ownKey.certificate), 'root'],
    [
      'with a comment in its NameID',
      () => encryptedAssertion(plain().replace('>anna<', '>anna<!-- -->.evil<'), ownKey.certificate),
      'markup',
    ],
    [
      'with an assertion in it',
      () => encryptedAssertion(plain().replace('<saml:Conditions', `${assertion({ id: '_2' })}<saml:Conditions`), ownKey.certificate),
      'assertions',
    ],
    ['beside one that is not', () => encryptedAssertion(plain(), ownKey.certificate) + assertion(), 'assertions'],
  ])('%s is refused', (_name, content, check) => {
    expect(failedOf(response(content()))).toEqual([check])
  })

  it('says the same of everything that is wrong with the ciphertext', () => {
    const forOther = refusalOf(response(encryptedAssertion(plain(), stranger.certificate)))
    const changed = encryptedAssertion(plain(), ownKey.certificate).replace(/<xenc:CipherValue>..../, '<xenc:CipherValue>AAAA')

    expect(refusalOf(response(changed)).checks).toEqual(forOther.checks)
  })
})
