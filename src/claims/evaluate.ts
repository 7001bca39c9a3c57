/** What mappings add to a token. It is pure, and runs once for each token of a client or resource server that has mappings. */
import type { ClaimMapping, ClaimTarget } from '../platform/database/column-types.ts'
import { convert } from './convert.ts'
import { type Pointer, parsePointer, valueAt } from './pointers.ts'

/** The most that mappings add to a token, in bytes of JSON. */
export const addedBytesMax = 4 * 1024

/** What mappings take their values from, as the row that issuing reads has it: only what its mappings name. */
export interface ClaimSources {
  metadata?: Record<string, unknown> | null
  /** Slugs, in any order. */
  roles?: readonly string[]
  teams?: readonly string[]
  organisation?: { slug: string; metadata: Record<string, unknown> | null }
  /** The claims of the identity by which the session came; absent for a session without one. */
  identity?: Record<string, unknown> | null
}

export interface Evaluation {
  target: ClaimTarget
  /** The granted scope. */
  scope: readonly string[]
  sources: ClaimSources
  /** Undefined for a token of the client itself, which no user and no session is behind. */
  user: { acr: string | null } | undefined
}

export interface AddedClaims {
  claims: Record<string, unknown>
  /** The mappings that were left out, since the token would have become too large. */
  tooLarge: readonly string[]
}

/**
 * Merges the mappings of a client with those of the resource servers that a token is for. Of several for one claim, that of the first
 * resource server wins, and the client's comes last.
 */
export function mappingsFor(
  target: ClaimTarget,
  ofClient: readonly ClaimMapping[] | null,
  ofResourceServers: readonly (readonly ClaimMapping[] | null)[] = [],
): ClaimMapping[] {
  if (ofResourceServers.length === 0) return ofClient?.filter((mapping) => mapping.in.includes(target)) ?? []
  const found = new Map<string, ClaimMapping>()
  for (const mappings of [...ofResourceServers, ofClient]) {
    for (const mapping of mappings ?? []) if (mapping.in.includes(target) && !found.has(mapping.name)) found.set(mapping.name, mapping)
  }
  return [...found.values()]
}

/** Evaluates mappings of one target. */
export function evaluateClaims(mappings: readonly ClaimMapping[], { scope, sources, user }: Omit<Evaluation, 'target'>): AddedClaims {
  const claims: Record<string, unknown> = {}
  for (const { name, from, as, scope: needed, default: standIn } of mappings) {
    if (needed !== undefined && !scope.includes(needed)) continue
    const pointer = typeof from === 'string' ? parsePointer(from) : undefined
    if (pointer && !user && !isOfOrganisation(pointer)) continue
    const found = typeof from === 'string' ? pointer && sourceValue(pointer, sources, user?.acr ?? null) : from.value
    const value = convert(found, as) ?? standIn
    if (value !== undefined && value !== null) claims[name] = value
  }
  return withinSize(claims)
}

/** The sources that several rows have read, each for its own mappings. */
export function mergeSources(several: readonly (ClaimSources | null | undefined)[]): ClaimSources {
  const merged: ClaimSources = {}
  for (const sources of several) {
    const organisation = sources?.organisation
    const metadata = organisation?.metadata ?? merged.organisation?.metadata ?? null
    Object.assign(merged, sources, organisation && { organisation: { slug: organisation.slug, metadata } })
  }
  return merged
}

const isOfOrganisation = ({ kind }: Pointer) => kind === 'organisation-slug' || kind === 'organisation-metadata'

function sourceValue(pointer: Pointer, sources: ClaimSources, acr: string | null): unknown {
  switch (pointer.kind) {
    case 'user-metadata':
      return valueAt(sources.metadata, pointer.path)
    case 'organisation-metadata':
      return valueAt(sources.organisation?.metadata, pointer.path)
    case 'identity':
      return valueAt(sources.identity, [pointer.claim])
    case 'user-teams':
      return inOrder(sources.teams)
    case 'user-roles':
      return inOrder(sources.roles)
    case 'organisation-slug':
      return sources.organisation?.slug
    case 'session-acr':
      return acr
  }
}

const inOrder = (slugs: readonly string[] | undefined) => slugs && [...new Set(slugs)].sort()

function withinSize(claims: Record<string, unknown>): AddedClaims {
  if (bytesOf(claims) <= addedBytesMax) return { claims, tooLarge: [] }
  const fitting: Record<string, unknown> = {}
  const tooLarge: string[] = []
  let room = addedBytesMax - 2
  for (const [name, value] of Object.entries(claims)) {
    // Without its braces, and with a comma.
    const bytes = bytesOf({ [name]: value }) - 1
    if (bytes - 1 > room) tooLarge.push(name)
    else {
      room -= bytes
      fitting[name] = value
    }
  }
  return { claims: fitting, tooLarge }
}

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value))

/** The claims of a token with those that mappings add. What is there without them stays as it is. */
export const withAdded = <Claims extends object>(claims: Claims, added: Record<string, unknown> | undefined): Claims =>
  added === undefined ? claims : { ...added, ...claims }
