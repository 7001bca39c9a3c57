/** Who does something, and from where. */
export interface Actor {
  readonly actorType: 'user' | 'api_key' | 'client' | 'system'
  /** Null for the system, and for a caller who could not be identified. */
  readonly actorId: string | null
  readonly email?: string
  /** As it is now: the audit log keeps it beside the id. */
  readonly name?: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** Names the request, as `X-Request-Id` of its response does; null for the system in a job. */
  readonly requestId: string | null
  /** The sign-in by which they came, or which they are making. */
  readonly signInId?: string | null | undefined
  /** The application that waits for that sign-in. */
  readonly waitingClient?: WaitingClient | undefined
  /** What stands in the metadata of each of their entries. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface WaitingClient {
  readonly id: string
  readonly organisationId: string
}

/** From where a request comes, and for which sign-in, whether or not its caller is known. */
export type Origin = Pick<Actor, 'ipAddress' | 'userAgent' | 'requestId' | 'signInId' | 'waitingClient'>

/** A user who has proven to be one, whether or not a session has begun. */
export const userActor = ({ id, email, name }: { id: string; email: string; name: string }, origin: Origin): Actor => ({
  actorType: 'user',
  actorId: id,
  email,
  name,
  ...origin,
})

/** The service itself, in a job. */
export const systemActor: Actor = { actorType: 'system', actorId: null, ipAddress: null, userAgent: null, requestId: null }

/** Someone who uses the command `gatehouse`. */
export const commandActor = (operatingSystemUser: string): Actor => ({ ...systemActor, actorId: 'cli', metadata: { operatingSystemUser } })

/** The metadata of an entry, with the actor's own; null when there is none. As JSON. */
export function metadataOf({ metadata: own }: Actor, metadata: Record<string, unknown> | undefined): string | null {
  if (!own && !metadata) return null
  return JSON.stringify(own ? { ...metadata, ...own } : metadata)
}
