import type { Connection } from './queries.ts'

/** The settings of a connection that say how it names accounts. */
export type NamingConnection = Pick<Connection, 'provider' | 'configuration'>

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The subject of the account that a directory calls so. Microsoft names an account by its tenant, too, which a connection of one tenant alone
 * says. Of a NameID, a directory says the value alone: the whole is known once its user has signed in.
 */
export function subjectNamed({ provider, configuration: { tenant } }: NamingConnection, externalId: string): string {
  const isOfOneTenant = provider === 'microsoft' && typeof tenant === 'string' && guid.test(tenant.toLowerCase())
  return isOfOneTenant ? `${tenant.toLowerCase()}.${externalId}` : externalId
}

/** Whether a subject is the account that a directory calls so. */
export const isNamed = (connection: NamingConnection, externalId: string, subject: string): boolean =>
  subject === subjectNamed(connection, externalId) || valueOfNameId(connection, subject) === externalId

/** The value of the NameID that a subject is; undefined where subjects are something else, as attributes are, whatever they look like. */
export function valueOfNameId(connection: NamingConnection, subject: string): string | undefined {
  if (!isKnownByNameId(connection)) return undefined
  try {
    const [value, ...others] = JSON.parse(subject)
    return typeof value === 'string' && others.length === 3 ? value : undefined
  } catch {
    // The name that a directory has given, until its user has signed in.
    return undefined
  }
}

/** How the subjects begin whose NameID has this value; undefined where subjects are something else. */
export const beginningOfNameId = (connection: NamingConnection, value: string): string | undefined =>
  isKnownByNameId(connection) ? `[${JSON.stringify(value)},` : undefined

const isKnownByNameId = ({ provider, configuration: { subjectAttribute } }: NamingConnection): boolean =>
  provider === 'saml' && (subjectAttribute === undefined || subjectAttribute === null)
