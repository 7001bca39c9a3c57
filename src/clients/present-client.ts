import { tokenLifetimesOf } from '../organisations/rules.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import { type Client, clientSettings } from './queries.ts'
import type { ClientRecord } from './schemas.ts'

export const clientVersion = defineVersion<ClientRecord>([...clientSettings, 'isActive'])

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
