import { say } from '../../../shared/checks/said.ts'
import { type Check, Checks } from '../upstream/checks.ts'
import { certificateOf, isSignedBy, isStrong, signatureMethods } from './algorithms.ts'
import { timeOf } from './check-assertion.ts'
import { decodePosted, decodeRedirected } from './decode.ts'
import { passGate } from './gate.ts'
import { namespaces } from './names.ts'
import { signedBytes } from './verify.ts'
import { childrenOf, onlyChildOf, type Refuse, textIn, withLineEnds, type XmlElement } from './xml.ts'

/** A message as it came: in a form, or in an address with a signature beside it (Bindings §3.4.4.1). */
export type LogoutMessageReceived =
  | { binding: 'post'; message: string }
  | {
      binding: 'redirect'
      message: string
      /** The part of the query that is signed, as the sender has encoded it. */
      signed: string
      algorithm: string
      /** In base64; empty without one. */
      signature: string
    }

/** What a request to log out is compared with. */
export interface ExpectedLogout {
  /** The entity id of the identity provider. */
  issuer: string
  /** Of the identity provider, in PEM or base64. */
  certificates: readonly string[]
  /** Our address for single logout. */
  destination: string
  now: Date
}

/** A request of an identity provider to end sessions, after every check has passed. */
export interface SamlLogout {
  /** It counts once until it expires. */
  id: string
  expiresAt: Date
  /** The value of the NameID. */
  nameId: string
  /** Those that end; none: all of the NameID. */
  sessionIndexes: readonly string[]
  checks: readonly Check[]
}

const skewMilliseconds = 60 * 1_000
const lifetimeMilliseconds = 5 * 60 * 1_000
const sessionIndexesMax = 100

/**
 * Checks a LogoutRequest (Profiles §4.4.4.1). Without a signature of the provider it is not even compared.
 *
 * @throws UpstreamRefusal
 */
export function checkLogoutRequest(received: LogoutMessageReceived, expected: ExpectedLogout): SamlLogout {
  const checks = new Checks()
  // Anyone can make up what is not signed.
  const refuse: Refuse = (check, wanted, found) => checks.fail(check, wanted, found, 'browser')
  const decoded = received.binding === 'post' ? decodePosted(received.message, refuse) : decodeRedirected(received.message, refuse)
  const text = withLineEnds(decoded)
  const root = { namespace: namespaces.protocol, name: 'LogoutRequest' }
  const sent = passGate(text, root, refuse)
  const request = received.binding === 'post' ? passGate(enveloped(text, sent), root, refuse) : sent
  if (received.binding === 'redirect') requireSignature(received)
  checks.add('signature', say('valid-by-a-certificate-of', expected.issuer), say('valid'), true)

  const { now } = expected
  const issuer = onlyChildOf(request, namespaces.assertion, 'Issuer')
  checks.add('iss', expected.issuer, issuer && textIn(issuer), issuer !== undefined && textIn(issuer) === expected.issuer)
  const destination = request.attributes.get('Destination')
  checks.add('destination', expected.destination, destination, destination === expected.destination)
  const id = request.attributes.get('ID') ?? ''
  checks.add('message_id', say('an-identifier'), id, id !== '')
  const expiresAt = checkTimes(request)
  const nameId = onlyChildOf(request, namespaces.assertion, 'NameID')
  const name = nameId?.children.length === 0 ? nameId.text : ''
  checks.add('subject', say('a-name-id'), nameId?.text, name !== '')
  const sessionIndexes = childrenOf(request, namespaces.protocol, 'SessionIndex').map(textIn)
  if (sessionIndexes.length > sessionIndexesMax) checks.add('session_index', say('at-most', String(sessionIndexesMax)), say('more'), false)
  checks.require('browser')
  return { id, expiresAt, nameId: name, sessionIndexes, checks: checks.made }

  /** @returns until when it counts: as long as it says, and five minutes at most */
  function checkTimes({ attributes }: XmlElement): Date {
    const [issued, end] = [attributes.get('IssueInstant'), attributes.get('NotOnOrAfter')]
    const issuedAt = timeOf(issued)
    const isPast = issuedAt !== undefined && issuedAt.getTime() <= now.getTime() + skewMilliseconds
    checks.add('issue_instant', say('before', now.toISOString()), issued, isPast)
    const latest = (issuedAt?.getTime() ?? 0) + lifetimeMilliseconds
    const says = end === undefined ? latest : (timeOf(end)?.getTime() ?? 0)
    const until = new Date(Math.min(latest, says) + skewMilliseconds)
    checks.add('not_on_or_after', say('after', now.toISOString()), end ?? issued, until > now)
    return until
  }

  /** The bytes that the signature in the message covers. */
  function enveloped(document: string, message: XmlElement): string {
    const [signature] = childrenOf(message, namespaces.signature, 'Signature')
    const signed = signature && signedBytes(document, signature, expected.certificates)
    return signed?.bytes ?? refuse('signature', say('valid-by-a-certificate-of', expected.issuer), say(signature ? 'not-valid' : 'none'))
  }

  function requireSignature({ signed, algorithm, signature }: Extract<LogoutMessageReceived, { binding: 'redirect' }>): void {
    const wanted = say('valid-by-a-certificate-of', expected.issuer)
    if (signature === '') refuse('signature', wanted, say('none'))
    const method = signatureMethods.get(algorithm)
    if (!method) {
      refuse('signature_algorithm', say('sha-256-or-better'), algorithm)
      return
    }
    const keys = expected.certificates.map((certificate) => certificateOf(certificate)?.publicKey).filter((key) => key !== undefined)
    if (!keys.some((key) => isStrong(key) && isSignedBy(method, signed, key, signature))) refuse('signature', wanted, say('not-valid'))
  }
}
