import { say } from '../../../shared/checks/said.ts'
import { digestMethods, signatureMethods } from './algorithms.ts'
import { envelopedSignature, exclusiveCanonicalization, namespaces } from './names.ts'
import { childrenOf, onlyChildOf, type Refuse, textIn, type XmlElement } from './xml.ts'

/**
 * Refuses a signature that is anything but the one form that SAML allows (Core §5.4): it covers the element that it is in, as a whole, by its ID,
 * after the enveloped and the exclusive transform. Everything by which a signature has ever covered something else than what was read is
 * outside of this form. `KeyInfo` may be there and is not looked at.
 */
export function requireForm(signature: XmlElement, refuse: Refuse): void {
  const { parent } = signature
  const [signedInfo, value] = inOrder(signature, ['SignedInfo', 'SignatureValue'], ['KeyInfo'], refuse)
  const [canonicalization, method, reference] = inOrder(signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference'], [], refuse)
  const [transforms, digest, digestValue] = inOrder(reference, ['Transforms', 'DigestMethod', 'DigestValue'], [], refuse)

  const canonicalizationOf = algorithmOf(canonicalization)
  if (canonicalizationOf !== exclusiveCanonicalization) refuse('canonicalization', exclusiveCanonicalization, canonicalizationOf)
  requirePrefixesAlone(canonicalization, refuse)
  if (!signatureMethods.has(algorithmOf(method))) refuse('signature_algorithm', say('sha-256-or-better'), algorithmOf(method))
  if (!digestMethods.has(algorithmOf(digest))) refuse('digest_algorithm', say('sha-256-or-better'), algorithmOf(digest))
  for (const leaf of [method, digest, digestValue, value]) if (leaf.children.length > 0) refuseForm(leaf.name, refuse)

  const id = parent?.attributes.get('ID') ?? ''
  const uri = reference.attributes.get('URI') ?? ''
  // The library puts it into an XPath.
  if (!/^[A-Za-z_][\w.-]*$/.test(id) || uri !== `#${id}`) refuse('signature_reference', `#${id}`, uri === '' ? say('nothing') : uri)

  const steps = childrenOf(transforms, namespaces.signature, 'Transform')
  const named = steps.map(algorithmOf)
  const isAllowed = named.length === 2 && named[0] === envelopedSignature && named[1] === exclusiveCanonicalization
  if (!isAllowed || steps.length !== transforms.children.length)
    refuse('transforms', `${envelopedSignature} ${exclusiveCanonicalization}`, named.join(' '))
  if (steps[0]?.children.length !== 0) refuseForm('Transform', refuse)
  for (const step of steps) requirePrefixesAlone(step, refuse)
}

const algorithmOf = (element: XmlElement) => element.attributes.get('Algorithm') ?? ''

/** The children of these names, which are there once and in this order, with nothing else but perhaps one of those that may follow. */
function inOrder<const Names extends readonly string[]>(
  element: XmlElement,
  names: Names,
  mayFollow: readonly string[],
  refuse: Refuse,
): { [Position in keyof Names]: XmlElement } {
  const { children } = element
  const isExpected = ({ namespace, name }: XmlElement, position: number) =>
    namespace === namespaces.signature && (position < names.length ? name === names[position] : mayFollow.includes(name))
  const isWhole = children.length >= names.length && children.length <= names.length + mayFollow.length
  if (!isWhole || !children.every(isExpected)) refuseForm(element.name, refuse)
  return children.slice(0, names.length) as { [Position in keyof Names]: XmlElement }
}

/** Exclusive canonicalization may name prefixes that it treats as the inclusive one does, and nothing else. */
function requirePrefixesAlone(method: XmlElement, refuse: Refuse): void {
  const prefixes = onlyChildOf(method, exclusiveCanonicalization, 'InclusiveNamespaces')
  if (method.children.length > (prefixes ? 1 : 0) || textIn(method) !== '' || prefixes?.children.length) refuseForm(method.name, refuse)
}

const refuseForm = (name: string, refuse: Refuse) => refuse('signature_form', say('the-form-of-saml'), say('another-form-at', name))
