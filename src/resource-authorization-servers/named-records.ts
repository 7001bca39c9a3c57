import type { Tenant } from '../platform/database/database.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { findNamedClients } from '../resource-servers/queries.ts'
import { findRoles } from '../roles/queries.ts'
import { findTeams } from '../teams/queries.ts'
import type { ResourceAuthorizationServer } from './queries.ts'
import {
  clientHasNoDocument,
  clientNotFound,
  publicClientGetsNoAssertions,
  resourceNotListed,
  roleNotFound,
  scopeNotListed,
  teamNotFound,
} from './refusals.ts'

type Names = Pick<ResourceAuthorizationServer, 'audienceClientId' | 'resources' | 'grants'>

/**
 * The settings with the ids of roles and teams, which a request may also name by slug. What they name is locked against deletion.
 *
 * @param before what is stored: it may name what is gone since
 * @throws Problem `not-found` for the client; `bad-request` that points at everything that a grant names and that does not exist, is not allowed or not listed
 */
export async function withNamedRecords(
  tenant: Tenant,
  { audienceClientId, resources, grants }: Names,
  before: Pick<Names, 'grants'> = { grants: [] },
): Promise<Names> {
  const stored = new Set(before.grants.flatMap(({ clientId, roleIds, teamIds }) => [clientId, ...roleIds, ...teamIds]))
  const clients = await findNamedClients(tenant, [audienceClientId, ...grants.map(({ clientId }) => clientId)])
  const typeOf = new Map(clients.map(({ id, clientType }) => [id, clientType]))
  const roles = await findRoles(tenant, [...new Set(grants.flatMap(({ roleIds }) => roleIds))])
  const teams = await findTeams(tenant, [...new Set(grants.flatMap(({ teamIds }) => teamIds))])
  if (!typeOf.has(audienceClientId)) throw clientNotFound()
  const mistakes: FieldError[] = []
  const scopesOf = new Map(resources.map(({ identifier, scopes }) => [identifier, scopes]))

  const named = grants.map((grant, index) => {
    const at = (...path: (string | number)[]) => ['grants', index, ...path]
    const clientType = typeOf.get(grant.clientId)
    if (clientType === undefined && !stored.has(grant.clientId)) mistakes.push(unknownName(at('clientId'), clientNotFound))
    else if (clientType === 'public') mistakes.push(publicClientGetsNoAssertions(at('clientId')))
    if (grant.downstreamClientId === null) mistakes.push(clientHasNoDocument(at('downstreamClientId')))
    const defined = grant.resources.flatMap((identifier) => scopesOf.get(identifier) ?? [])
    for (const [place, identifier] of grant.resources.entries())
      if (!scopesOf.has(identifier)) mistakes.push(resourceNotListed(at('resources', place)))
    for (const [place, scope] of grant.scopes.entries()) if (!defined.includes(scope)) mistakes.push(scopeNotListed(at('scopes', place)))
    const roleIds = grant.roleIds.map((name, place) => {
      const role = roles.find(isNamed(name))
      if (!role && !stored.has(name)) mistakes.push(unknownName(at('roleIds', place), roleNotFound))
      return role?.id ?? name
    })
    const teamIds = grant.teamIds.map((name, place) => {
      const team = teams.find(isNamed(name))
      if (!team && !stored.has(name)) mistakes.push(unknownName(at('teamIds', place), teamNotFound))
      return team?.id ?? name
    })
    return { ...grant, roleIds: [...new Set(roleIds)], teamIds: [...new Set(teamIds)] }
  })
  if (mistakes.length > 0) throw invalidInput(mistakes)
  return { audienceClientId, resources, grants: named }
}

const isNamed =
  (name: string) =>
  ({ id, slug }: { id: string; slug: string }) =>
    id === name || slug === name
