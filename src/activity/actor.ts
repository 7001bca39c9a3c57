/** The person or program that does something, and the origin of the request. */
export interface Actor {
  readonly actorType: 'user' | 'api_key' | 'client' | 'directory' | 'setup_link' | 'system'
  /** Null for the system, and for a caller who could not be identified. */
  readonly actorId: string | null
  readonly email?: string
  /** The present name: the audit log stores it with the id. */
  readonly name?: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** The id of the request, as in `X-Request-Id` of its response; null for the system in a job. */
  readonly requestId: string | null
  /** The sign-in that the actor's session came from, or that is in progress. */
  readonly signInId?: string | null | undefined
  /** The application that requested this sign-in. */
  readonly waitingClient?: WaitingClient | undefined
  /** Added to the metadata of each of the actor's entries. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface WaitingClient {
  readonly id: string
  readonly organisationId: string
}

/** The origin of a request and the sign-in that it belongs to, whether or not its caller is known. */
export type Origin = Pick<Actor, 'ipAddress' | 'userAgent' | 'requestId' | 'signInId' | 'waitingClient'>

/** A user who has proven who they are, whether or not a session has begun. */
export const userActor = ({ id, email, name }: { id: string; email: string; name: string }, origin: Origin): Actor => ({
  actorType: 'user',
  actorId: id,
  email,
  name,
  ...origin,
})

/** The service itself, in a job. */
export const systemActor: Actor = { actorType: 'system', actorId: null, ipAddress: null, userAgent: null, requestId: null }

export const commandActor = (operatingSystemUser: string): Actor => ({ ...systemActor, actorId: 'cli', metadata: { operatingSystemUser } })

/** The metadata of an entry together with the actor's own, as JSON; null when both are empty. */
export function metadataOf({ metadata: own }: Actor, metadata: Record<string, unknown> | undefined): string | null {
  if (!own && !metadata) return null
  return JSON.stringify(own ? { ...metadata, ...own } : metadata)
}
