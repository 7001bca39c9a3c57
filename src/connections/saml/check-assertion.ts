import { type Said, say } from '../../../shared/checks/said.ts'
import { isStorableTime, notBeyondYears } from '../../platform/clock.ts'
import { hasUnfitText } from '../../platform/text.ts'
import type { Checks } from '../upstream/checks.ts'
import type { ExpectedSamlResponse, NameId, SamlIdentity } from './identity.ts'
import { bearer, namespaces, transientFormat, unspecifiedFormat } from './names.ts'
import { childrenOf, onlyChildOf, textIn, type XmlElement } from './xml.ts'

const skewMilliseconds = 60 * 1_000
const subjectLengthMax = 1_024

/**
 * Checks what a verified assertion says (Profiles §4.1.4.3). All of it is checked, so that everything that is wrong can be shown.
 *
 * @param assertion from the bytes that were signed, and from no others
 * @throws UpstreamRefusal
 */
export function checkAssertion(assertion: XmlElement, expected: ExpectedSamlResponse, checks: Checks): Omit<SamlIdentity, 'signedBy'> {
  const issuer = onlyChildOf(assertion, namespaces.assertion, 'Issuer')
  checks.add('iss', expected.issuer, issuer && textIn(issuer), issuer !== undefined && textIn(issuer) === expected.issuer)
  const subject = onlyChildOf(assertion, namespaces.assertion, 'Subject')
  const confirmation = checkConfirmation(subject, expected, checks)
  const isOurs = checks.made.every(({ passed }) => passed)
  checkConditions(assertion, expected, checks)
  const statement = checkStatement(assertion, expected, checks)
  const attributes = attributesOf(assertion)
  checks.claims = attributes
  const nameId = nameIdOf(subject)
  const identifier = checkSubject(nameId, attributes, expected, checks)
  const assertionId = assertion.attributes.get('ID') ?? ''
  checks.add('assertion_id', say('an-identifier'), assertionId, assertionId !== '')
  // An assertion for another request was stolen, or is of another tab: that is not the fault of its provider.
  checks.require(isOurs ? 'upstream' : 'browser')
  return {
    subject: identifier ?? '',
    nameId,
    attributes,
    ...statement,
    assertionId,
    expiresAt: withSkew(confirmation) ?? expected.now,
    checks: checks.made,
  }
}

/**
 * One confirmation has to fit as a whole: the right time of one and the right recipient of another say nothing about either.
 *
 * @returns until when it may be used
 */
function checkConfirmation(subject: XmlElement | undefined, expected: ExpectedSamlResponse, checks: Checks): Date | undefined {
  const all = subject ? childrenOf(subject, namespaces.assertion, 'SubjectConfirmation') : []
  const tried = all
    .filter(({ attributes }) => attributes.get('Method') === bearer)
    .map((one) => ({ made: confirmationChecks(one, expected), until: timeOf(dataOf(one)?.attributes.get('NotOnOrAfter')) }))
  const fitting = tried.filter(({ made }) => made.every(([, , , passed]) => passed))
  const best = fitting[0] ?? tried[0]
  checks.add('confirmation', bearer, all[0]?.attributes.get('Method'), best !== undefined)
  for (const check of best?.made ?? []) checks.add(...check)
  // While any of them fits, the assertion could be used again.
  const ends = fitting.flatMap(({ until }) => until ?? []).sort((left, right) => right.getTime() - left.getTime())
  return ends[0]
}

const dataOf = (confirmation: XmlElement) => onlyChildOf(confirmation, namespaces.assertion, 'SubjectConfirmationData')

function confirmationChecks(confirmation: XmlElement, { acsUrl, requestId, now }: ExpectedSamlResponse): Parameters<Checks['add']>[] {
  const attributes = dataOf(confirmation)?.attributes
  const [recipient, request] = [attributes?.get('Recipient'), attributes?.get('InResponseTo')]
  return [
    ['recipient', acsUrl, recipient, recipient === acsUrl],
    ['in_response_to', requestId, request, request === requestId],
    ...beginsBy(attributes?.get('NotBefore'), now),
    ...endsAfter('not_on_or_after', attributes?.get('NotOnOrAfter') ?? '', now),
  ]
}

function checkConditions(assertion: XmlElement, { audience, now }: ExpectedSamlResponse, checks: Checks): void {
  const conditions = onlyChildOf(assertion, namespaces.assertion, 'Conditions')
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  const unknown = conditions?.children.find(({ namespace, name }) => namespace !== namespaces.assertion || !known.includes(name))
  // What is not understood may restrict what we are about to do (Core §2.5.1.1).
  checks.add(
    'conditions',
    say('conditions-that-are-known'),
    unknown ? unknown.name : say(conditions ? 'valid' : 'nothing'),
    conditions !== undefined && !unknown,
  )
  const restrictions = conditions ? childrenOf(conditions, namespaces.assertion, 'AudienceRestriction') : []
  const audiences = restrictions.map((restriction) => childrenOf(restriction, namespaces.assertion, 'Audience').map(textIn))
  const isForUs = audiences.length > 0 && audiences.every((names) => names.includes(audience))
  checks.addOfAccount('aud', audience, audiences.length === 0 ? undefined : audiences.flat().join(' '), isForUs)
  const times = [
    ...beginsBy(conditions?.attributes.get('NotBefore'), now),
    ...endsAfter('exp', conditions?.attributes.get('NotOnOrAfter'), now),
  ]
  for (const check of times) checks.add(...check)
}

