import { AuthorizationPageError, type AuthorizationPageReason, OAuthError, type OAuthErrorCode } from '../protocol/errors.ts'

const codeOf: { readonly [Reason in AuthorizationPageReason]?: OAuthErrorCode } = {
  'unknown-client': 'invalid_client',
  'unusable-client': 'invalid_client',
  'too-many-client-documents': 'temporarily_unavailable',
}

/** Has refusals of a browser sent to the client: here is no browser. */
export async function withoutPage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AuthorizationPageError)) throw error
    const { reason, detail, check, client, retryAfter } = error
    throw new OAuthError(codeOf[reason] ?? 'invalid_request', detail, check, { client, ...(retryAfter !== undefined && { retryAfter }) })
  }
}
