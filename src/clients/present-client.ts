import { changeOf } from '../activity/change-of.ts'
import { tokenLifetimesOf } from '../organisations/rules.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import { type Client, clientSettings } from './queries.ts'
import { clientNotFound } from './refusals.ts'
import { usesSecret } from './rules.ts'
import type { ClientRecord } from './schemas.ts'

type ClientInHistory = Omit<ClientRecord, 'lastUsedAt' | 'secret' | 'registration'>

export const clientVersion = defineVersion<ClientInHistory>([...clientSettings, 'isActive'])

/** Presents a client for events and the audit log. */
export function presentClient(client: Client): ClientInHistory {
  const {
    tokenLifetimePolicy,
    tokensValidAfter,
    deletedAt,
    lastUsedAt,
    secretCreatedAt,
    secretLastUsedAt,
    previousSecretExpiresAt,
    automaticClientId,
    consentVersion,
    registrationTokenId,
    registeredFrom,
    ...shown
  } = client
  return {
    ...shown,
    clientId: automaticClientId ?? client.id,
    metadataUrl: client.origin === 'metadata_document' ? automaticClientId : null,
    claimMappings: client.claimMappings ?? [],
    federatedCredentials: client.federatedCredentials ?? [],
    ...effectiveLifetimes(client, tokenLifetimesOf(tokenLifetimePolicy)),
    createdAt: presentTime(client.createdAt),
    updatedAt: presentTime(client.updatedAt),
  }
}

export const clientChange = changeOf({
  notFound: clientNotFound,
  version: clientVersion,
  present: presentClient,
  updated: (client) => ({ action: 'client.updated', client }),
  deleted: (client) => ({ action: 'client.deleted', client }),
})

/** Presents a client for the API, with its use. */
export function presentClientRecord(client: Client): ClientRecord {
  return {
    ...presentClient(client),
    registration:
      client.origin === 'registration' ? { registrationTokenId: client.registrationTokenId, ipAddress: client.registeredFrom } : null,
    lastUsedAt: presentTime(client.lastUsedAt),
    secret: !usesSecret(client.tokenEndpointAuthMethod)
      ? null
      : {
          createdAt: presentTime(client.secretCreatedAt ?? client.createdAt),
          lastUsedAt: presentTime(client.secretLastUsedAt),
          previousValidUntil: presentTime(client.previousSecretExpiresAt),
        },
  }
}
