/** Every refusal of the service: what docs/errors.md and the pages of problems list. */
import { rateLimitTable } from '../access/rate-limits.ts'
import * as access from '../access/refusals.ts'
import * as users from '../accounts/refusals.ts'
import * as backchannelLogout from '../backchannel-logout/refusals.ts'
import * as claims from '../claims/refusals.ts'
import * as configuration from '../configuration/refusals.ts'
import * as federation from '../connections/federation/refusals.ts'
import * as emailCodes from '../email-codes/refusals.ts'
import * as idempotency from '../idempotency/refusals.ts'
import * as invitations from '../invitations/refusals.ts'
import * as authorization from '../oauth/authorization/refusals.ts'
import * as oauth from '../oauth/endpoints/refusals.ts'
import * as operations from '../operations/refusals.ts'
import * as organisations from '../organisations/refusals.ts'
import * as passkeys from '../passkeys/refusals.ts'
import { type DescribedRefusal, invalidInput } from '../platform/http/problem.ts'
import * as http from '../platform/http/refusals.ts'
import * as signIn from '../sign-in/refusals.ts'
import * as system from '../system/refusals.ts'
import * as tokens from '../tokens/refusals.ts'
import * as webhooks from '../webhooks/refusals.ts'
import { features } from './features.ts'

/** Of folders whose routes do not name them. */
const modules = [
  ...features.flatMap(({ refusals = {} }) => [refusals]),
  access,
  configuration,
  passkeys,
  backchannelLogout,
  signIn,
  authorization,
  claims,
  emailCodes,
  federation,
  idempotency,
  invitations,
  oauth,
  operations,
  organisations,
  http,
  system,
  tokens,
  users,
  webhooks,
]

const ofRateLimits: DescribedRefusal[] = Object.values(rateLimitTable).map(({ code, detail }) => ({
  code,
  slug: 'too-many-requests',
  text: detail,
}))

/** Each code once, in alphabetical order. */
export const refusalList: readonly DescribedRefusal[] = [
  ...new Map(
    [invalidInput, ...modules.flatMap((module) => Object.values<DescribedRefusal>(module)), ...ofRateLimits].map(({ code, slug, text }) => [
      code,
      { code, slug, text },
    ]),
  ).values(),
].sort((left, right) => (left.code < right.code ? -1 : 1))
