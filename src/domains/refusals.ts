import { fieldMistake, fieldRefusal, ofField, refusal } from '../platform/http/problem.ts'
import type { DnsAnswer } from './dns-records.ts'

export { userNotFound } from '../accounts/refusals.ts'

export const domainNotFound = refusal('domain-not-found', 'not-found', 'Domain not found')
export const invalidDomain = fieldMistake('invalid-domain', 'Must be a domain such as example.com')
export const publicSuffix = fieldRefusal('public-suffix', ['domain'], 'Anyone can register a domain below this one')
export const domainTaken = refusal('domain-taken', 'conflict', 'Domain already added', ofField('domain'))
export const tooManyDomains = refusal('too-many-domains', 'bad-request', 'Too many domains')
export const connectionNotFound = refusal('connection-not-found', 'not-found', 'Connection not found')
export const ssoNeedsConnection = fieldRefusal('sso-needs-connection', ['sso'], 'Single sign-on needs a connection')
export const nothingRequiresSso = fieldRefusal(
  'sso-not-required',
  ['endSessions'],
  'Sessions end only when the domain is verified and requires single sign-on',
)
export const bypassWithoutMfa = fieldMistake('bypass-without-mfa', 'Must have a second factor')
export const recordNotFound = refusal(
  'domain-record-not-found',
  'bad-request',
  'The record was not found',
  (answers: readonly DnsAnswer[] = []) => ({ members: { answers } }),
)
export const domainOfAnotherOrganisation = refusal(
  'domain-of-another-organisation',
  'conflict',
  'Domain is verified by another organisation',
)
export const ssoRequired = refusal(
  'sso-required',
  'forbidden',
  'Single sign-on is required',
  (connection: { id: string; startUrl: string } = { id: '', startUrl: '' }, flowToken?: string) => ({
    members: { connection, ...(flowToken !== undefined && { flowToken }) },
  }),
)
