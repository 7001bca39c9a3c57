/** An API of another company, with what can be allowed there. */
interface Resource {
  identifier: string
  scopes: readonly string[]
}

/** What a client may do at resources of another company, and for which users. */
interface Grant extends Membership {
  clientId: string
  /** What the client is called there; null for the address of its document. */
  downstreamClientId: string | null
  resources: readonly string[]
  scopes: readonly string[]
}

/** What a client asks for: at which resources, and with which scopes; without scopes, with all that it may have. */
export interface AskedThere {
  clientId: string
  resources: readonly string[]
  scopes: readonly string[] | undefined
}

/** What a user belongs to. */
export interface Membership {
  roleIds: readonly string[]
  teamIds: readonly string[]
}

export interface AllowedThere {
  /** The name of the client at the other authorization server. */
  downstreamClientId: string | null
  scopes: string[]
}

/**
 * What a client may do for a user at resources of another authorization server; undefined when no grant names the client, each of the
 * resources and the user. Several grants add up if they name the client there alike: the first one decides which name that is.
 */
export function decideGrants(
  { resources, grants }: { resources: readonly Resource[]; grants: readonly Grant[] },
  asked: AskedThere,
  user: Membership,
): AllowedThere | undefined {
  const matching = grants.filter((grant) => isFor(grant, asked, user))
  const [first] = matching
  if (!first) return undefined
  const { downstreamClientId } = first
  const granted = matching.filter((grant) => grant.downstreamClientId === downstreamClientId).flatMap(({ scopes }) => scopes)
  const defined = resources.filter(({ identifier }) => asked.resources.includes(identifier)).flatMap(({ scopes }) => scopes)
  const wanted = asked.scopes ?? defined
  return { downstreamClientId, scopes: [...new Set(wanted)].filter((scope) => defined.includes(scope) && granted.includes(scope)) }
}

const isFor = (grant: Grant, { clientId, resources }: AskedThere, user: Membership): boolean =>
  grant.clientId === clientId && resources.every((identifier) => grant.resources.includes(identifier)) && isForUser(grant, user)

/** A grant that names neither roles nor teams is for every user; else one of them has to be the user's. */
const isForUser = ({ roleIds, teamIds }: Membership, user: Membership): boolean =>
  (roleIds.length === 0 && teamIds.length === 0) ||
  roleIds.some((id) => user.roleIds.includes(id)) ||
  teamIds.some((id) => user.teamIds.includes(id))
