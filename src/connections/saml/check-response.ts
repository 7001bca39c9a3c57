import { say } from '../../../shared/checks/said.ts'
import { Checks } from '../upstream/checks.ts'
import { checkAssertion } from './check-assertion.ts'
import { decodePosted } from './decode.ts'
import { decrypted } from './decrypt.ts'
import { passGate } from './gate.ts'
import type { ExpectedSamlResponse, SamlIdentity } from './identity.ts'
import { namespaces, success } from './names.ts'
import { signedBytes } from './verify.ts'
import { childrenOf, onlyChildOf, type Refuse, textIn, withDescendants, withLineEnds, type XmlElement } from './xml.ts'

/**
 * Checks a response as it came by the POST binding (Profiles §4.1.4): its structure, its status, its one assertion, its signature, and what that
 * says. From the signature on, only the bytes that it covers are read.
 *
 * @throws UpstreamRefusal
 */
export function checkResponse(message: string, expected: ExpectedSamlResponse): SamlIdentity {
  const checks = new Checks()
  // Until a signature has been verified, anyone can have made it up.
  const refuse: Refuse = (check, wanted, received) => checks.fail(check, wanted, received, 'browser')
  const text = withLineEnds(decodePosted(message, refuse))
  const response = passGate(text, { namespace: namespaces.protocol, name: 'Response' }, refuse)
  requireSuccess(response, refuse)
  const assertion = requireAssertion(response, refuse)

  const ofResponse = verifiedOf(text, response, 'Response')
  // Whatever has been verified replaces what was read before.
  const trusted = ofResponse ? requireAssertion(ofResponse.element, refuse) : assertion
  const own = trusted.name === 'EncryptedAssertion' ? opened(trusted) : { text: ofResponse?.text ?? text, element: trusted }
  const ofAssertion = verifiedOf(own.text, own.element, 'Assertion')
  if (!ofAssertion && !(ofResponse && expected.acceptsSignedResponse))
    refuse(
      'signature',
      say(expected.acceptsSignedResponse ? 'one-of-assertion-or-response' : 'one-of-the-assertion'),
      say(ofResponse ? 'one-of-the-response' : 'none'),
    )
  checks.add('signature', say('valid-by-a-certificate-of', expected.issuer), say('valid'), true)

  const root = ofResponse?.element ?? response
  const issuer = onlyChildOf(root, namespaces.assertion, 'Issuer')
  if (issuer) checks.add('response_issuer', expected.issuer, textIn(issuer), textIn(issuer) === expected.issuer)
  const destination = root.attributes.get('Destination')
  if (destination !== undefined || ofResponse) checks.add('destination', expected.acsUrl, destination, destination === expected.acsUrl)
  const identity = checkAssertion((ofAssertion ?? own).element, expected, checks)
  return { ...identity, signedBy: [ofResponse, ofAssertion].flatMap((signed) => signed?.certificate ?? []) }

  /** The element as its signature covers it; undefined without one. */
  function verifiedOf(document: string, element: XmlElement, name: 'Response' | 'Assertion') {
    const [signature] = childrenOf(element, namespaces.signature, 'Signature')
    if (!signature) return undefined
    const signed = signedBytes(document, signature, expected.certificates)
    // One that does not verify is no better than none, even where another one does.
    if (!signed) return refuse('signature', say('valid-by-a-certificate-of', expected.issuer), say('not-valid'))
    const { bytes, certificate } = signed
    const namespace = name === 'Response' ? namespaces.protocol : namespaces.assertion
    return { text: bytes, element: passGate(bytes, { namespace, name }, refuse), certificate }
  }

  function opened(element: XmlElement): { text: string; element: XmlElement } {
    const plain = decrypted(element, expected.decryptionKeys)
    if (typeof plain === 'object') return refuse('encryption_algorithm', 'RSA-OAEP, AES-GCM', plain.unknownAlgorithm)
    if (plain === undefined) return refuse('decryption', say('readable-by-a-key-of-ours'), say('something-else'))
    const document = withLineEnds(plain)
    return { text: document, element: passGate(document, { namespace: namespaces.assertion, name: 'Assertion' }, refuse) }
  }
}

/** A provider that refuses says why, and sends no assertion. */
function requireSuccess(response: XmlElement, refuse: Refuse): void {
  const status = onlyChildOf(response, namespaces.protocol, 'Status')
  const code = status && onlyChildOf(status, namespaces.protocol, 'StatusCode')
  if (code?.attributes.get('Value') === success) return
  const codes = code ? [...withDescendants(code)].map(({ attributes }) => attributes.get('Value') ?? '') : []
  const message = status && onlyChildOf(status, namespaces.protocol, 'StatusMessage')
  const received = [...codes, ...(message ? [textIn(message)] : [])].join(' ')
  refuse('status', success, received === '' ? say('nothing') : received)
}

function requireAssertion(response: XmlElement, refuse: Refuse): XmlElement {
  const plain = childrenOf(response, namespaces.assertion, 'Assertion')
  const [assertion, ...others] = [...plain, ...childrenOf(response, namespaces.assertion, 'EncryptedAssertion')]
  if (!assertion) return refuse('assertions', say('one'), say('none'))
  return others.length === 0 ? assertion : refuse('assertions', say('one'), say('several'))
}
