import { z } from 'zod'
import { redirectUriLengthMax } from '../organisations/rules.ts'
import { checked, mistakeOfRedirectUri } from '../organisations/schemas.ts'
import { plainText } from '../platform/http/fields.ts'
import type { FieldError } from '../platform/http/problem.ts'
import { urlNotHttps } from '../platform/http/refusals.ts'

const mistakeOfLogoutUri = (uri: string): FieldError | undefined =>
  mistakeOfRedirectUri(uri) ?? (/^https:/i.test(uri) ? undefined : urlNotHttps([]))

/** The fields of a client that say how it learns of the end of sessions (OpenID Connect Back-Channel Logout 1.0 §2.2). */
export const logoutFields = {
  backchannelLogoutUri: checked(plainText().min(1).max(redirectUriLengthMax), mistakeOfLogoutUri).nullable().meta({
    description:
      'Where logout tokens are sent when a session ends in which the client has got tokens: https, without a fragment, to a destination that webhooks may have; null for none. Needs the extension `backchannel_logout`',
    example: 'https://portal.acme.test/backchannel-logout',
  }),
  backchannelLogoutSessionRequired: z.boolean().meta({
    description:
      'Whether the client needs `sid` in logout tokens. They always contain it, so this only records what the client has registered. Needs the extension `backchannel_logout`',
  }),
  backchannelLogoutRevokesRefresh: z.boolean().meta({
    description:
      'Whether what the client holds by a session ends with the session, refresh tokens among it. Needs the extension `backchannel_logout`',
  }),
}

/** The same fields as records show them. */
export const shownLogoutFields = {
  backchannelLogoutUri: z.string().nullable().meta({
    description: 'Where logout tokens are sent when a session ends; null for none',
    example: 'https://portal.acme.test/backchannel-logout',
  }),
  backchannelLogoutSessionRequired: logoutFields.backchannelLogoutSessionRequired,
  backchannelLogoutRevokesRefresh: logoutFields.backchannelLogoutRevokesRefresh,
}
