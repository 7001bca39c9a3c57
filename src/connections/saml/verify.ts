import type { KeyObject } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import {
  certificateOf,
  digestMethods,
  digestOf,
  isSignedBy,
  isStrong,
  type SignatureMethod,
  signatureMethods,
  signatureOf,
} from './algorithms.ts'
import { envelopedSignature, exclusiveCanonicalization, rsaSha256, sha256 } from './names.ts'
import { asDocument, type XmlElement } from './xml.ts'

/**
 * The canonical bytes that a signature covers, with the certificate of the key that made it; undefined when none of the keys did. They alone are to
 * be read from then on: whatever else the document holds is unsigned. The gate has seen the document before.
 *
 * @param certificates in PEM or base64. They are keys that an administrator trusts: neither their dates nor their issuers count
 */
export function signedBytes(
  document: string,
  signature: XmlElement,
  certificates: readonly string[],
): { bytes: string; certificate: string } | undefined {
  for (const certificate of certificates) {
    const key = certificateOf(certificate)?.publicKey
    const bytes = key && isStrong(key) ? bytesSignedBy(key, document, signature) : undefined
    if (bytes !== undefined) return { bytes, certificate }
  }
  return undefined
}

function bytesSignedBy(key: KeyObject, document: string, signature: XmlElement): string | undefined {
  const signed = openSignedXml({ publicCert: key })
  signed.loadSignature(asDocument(document, signature))
  try {
    if (!signed.checkSignature(withReferences(document))) return undefined
  } catch {
    // So the library says that the value of the signature is of another key.
    return undefined
  }
  const [bytes, ...others] = signed.getSignedReferences()
  return others.length === 0 ? bytes : undefined
}

/** The library reads two characters as line ends that are none in XML 1.0 §2.11. The gate leaves no place in which a reference means another thing. */
const withReferences = (document: string) => document.replaceAll('\u0085', '&#x85;').replaceAll('\u2028', '&#x2028;')

/**
 * Signs a document by its outermost element.
 *
 * @param place first in it, as the schema of metadata demands, or after its issuer, as that of messages does
 */
export function signedDocument(document: string, privateKey: KeyObject, place: 'first' | 'after issuer' = 'first'): string {
  const signed = openSignedXml({ privateKey, signatureAlgorithm: rsaSha256, canonicalizationAlgorithm: exclusiveCanonicalization })
  signed.addReference({ xpath: '/*', transforms: [envelopedSignature, exclusiveCanonicalization], digestAlgorithm: sha256 })
  signed.computeSignature(document, { prefix: 'ds', location: locations[place] })
  return signed.getSignedXml()
}

const locations = {
  first: { reference: '/*', action: 'prepend' },
  'after issuer': { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
} as const

/** The library, which knows no more than what is strong enough, and never a key that the document brings. */
function openSignedXml(options: ConstructorParameters<typeof SignedXml>[0]): SignedXml {
  const signed = new SignedXml({ ...options, getCertFromKeyInfo: () => null, getKeyInfoContent: () => null })
  signed.idAttributes = ['ID']
  const canonicalizations = [envelopedSignature, exclusiveCanonicalization]
  signed.CanonicalizationAlgorithms = only(signed.CanonicalizationAlgorithms, canonicalizations)
  signed.HashAlgorithms = Object.fromEntries([...digestMethods].map(([name, hash]) => [name, hashAlgorithm(name, hash)]))
  signed.SignatureAlgorithms = Object.fromEntries([...signatureMethods].map(([name, method]) => [name, signatureAlgorithm(name, method)]))
  return signed
}

const only = <Value>(all: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))

const hashAlgorithm = (name: string, hash: string) =>
  class {
    getAlgorithmName = () => name
    getHash = (text: string) => digestOf(hash, text)
  }

const signatureAlgorithm = (name: string, method: SignatureMethod) =>
  class {
    getAlgorithmName = () => name
    getSignature = (text: unknown, key: unknown) => signatureOf(method, String(text), key as KeyObject)
    verifySignature = (text: string, key: unknown, value: string) => isSignedBy(method, text, key as KeyObject, value)
  }
