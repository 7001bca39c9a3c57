import { say } from '../../../shared/checks/said.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { Checks } from './checks.ts'
import { checkToken, decodeIdToken } from './id-token.ts'
import { discover, type OpenIdSession, presetOf } from './open-id-connect.ts'
import { identifierOf } from './presets.ts'
import { checkSignature } from './signature.ts'

/** The sessions that an identity provider has ended: those of a subject, a single session, or both. */
export interface UpstreamLogout {
  subject: string | undefined
  sessionId: string | undefined
  /** The id of the token, which counts once. */
  jti: string
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
const types = ['logout+jwt', 'application/logout+jwt', 'jwt']

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6), except for replay. Its claims are checked before
 * its signature: no key is fetched for another issuer's token.
 *
 * @throws UpstreamRefusal
 */
export async function checkLogoutToken(session: OpenIdSession, token: string): Promise<UpstreamLogout> {
  const { settings, now } = session
  const { configuration } = settings
  const preset = presetOf(settings)
  const checks = new Checks()
  const decoded = decodeIdToken(token)
  if (!decoded) return checks.fail('logout_token', say('a-signed-jwt'), token === '' ? undefined : say('something-else'), 'browser')
  const { header, claims } = decoded
  const { typ } = header
  checks.add('typ', 'logout+jwt', typ, typ === undefined || (typeof typ === 'string' && types.includes(typ.toLowerCase())))
  const events = isJsonObject(claims.events) ? claims.events : {}
  checks.add('events', event, claims.events, isJsonObject(events[event]))
  checks.add('nonce', say('none'), claims.nonce, claims.nonce === undefined)
  const jti = identifierOf(claims.jti)
  checks.add('jti', say('an-identifier'), claims.jti, jti !== undefined)
  const { sub, sid } = claims
  const subject = sub === undefined ? undefined : preset.subjectOf(claims)
  const sessionId = identifierOf(sid)
  const isNamed = (sub === undefined) === (subject === undefined) && (sid === undefined) === (sessionId === undefined)
  checks.add(
    'sub_or_sid',
    say('one-or-both'),
    [sub, sid].filter((value) => value !== undefined),
    isNamed && (sub ?? sid) !== undefined,
  )
  checks.require('browser')

  const discovered = await discover(session, settings.secrets[0] ?? '', checks)
  checkToken(decoded, { issuer: discovered.serverMetadata().issuer, now, mayLackExpiry: true }, { preset, configuration }, checks)
  checks.require('browser')
  await checkSignature(session, token, checks)
  return { subject, sessionId, jti: jti ?? '' }
}
