import { CompiledQuery } from 'kysely'
import type { BrowserSession } from '../../access/caller.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { StoredRequest } from './stored-requests.ts'

// The waiting request is used up and the session held until the code is there: neither can end in between. What ends a user
// ends the sessions too, so holding the session is enough.
const insertCode = `
  with request as (
    delete from authorization_requests where organisation_id = $1 and reference_hash = $2 returning client_id
  ), allowed as (
    select s.id, s.user_id, s.authenticated_at, s.authentication_methods
    from sessions s join users u on u.organisation_id = s.organisation_id and u.id = s.user_id
    where s.organisation_id = $1 and s.id = $3 and s.revoked_at is null and u.blocked_at is null and u.deleted_at is null
    for share of s
  )
  insert into authorization_codes (organisation_id, code_hash, client_id, user_id, session_id, family_id, redirect_uri,
    redirect_uri_sent, scope, nonce, code_challenge, code_challenge_method, authenticated_at, authentication_methods,
    created_at, expires_at)
  select $1, $4, $5, user_id, id, $6, $7, $8::boolean, $9::text[], $10, $11, $12, authenticated_at, authentication_methods,
    $13::timestamptz, $13::timestamptz + make_interval(secs => $14)
  from allowed where $2::text is null or exists (select from request)
  returning code_hash`

/**
 * Issues an authorization code (RFC 6749 §4.1.2) for the browser session, at the price of the request that waited.
 *
 * @returns undefined when the session has ended meanwhile, or the request has been answered before
 */
export async function issueCode(
  database: Database,
  client: OAuthClient,
  browserSession: BrowserSession,
  request: StoredRequest,
  referenceHash: string | null,
): Promise<string | undefined> {
  const code = newSecret()
  const now = database.clock.now()
  const { rows } = await database.engine.change(
    CompiledQuery.raw(insertCode, [
      client.organisationId,
      referenceHash,
      browserSession.caller.session.id,
      hashSecret(code),
      client.id,
      newId('fam', now),
      request.redirectUri,
      request.redirectUriSent,
      request.scope,
      request.nonce ?? null,
      request.pkce?.challenge ?? null,
      request.pkce?.method ?? null,
      now,
      client.authorizationCodeTtl,
    ]),
  )
  return rows.length > 0 ? code : undefined
}
