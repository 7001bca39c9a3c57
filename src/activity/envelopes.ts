import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Actor } from './actor.ts'
import { catalogue, type Occurrence } from './catalogue.ts'

/** The start of the bodies that report one event, in both variants; the rest is the same in all. */
export interface EnvelopeHead {
  /** `evt_…`: the same for every endpoint that receives the event. */
  id: string
  name: string
  head_a: string
  head_b: string
}

/** The head of an event, with the position of its data among those of all occurrences that are recorded together. */
export interface PlacedHead extends EnvelopeHead {
  place: number
}

/**
 * The bodies of the events of occurrences, cut in two: only the database knows which variant a subscriber wants, and
 * the data, by far the larger part, is sent there once.
 */
export function envelopesOf(
  { now, organisationId }: Pick<Tenant, 'now' | 'organisationId'>,
  actor: Actor,
  occurrences: readonly Occurrence[],
): { heads: PlacedHead[]; tails: readonly string[] } {
  const heads = occurrences.flatMap(({ action }, index) =>
    // Positions count from 1, as in PostgreSQL.
    catalogue[action].events.map((name) => ({
      ...headsOf(newId('evt', now), name, now, organisationId),
      place: index + 1,
    })),
  )
  return { heads, tails: occurrences.map((occurrence) => tailOf(dataOf(actor, occurrence))) }
}

export function headsOf(id: string, name: string, at: Date, organisationId: string): EnvelopeHead {
  const time = at.toISOString()
  return {
    id,
    name,
    head_a: opening({ event: name, timestamp: time, organisationId }),
    head_b: opening({ id, type: name, createdAt: time, organisationId }),
  }
}

export const tailOf = (data: object): string => `${JSON.stringify(data)}}`

const opening = (fields: object): string => `${JSON.stringify(fields).slice(0, -1)},"data":`

/** The objects concerned under their types' names, and the actor, if any. */
function dataOf({ actorId, actorType, email }: Actor, { action, changes, metadata, ...objects }: Occurrence): object {
  const { user } = objects
  return {
    ...objects,
    ...(user && { user: withoutMetadata(user) }),
    ...(actorId !== null && { actor: { id: actorId, type: actorType, email } }),
  }
}

/** What an organisation stores of a user for itself and its tokens is not for every receiver. */
function withoutMetadata({ metadata, ...user }: Readonly<Record<string, unknown>>): object {
  return user
}
