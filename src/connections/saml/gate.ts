import { say } from '../../../shared/checks/said.ts'
import { messageBytesMax } from './decode.ts'
import { namespaces } from './names.ts'
import { requireForm } from './signature-form.ts'
import { childrenOf, type Refuse, readXml, withDescendants, type XmlElement } from './xml.ts'

const messageLimits = {
  bytesMax: messageBytesMax,
  depthMax: 100,
  elementsMax: 10_000,
  attributesMax: 100,
  allowsComments: false,
} as const

/**
 * Lets through what can be read in one way only, before anything else looks at it. Every signature is a direct child of the
 * message or of an assertion in it, at most one in each, and has the one form of SAML. An assertion is nowhere but directly in a response.
 *
 * @param root the namespace and the name that the outermost element has
 */
export function passGate(text: string, root: { namespace: string; name: string }, refuse: Refuse): XmlElement {
  const message = readXml(text, messageLimits, refuse)
  if (message.namespace !== root.namespace || message.name !== root.name) refuse('root', root.name, message.name)
  requireVersion(message, refuse)
  for (const element of withDescendants(message)) {
    // By the name alone: in another namespace it would be there to be taken for one.
    const isAssertion = element.name === 'Assertion' || element.name === 'EncryptedAssertion'
    if (isAssertion && element !== message && !isAssertionOf(message, element)) refuseAssertion(element, refuse)
    if (element.name === 'Assertion') requireVersion(element, refuse)
    if (element.name === 'Signature') requirePlace(message, element, refuse)
  }
  return message
}

function requireVersion({ attributes }: XmlElement, refuse: Refuse): void {
  const version = attributes.get('Version')
  if (version !== '2.0') refuse('version', '2.0', version ?? say('nothing'))
}

const isAssertionOf = (message: XmlElement, { namespace, parent }: XmlElement) =>
  message.name === 'Response' && parent === message && namespace === namespaces.assertion

const refuseAssertion = ({ parent }: XmlElement, refuse: Refuse) =>
  refuse('assertions', say('directly-in-the-response'), say('one-in', parent?.name ?? ''))

function requirePlace(message: XmlElement, signature: XmlElement, refuse: Refuse): void {
  const { parent, namespace } = signature
  const mayHold = parent && (parent === message || (parent.name === 'Assertion' && isAssertionOf(message, parent)))
  if (!mayHold || namespace !== namespaces.signature)
    refuse('signature_place', say('directly-in-what-it-covers'), say('one-in', parent?.name ?? ''))
  if (parent && childrenOf(parent, namespaces.signature, 'Signature').length > 1) refuse('signature_place', say('one'), say('several'))
  requireForm(signature, refuse)
}
