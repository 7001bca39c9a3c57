import { type Said, say } from '../../../shared/checks/said.ts'
import { loopbackHosts } from '../../organisations/rules.ts'
import { Checks } from '../upstream/checks.ts'
import { type TrustedCertificate, trustedCertificate, trustedOf } from './certificates.ts'
import { timeOf } from './check-assertion.ts'
import { namespaces, postBinding, redirectBinding } from './names.ts'
import { childrenOf, type Refuse, readXml, textIn, withDescendants, withLineEnds, type XmlElement } from './xml.ts'

/** The largest document that is read: that of a federation with many providers is larger, and is not meant for one connection. */
export const metadataBytesMax = 2 * 1024 * 1024

const metadataLimits = { bytesMax: metadataBytesMax, depthMax: 100, elementsMax: 50_000, attributesMax: 100, allowsComments: true } as const

export interface ExpectedMetadata {
  /** The entity id that the connection has: another one would be another provider. */
  entityId: string | undefined
  now: Date
  /** Whether endpoints may be at this machine, by http: in development. */
  allowsLoopback: boolean
}

/** What the metadata of an identity provider says. */
/** How a request comes to the provider: in the address, or posted by a form. */
export type SignOnBinding = 'redirect' | 'post'

export interface ProviderEndpoint {
  location: string
  binding: SignOnBinding
  /** Where responses go to, if that is another address than that of requests. */
  responseLocation: string | undefined
}

export interface ProviderMetadata {
  entityId: string
  /** Where a browser is sent to. */
  singleSignOn: string
  binding: SignOnBinding
  /** Where a browser is sent to sign out; undefined where the provider has no such address. */
  singleLogout: ProviderEndpoint | undefined
  /** At most five, those first that expire last. */
  certificates: readonly TrustedCertificate[]
  /** How many more there were. */
  certificatesLeftOut: number
  nameIdFormats: readonly string[]
  wantsSignedRequests: boolean
  validUntil: Date | undefined
}

/**
 * Reads the metadata of an identity provider (Metadata §2.4.3). Its signature is not looked at: the document is trusted because an administrator has
 * entered it, or its https address.
 *
 * @throws UpstreamRefusal
 */
export function readMetadata(document: string, expected: ExpectedMetadata): ProviderMetadata {
  const checks = new Checks()
  const refuse: Refuse = (check, wanted, received) => checks.fail(check, wanted, received, 'upstream')
  const root = readXml(withLineEnds(document.replace(/^\ufeff/, '').trim()), metadataLimits, refuse)
  const { entity, role } = onlyProviderIn(root, expected.entityId, refuse)

  const entityId = entity.attributes.get('entityID') ?? ''
  const isExpected = entityId !== '' && entityId.length <= 1_024 && (expected.entityId ?? entityId) === entityId
  checks.add('entity_id', expected.entityId ?? say('an-identifier'), entityId, isExpected)
  const validUntil = firstEndOf([root, entity, role], refuse)
  if (validUntil) checks.add('valid_until', say('after', expected.now.toISOString()), validUntil.toISOString(), validUntil > expected.now)
  const endpoint = endpointOf(role, 'SingleSignOnService', expected)
  const named = childrenOf(role, namespaces.metadata, 'SingleSignOnService').map(({ attributes }) => attributes.get('Location') ?? '')
  checks.add('single_sign_on', say('an-https-address'), endpoint?.location ?? (named.join(' ') || say('none')), endpoint !== undefined)
  const all = certificatesOf(role)
  const certificates = trustedOf(all)
  checks.add('certificates', say('a-certificate-for-signatures'), certificates[0]?.fingerprint ?? say('none'), certificates.length > 0)
  checks.require('upstream')
  return {
    entityId,
    singleSignOn: endpoint?.location ?? '',
    binding: endpoint?.binding ?? 'redirect',
    singleLogout: endpointOf(role, 'SingleLogoutService', expected),
    certificates,
    certificatesLeftOut: new Set(all.map(({ fingerprint }) => fingerprint)).size - certificates.length,
    nameIdFormats: childrenOf(role, namespaces.metadata, 'NameIDFormat').map(textIn),
    wantsSignedRequests: ['true', '1'].includes(role.attributes.get('WantAuthnRequestsSigned') ?? ''),
    validUntil,
  }
}

