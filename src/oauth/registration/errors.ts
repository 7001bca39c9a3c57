/** How a registration is refused: RFC 7591 §3.2.2, RFC 6750 §3.1. */
import { say } from '../../../shared/checks/said.ts'
import { OAuthError } from '../protocol/errors.ts'

/** Visible ASCII without what may not stand in a description (RFC 6749 §5.2). */
const describable = (text: string) =>
  text
    .replaceAll(/["\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 300)

const refused = (code: 'invalid_redirect_uri' | 'invalid_client_metadata', member: string, mistake: string) =>
  new OAuthError(code, describable(`${member}: ${mistake}`), { name: 'registration', expected: describable(mistake), received: member })

export const invalidMetadata = (member: string, mistake: string) => refused('invalid_client_metadata', member, mistake)

/** @param index of the address; undefined when the list itself is the mistake */
export const invalidRedirectUri = (index: number | undefined, mistake: string) =>
  refused('invalid_redirect_uri', index === undefined ? 'redirect_uris' : `redirect_uris.${index}`, mistake)

/** A token that does not exist, has ended, or is of another client or of an organisation that is not running: which one it is, the response does not say. */
export const invalidRegistrationToken = () =>
  new OAuthError('invalid_token', 'the token is not valid for this registration', {
    name: 'access_token',
    expected: say('a-valid-one'),
    received: say('another-value'),
  })

export const registrationTokenMissing = () =>
  new OAuthError('invalid_token', 'send a token as Authorization: Bearer', { name: 'access_token', expected: say('a-valid-one') })
