/** The document of RFC 9728 §2, by which clients find the authorization server of an API. */
export interface ResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported?: string[]
  resource_name?: string
  bearer_methods_supported: string[]
  dpop_signing_alg_values_supported?: string[]
  dpop_bound_access_tokens_required?: boolean
  tls_client_certificate_bound_access_tokens?: boolean
}

/** Where the document has to be (RFC 9728 §3.1): the well-known path stands before that of the resource. */
export function metadataAddress(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`
}
