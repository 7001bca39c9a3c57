import { tokenLifetimesOf } from '../organisations/rules.ts'
import { presentTime } from '../platform/http/fields.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import type { Client } from './queries.ts'
import type { ClientRecord } from './schemas.ts'

/** A client as the API and events show it. */
export function presentClient(client: Client): ClientRecord {
  const { tokenLifetimePolicy, tokensValidAfter, deletedAt, ...shown } = client
  return {
    ...shown,
    clientId: client.id,
    ...effectiveLifetimes(client, tokenLifetimesOf(tokenLifetimePolicy)),
    createdAt: presentTime(client.createdAt),
    updatedAt: presentTime(client.updatedAt),
  }
}