/** The one entity that is an identity provider: that of a connection, if the document describes several. */
function onlyProviderIn(root: XmlElement, entityId: string | undefined, refuse: Refuse): { entity: XmlElement; role: XmlElement } {
  if (root.namespace !== namespaces.metadata || !['EntityDescriptor', 'EntitiesDescriptor'].includes(root.name))
    return refuse('metadata', 'EntityDescriptor', root.name)
  const entities = [...withDescendants(root)].filter(
    ({ namespace, name }) => namespace === namespaces.metadata && name === 'EntityDescriptor',
  )
  const providers = entities.flatMap((entity) => {
    const role = childrenOf(entity, namespaces.metadata, 'IDPSSODescriptor').find(speaksSaml2)
    return role ? [{ entity, role }] : []
  })
  const [first, ...others] = providers
  const chosen = others.length === 0 ? first : providers.find(({ entity }) => entity.attributes.get('entityID') === entityId)
  if (chosen) return chosen
  const found: string | Said = first ? say('several') : say('none')
  return refuse('metadata', say('one-identity-provider'), found)
}

const speaksSaml2 = ({ attributes }: XmlElement) =>
  (attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(namespaces.protocol)

/** The earliest of the times until which the document says that it is valid. One that cannot be read ends it at once. */
function firstEndOf(elements: readonly XmlElement[], refuse: Refuse): Date | undefined {
  const ends = elements.flatMap(({ attributes }) => {
    const value = attributes.get('validUntil')
    return value === undefined ? [] : [timeOf(value) ?? refuse('valid_until', 'YYYY-MM-DDThh:mm:ssZ', value)]
  })
  return ends.sort((left, right) => left.getTime() - right.getTime())[0]
}

/** The address for the Redirect binding; where there is none, that for the POST binding. */
function endpointOf(
  role: XmlElement,
  name: 'SingleSignOnService' | 'SingleLogoutService',
  { allowsLoopback }: ExpectedMetadata,
): ProviderEndpoint | undefined {
  const services = childrenOf(role, namespaces.metadata, name)
  for (const [binding, urn] of [
    ['redirect', redirectBinding],
    ['post', postBinding],
  ] as const) {
    const service = services.find(({ attributes }) => attributes.get('Binding') === urn)
    const location = service?.attributes.get('Location')?.trim()
    if (location === undefined || !isEndpoint(location, allowsLoopback)) continue
    const forResponses = service?.attributes.get('ResponseLocation')?.trim()
    const isApart = forResponses !== undefined && isEndpoint(forResponses, allowsLoopback)
    return { location, binding, responseLocation: isApart ? forResponses : undefined }
  }
  return undefined
}

/** Whether a browser may be sent to an address with a message: it is of https, and no script. */
export function isEndpoint(address: string, allowsLoopback = false): boolean {
  const url = URL.parse(address)
  if (!url || address.length > 2_048 || url.username !== '' || url.password !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && allowsLoopback && loopbackHosts.has(url.hostname))
}

/** Those for signatures; a key without a use is for both. A certificate that cannot be trusted is left out, as others may be there. */
function certificatesOf(role: XmlElement): TrustedCertificate[] {
  const keys = childrenOf(role, namespaces.metadata, 'KeyDescriptor').filter(
    ({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing',
  )
  const elements = keys
    .flatMap((key) => [...withDescendants(key)])
    .filter(({ namespace, name }) => namespace === namespaces.signature && name === 'X509Certificate')
  return elements.flatMap((element) => trustedCertificate(textIn(element)) ?? [])
}
