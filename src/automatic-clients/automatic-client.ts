import type { Said } from '../../shared/checks/said.ts'
import type { ClientAlgorithm, PublicKeySet, SigningAlgorithm } from '../platform/database/column-types.ts'

/** How an automatic client authenticates: not at all, or by one of its keys. It shares no secret with this service. */
export interface KeysOfAutomaticClient {
  tokenEndpointAuthMethod: 'none' | 'private_key_jwt'
  jwks: PublicKeySet | null
  /** Where it publishes its keys instead. */
  jwksUri: string | null
  tokenEndpointAuthSigningAlg: ClientAlgorithm | null
}

export const withoutKeys: KeysOfAutomaticClient = {
  tokenEndpointAuthMethod: 'none',
  jwks: null,
  jwksUri: null,
  tokenEndpointAuthSigningAlg: null,
}

/** A client that no administrator has registered, as its document or its registration describes it: before any organisation knows it. */
export interface AutomaticClient extends KeysOfAutomaticClient {
  /** Its client_id, the same in every organisation. */
  clientId: string
  origin: 'registration' | 'metadata_document'
  name: string
  redirectUris: string[]
  grantTypes: string[]
  idTokenSignedResponseAlg: SigningAlgorithm
  /** The address of its logo at this service. */
  logoUrl: string | null
  /** Changes with everything that a consent rests on: a consent holds only for the version that it was given for. */
  version: string
  /** The host that vouches for it; null if none does. */
  host: string | null
  /** The address from which it registered itself. */
  registeredFrom?: string | null
}

/** One way in which applications introduce themselves. */
export interface AutomaticClientSource {
  /** Whether a client_id has its form. It reads nothing. */
  recognises(clientId: string): boolean
  /**
   * @param address that of the caller, where any stranger can be the caller: what it causes to be fetched is counted by its network
   * @returns undefined when there is no such client
   * @throws AutomaticClientRefused
   */
  find(clientId: string, address?: string): Promise<AutomaticClient | undefined>
  /** Whether there may be such a client, as far as this service itself knows: it asks no other. */
  mayExist(clientId: string): Promise<boolean>
  /**
   * Has the rows of a client that authenticates by a key hold the keys that it has now. While they cannot be read, those that were read last
   * serve for a day after their time.
   *
   * @throws AutomaticClientRefused
   */
  renewKeys(clientId: string): Promise<void>
}

/** All automatic clients that the operator's extensions let in. */
export type AutomaticClients = AutomaticClientSource

export function automaticClientsOf(sources: readonly AutomaticClientSource[]): AutomaticClients {
  const sourceOf = (clientId: string) => sources.find((source) => source.recognises(clientId))
  return {
    recognises: (clientId) => sourceOf(clientId) !== undefined,
    find: async (clientId, address) => sourceOf(clientId)?.find(clientId, address),
    mayExist: async (clientId) => (await sourceOf(clientId)?.mayExist(clientId)) ?? false,
    renewKeys: async (clientId) => sourceOf(clientId)?.renewKeys(clientId),
  }
}

/** Why an automatic client cannot be served, in words for those who support the application. */
export class AutomaticClientRefused extends Error {
  /** Whether it cannot be used as it is, or only too much is asked at present. */
  readonly reason: 'unusable' | 'limit'
  readonly expected: string | Said | undefined
  readonly received: string | Said | undefined
  /** Seconds to wait, for a limit. */
  readonly retryAfter: string | undefined

  constructor(
    reason: 'unusable' | 'limit',
    detail: string,
    { expected, received, retryAfter }: { expected?: string | Said; received?: string | Said; retryAfter?: string } = {},
  ) {
    super(detail)
    this.name = 'AutomaticClientRefused'
    this.reason = reason
    this.expected = expected
    this.received = received
    this.retryAfter = retryAfter
  }
}
