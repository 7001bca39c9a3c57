import type { NameId } from '../saml/identity.ts'
import type { Claims } from '../upstream/checks.ts'

const microsoft = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

const microsoftGroups = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'
/** What Microsoft Entra sends in place of more than 150 groups. */
const microsoftGroupsLink = 'http://schemas.microsoft.com/claims/groups.link'

/** The names that providers give to what OpenID Connect calls so: eduPerson, Microsoft, and those that consoles suggest. */
const knownNames: Readonly<Record<string, readonly string[]>> = {
  email: ['urn:oid:0.9.2342.19200300.100.1.3', `${microsoft}/emailaddress`, 'mail', 'emailAddress', 'Email', 'User.email'],
  given_name: ['urn:oid:2.5.4.42', `${microsoft}/givenname`, 'givenName', 'firstName', 'FirstName', 'User.FirstName', 'first_name'],
  family_name: ['urn:oid:2.5.4.4', `${microsoft}/surname`, 'sn', 'surname', 'lastName', 'LastName', 'User.LastName', 'last_name'],
  name: ['urn:oid:2.16.840.1.113730.3.1.241', 'http://schemas.microsoft.com/identity/claims/displayname', 'displayName'],
  groups: [
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    microsoftGroups,
    'http://schemas.xmlsoap.org/claims/Group',
    'isMemberOf',
    'memberOf',
    'Groups',
    'groups',
  ],
}
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** The attributes as claims: one value as a text, several as a list. What is known by another name is found by that of OpenID Connect, too. */
export function withKnownNames(attributes: Readonly<Record<string, readonly string[]>>, nameId: NameId | undefined): Claims {
  const claims = new Map<string, unknown>(
    Object.entries(attributes).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
  for (const [name, others] of Object.entries(knownNames)) {
    const other = others.find((one) => claims.has(one))
    if (!claims.has(name) && other !== undefined) claims.set(name, claims.get(other))
  }
  if (!claims.has('email') && nameId?.format === emailFormat) claims.set('email', nameId.value)
  // As by OpenID Connect: where the groups are instead.
  if (claims.has(microsoftGroupsLink) && !claims.has('groups')) {
    claims.set('_claim_names', { groups: microsoftGroupsLink, [microsoftGroups]: microsoftGroupsLink })
  }
  return Object.fromEntries(claims)
}