/** When and how the provider has authenticated the user. Of several statements the session counts that ends first (Profiles §4.1.4.3). */
function checkStatement(assertion: XmlElement, { now, maxAge }: ExpectedSamlResponse, checks: Checks) {
  const statements = childrenOf(assertion, namespaces.assertion, 'AuthnStatement')
  const [statement] = statements
  const attributes = statement?.attributes
  const instant = timeOf(attributes?.get('AuthnInstant'))
  const isPast = instant !== undefined && instant.getTime() <= now.getTime() + skewMilliseconds
  checks.add('authn_instant', say('before', now.toISOString()), attributes?.get('AuthnInstant'), isPast)
  if (maxAge !== undefined && instant) {
    const earliest = now.getTime() - maxAge * 1_000
    const isNew = instant.getTime() >= earliest - skewMilliseconds
    checks.addOfAccount('auth_time', say('after', new Date(earliest).toISOString()), attributes?.get('AuthnInstant'), isNew)
  }
  const sessionEnds = statements.flatMap((one) => one.attributes.get('SessionNotOnOrAfter') ?? [])
  for (const sessionEnd of sessionEnds) for (const check of endsAfter('session_end', sessionEnd, now)) checks.add(...check)
  const [firstEnd] = sessionEnds.flatMap((sessionEnd) => timeOf(sessionEnd) ?? []).sort((left, right) => left.getTime() - right.getTime())
  const context = statement && onlyChildOf(statement, namespaces.assertion, 'AuthnContext')
  const reference = context && onlyChildOf(context, namespaces.assertion, 'AuthnContextClassRef')
  return {
    authnInstant: instant ?? now,
    authnContext: reference && textIn(reference),
    sessionIndex: attributes?.get('SessionIndex'),
    sessionEndsAt: withSkew(firstEnd),
  }
}

/** A transient name is another one at each sign-in, so it says nothing about who came. */
function checkSubject(
  nameId: NameId | undefined,
  attributes: SamlIdentity['attributes'],
  { subjectAttribute }: ExpectedSamlResponse,
  checks: Checks,
): string | undefined {
  if (subjectAttribute !== undefined) {
    const values = (Object.hasOwn(attributes, subjectAttribute) ? attributes[subjectAttribute] : undefined) ?? []
    const [value = ''] = values
    const isOne = values.length === 1 && value !== '' && value.length <= subjectLengthMax && !hasUnfitText(value)
    checks.add('subject', say('one-value-of', subjectAttribute), values.length > 1 ? say('several') : values[0], isOne)
    return value
  }
  const identifier = nameId && JSON.stringify([nameId.value, nameId.format, nameId.nameQualifier ?? null, nameId.spNameQualifier ?? null])
  const isLasting =
    nameId !== undefined &&
    identifier !== undefined &&
    nameId.value !== '' &&
    !hasUnfitText(nameId) &&
    nameId.format !== transientFormat &&
    identifier.length <= subjectLengthMax
  checks.add('subject', say('a-lasting-name-id'), receivedNameId(nameId), isLasting)
  return identifier
}

const receivedNameId = (nameId: NameId | undefined): string | Said | undefined =>
  nameId?.format === transientFormat ? transientFormat : nameId?.value

function nameIdOf(subject: XmlElement | undefined): NameId | undefined {
  const element = subject && onlyChildOf(subject, namespaces.assertion, 'NameID')
  if (!element || element.children.length > 0) return undefined
  const { attributes, text } = element
  return {
    value: text,
    format: attributes.get('Format') ?? unspecifiedFormat,
    nameQualifier: attributes.get('NameQualifier'),
    spNameQualifier: attributes.get('SPNameQualifier'),
  }
}

function attributesOf(assertion: XmlElement): Record<string, string[]> {
  const elements = childrenOf(assertion, namespaces.assertion, 'AttributeStatement').flatMap((statement) =>
    childrenOf(statement, namespaces.assertion, 'Attribute'),
  )
  const byName = new Map<string, string[]>()
  for (const element of elements) {
    const name = element.attributes.get('Name') ?? ''
    byName.set(name, [...(byName.get(name) ?? []), ...childrenOf(element, namespaces.assertion, 'AttributeValue').map(textIn)])
  }
  for (const { attributes } of elements) {
    const friendly = attributes.get('FriendlyName')
    const values = byName.get(attributes.get('Name') ?? '')
    if (friendly !== undefined && values && !byName.has(friendly)) byName.set(friendly, values)
  }
  return Object.fromEntries(byName)
}

/** No check where the provider has set no limit. */
function beginsBy(value: string | undefined, now: Date): Parameters<Checks['add']>[] {
  if (value === undefined) return []
  const time = timeOf(value)
  const isPast = time !== undefined && time.getTime() <= now.getTime() + skewMilliseconds
  return [['not_before', say('before', now.toISOString()), value, isPast]]
}

function endsAfter(check: 'not_on_or_after' | 'exp' | 'session_end', value: string | undefined, now: Date): Parameters<Checks['add']>[] {
  if (value === undefined) return []
  const time = timeOf(value)
  const isFuture = time !== undefined && time.getTime() > now.getTime() - skewMilliseconds
  return [[check, say('after', now.toISOString()), value === '' ? undefined : value, isFuture]]
}

/** What ends at a time by the provider's clock ends here when it has ended by any clock that we accept. */
const withSkew = (time: Date | undefined) => time && notBeyondYears(new Date(time.getTime() + skewMilliseconds))

/** Of a day that there is not, such as the 30th of February, a Date makes the 2nd of March. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date)
}

/** A time in UTC, as SAML has it (Core §1.3.3), in the years 1 to 9999; undefined for anything else. */
export function timeOf(value: string | undefined): Date | undefined {
  if (value === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/.test(value)) return undefined
  const time = new Date(value.replace(/(\.\d{3})\d+Z$/, '$1Z'))
  return isStorableTime(time) && isDay(value.slice(0, 10)) ? time : undefined
}
