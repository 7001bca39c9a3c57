/** Every refusal of the service: what docs/errors.md and the pages of problems list. */
import { rateLimitTable } from '../access/rate-limits.ts'
import * as access from '../access/refusals.ts'
import * as users from '../accounts/refusals.ts'
import * as apiKeys from '../api-keys/refusals.ts'
import * as audit from '../audit/refusals.ts'
import * as automaticClients from '../automatic-clients/refusals.ts'
import * as backchannelLogout from '../backchannel-logout/refusals.ts'
import * as claims from '../claims/refusals.ts'
import * as clients from '../clients/refusals.ts'
import * as configuration from '../configuration/refusals.ts'
import * as federation from '../connections/federation/refusals.ts'
import * as connections from '../connections/refusals.ts'
import * as directories from '../directories/refusals.ts'
import * as domains from '../domains/refusals.ts'
import * as emailCodes from '../email-codes/refusals.ts'
import * as idempotency from '../idempotency/refusals.ts'
import * as invitations from '../invitations/refusals.ts'
import * as mfa from '../mfa/refusals.ts'
import * as authorization from '../oauth/authorization/refusals.ts'
import * as oauth from '../oauth/endpoints/refusals.ts'
import * as operations from '../operations/refusals.ts'
import * as organisations from '../organisations/refusals.ts'
import * as passkeys from '../passkeys/refusals.ts'
import * as passwords from '../passwords/refusals.ts'
import { type DescribedRefusal, invalidInput } from '../platform/http/problem.ts'
import * as http from '../platform/http/refusals.ts'
import * as registrationTokens from '../registration-tokens/refusals.ts'
import * as resourceAuthorizationServers from '../resource-authorization-servers/refusals.ts'
import * as resourceServers from '../resource-servers/refusals.ts'
import * as permissions from '../roles/permissions/refusals.ts'
import * as roles from '../roles/refusals.ts'
import * as setupLinks from '../setup-links/refusals.ts'
import * as signIn from '../sign-in/refusals.ts'
import * as signIns from '../sign-ins/refusals.ts'
import * as system from '../system/refusals.ts'
import * as teams from '../teams/refusals.ts'
import * as tokens from '../tokens/refusals.ts'
import * as undo from '../undo/refusals.ts'
import * as explanations from '../users/refusals.ts'
import * as webhooks from '../webhooks/refusals.ts'
import * as workloads from '../workloads/refusals.ts'

const modules = [
  access,
  apiKeys,
  workloads,
  audit,
  automaticClients,
  backchannelLogout,
  authorization,
  claims,
  clients,
  configuration,
  connections,
  directories,
  domains,
  emailCodes,
  explanations,
  federation,
  idempotency,
  invitations,
  mfa,
  oauth,
  operations,
  organisations,
  passkeys,
  passwords,
  permissions,
  http,
  registrationTokens,
  resourceServers,
  roles,
  setupLinks,
  signIn,
  signIns,
  system,
  teams,
  resourceAuthorizationServers,
  tokens,
  undo,
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
