import type { severalSessionCookiesOnPage } from '../access/refusals.ts'
import type { emailTaken } from '../accounts/refusals.ts'
import type * as federationRefusals from '../connections/federation/refusals.ts'
import type * as connectionRefusals from '../connections/refusals.ts'
import type { identityNotFound } from '../connections/refusals.ts'
import type * as domainRefusals from '../domains/refusals.ts'
import type { ssoRequired } from '../domains/refusals.ts'
import type { invalidEmailCode } from '../email-codes/refusals.ts'
import type { invalidInvitation } from '../invitations/refusals.ts'
import type * as mfaRefusals from '../mfa/refusals.ts'
import type * as authorizationRefusals from '../oauth/authorization/refusals.ts'
import type { trialLimitReached } from '../organisations/refusals.ts'
import type * as passkeyRefusals from '../passkeys/refusals.ts'
import type * as passwordRefusals from '../passwords/refusals.ts'
import type { PasswordMistakeReason } from '../passwords/rules.ts'
import type { CodesOf } from '../platform/http/problem.ts'
import type { invalidUrl, tooManyPasswords, urlNotHttps } from '../platform/http/refusals.ts'
import type * as setupRefusals from '../setup-links/refusals.ts'
import type * as signInRefusals from '../sign-in/refusals.ts'

/** Every refusal that a page can show with words of its own: the catalogues have a text for each. */
export type RefusalOnPage =
  | Exclude<CodesOf<typeof signInRefusals> | CodesOf<typeof mfaRefusals> | CodesOf<typeof passwordRefusals>, 'unsuitable-password'>
  | (
      | typeof invalidInvitation
      | typeof invalidEmailCode
      | typeof trialLimitReached
      | typeof emailTaken
      | typeof severalSessionCookiesOnPage
      | typeof tooManyPasswords
      | typeof ssoRequired
    )['code']
  | Exclude<CodesOf<typeof passkeyRefusals>, 'invalid-encoding' | 'owner-passkeys-only-by-the-owner' | 'no-related-origins'>
  | CodesOf<typeof federationRefusals>
  | CodesOf<typeof authorizationRefusals>
  | (typeof identityNotFound)['code']
  | Extract<CodesOf<typeof setupRefusals>, 'invalid-setup-link' | 'setup-link-ended' | 'setup-step-taken' | 'setup-step-missing'>
  | Extract<
      CodesOf<typeof domainRefusals>,
      'domain-record-not-found' | 'domain-of-another-organisation' | 'domain-taken' | 'public-suffix' | 'invalid-domain'
    >
  | Extract<
      CodesOf<typeof connectionRefusals>,
      | ('metadata-unreadable' | 'not-https-address' | 'issuer-with-more' | 'provider-address-not-allowed')
      | ('invalid-tenant' | 'needed-for-test')
    >
  | (typeof invalidUrl | typeof urlNotHttps)['code']
  | PasswordMistakeReason
