import type { Database } from '../platform/database/database.ts'
import { findVerifiedDomain, isUsableConnection } from './queries.ts'
import { ssoRequired } from './refusals.ts'
import type { RequiredSso } from './required-sso.ts'
import { domainOfAddress, isDomain, type RequiredUser, requiredConnectionOf } from './rules.ts'

export interface SsoDependencies {
  database: Database
  publicUrl: string
  requiredSso: RequiredSso
}

interface Subject extends RequiredUser {
  organisationId: string
}

/** The requirement that the domain of an address sets for a sign-in. */
export interface SsoRequirement {
  /** Whether it binds a user, or an address without one. It never binds users of other organisations. */
  binds(user: Subject | undefined): boolean
  /** @param flowToken of the code that is mailed to users whom the requirement does not bind */
  refusal(flowToken?: string): ReturnType<typeof ssoRequired>
}

/** The refusal of a sign-in that bypasses the required connection, with the URL at which the sign-in through it begins. */
export const refuseForSso = (publicUrl: string, connectionId: string, flowToken?: string): ReturnType<typeof ssoRequired> =>
  ssoRequired({ id: connectionId, startUrl: `${publicUrl}/federation/${connectionId}/start` }, flowToken)

/** Undefined if the domain requires nothing. It costs no statement if no organisation requires single sign-on. */
export async function findSsoRequirement(
  { database, publicUrl, requiredSso }: SsoDependencies,
  email: string,
): Promise<SsoRequirement | undefined> {
  if (!requiredSso.isAny) return undefined
  const domain = await findVerifiedDomain(database, domainOfAddress(email))
  if (domain?.sso !== 'required' || domain.connectionId === null) return undefined
  const { organisationId, connectionId, bypassUserIds } = domain
  return {
    binds: (user) =>
      user === undefined ||
      (user.organisationId === organisationId && requiredConnectionOf({ connectionId, bypassUserIds }, user) !== undefined),
    refusal: (flowToken) => refuseForSso(publicUrl, connectionId, flowToken),
  }
}

interface ConnectionOfDomain {
  organisationId: string
  connectionId: string
  isRequired: boolean
}

/** The connection for the domain of an address; undefined if it leads to none. Nothing else about the address matters. */
export async function findConnectionOfDomain(database: Database, email: string): Promise<ConnectionOfDomain | undefined> {
  const name = domainOfAddress(email.trim())
  const domain = isDomain(name) ? await findVerifiedDomain(database, name) : undefined
  if (!domain || domain.sso === 'off' || domain.connectionId === null) return undefined
  const { organisationId, connectionId, sso } = domain
  const isRequired = sso === 'required'
  // Users who may sign in another way are not sent to a connection that does not work.
  if (!isRequired && !(await isUsableConnection(database.tenant(organisationId), connectionId))) return undefined
  return { organisationId, connectionId, isRequired }
}
