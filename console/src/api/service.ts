import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** The configuration of the service, which does not change while it runs. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/service', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** What the published metadata say of the extensions that the operator has switched on. They do not change while the service runs. */
export const extensionsQuery = queryOptions({
  queryKey: ['service', 'extensions'],
  async queryFn({ signal }) {
    const response = await fetch('/.well-known/openid-configuration', { credentials: 'omit', signal })
    if (!response.ok) throw new Error(`The metadata of the service were answered with HTTP ${response.status}`)
    const metadata = (await response.json()) as Record<string, unknown>
    const { token_endpoint_auth_methods_supported: methods } = metadata
    return {
      /** Whether applications may act for users by assertions of identity providers. */
      identityAssertions: 'authorization_grant_profiles_supported' in metadata,
      /** Whether applications may introduce themselves by documents. */
      clientDocuments: metadata.client_id_metadata_document_supported === true,
      /** Whether a client that signs itself can be held to the FAPI 2.0 profile. */
      highAssurance:
        Array.isArray(methods) &&
        methods.includes('private_key_jwt') &&
        'pushed_authorization_request_endpoint' in metadata &&
        'dpop_signing_alg_values_supported' in metadata,
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
