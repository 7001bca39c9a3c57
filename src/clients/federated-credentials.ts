/** Identities of platforms that stand in for a secret, of clients and of API keys: what may be set. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { FederatedCredential } from '../platform/database/column-types.ts'
import { issueOf, name, plainText, storable } from '../platform/http/fields.ts'
import { isPlainElsewhere, type OutgoingRules, whyLiteralForbidden } from '../platform/http/outgoing.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { urlNotHttps } from '../platform/http/refusals.ts'
import { keySetOfPlatform, shownKeySet } from './key-schemas.ts'
import { federatedIssuerNotAllowed, federatedSubjectNamedTwice, federatedSubjectPattern, federatedSubjectTaken } from './refusals.ts'

const credentialsMax = 20
const claimsMax = 20
const bytesMax = 128 * 1024

/** The claims of a token that say who, for whom and when: no credential compares them besides. */
const claimsWithRules = new Set(['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'])

const claimName = plainText()
  .min(1)
  .max(255)
  .refine((claim) => !claimsWithRules.has(claim), 'Is checked without being named')
const claimValue = z.union([plainText().min(1).max(1_024), z.number(), z.boolean()])

/**
 * Whether a subject can be set: exact, or with `*` as its last character, after a `:` or `/` that two segments or more stand before. Less
 * would let in strangers of the same platform.
 */
function isSubject(subject: string): boolean {
  const star = subject.indexOf('*')
  if (star === -1) return true
  const fixed = subject.slice(0, -1)
  if (star !== subject.length - 1 || !/[:/]$/.test(fixed)) return false
  return segmentsOf(fixed).length >= 2
}

/** The parts of a subject that say something: the scheme of a SPIFFE ID is none. */
const segmentsOf = (fixed: string) =>
  fixed
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .split(/[:/]/)
    .filter((segment) => segment !== '')

/** Whether a token's subject is that of a credential. */
export const matchesSubject = (subject: string, presented: string): boolean =>
  subject.endsWith('*') ? presented.length >= subject.length && presented.startsWith(subject.slice(0, -1)) : presented === subject

const issuer = plainText()
  .min(1)
  .max(1_024)
  .superRefine((text, context) => {
    const url = URL.parse(text)
    const isIssuer = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !/[?#]/.test(text)
    if (!isIssuer) context.addIssue(issueOf(urlNotHttps([])))
  })

const credential = z.object({
  name: name().meta({ description: 'Which workload it is, for people', example: 'Deployment from main' }),
  issuer: issuer.meta({
    description: 'The `iss` of its tokens, compared as exact text',
    example: 'https://token.actions.githubusercontent.com',
  }),
  subject: plainText()
    .min(1)
    .max(1_024)
    .superRefine((text, context) => {
      if (!isSubject(text)) context.addIssue(issueOf(federatedSubjectPattern([])))
    })
    .meta({
      description: 'The `sub` of its tokens: exact, or ending in `*` after a `:` or `/` that two segments or more stand before',
      example: 'repo:acme/infrastructure:ref:refs/heads/main',
    }),
  claims: z
    .record(claimName, claimValue)
    .refine((claims) => Object.keys(claims).length <= claimsMax, `At most ${claimsMax}`)
    .default({})
    .meta({ description: 'Further claims that its tokens have to have, with these values', example: { environment: 'production' } }),
  jwks: keySetOfPlatform
    .optional()
    .meta({ description: 'The public keys of an issuer that publishes none; without it they are found by its discovery document' }),
})

/** The credentials of a client or an API key. */
export const federatedCredentials = () =>
  storable(
    z
      .array(credential)
      .max(credentialsMax)
      .superRefine((credentials, context) => {
        for (const [index, one] of credentials.entries()) {
          const before = credentials.slice(0, index)
          if (before.some((other) => other.name === one.name || isSameIdentity(other, one)))
            context.addIssue({ ...issueOf(federatedSubjectNamedTwice([])), path: [index, 'name'] })
        }
      }),
    bytesMax,
  )

const isSameIdentity = (one: FederatedCredential, other: FederatedCredential) =>
  one.issuer === other.issuer && one.subject === other.subject && isDeepStrictEqual(one.claims, other.claims)

/** The same as a response shows it. */
export const FederatedCredentialRecord = z
  .object({
    name: z.string().meta({ description: 'Which workload it is', example: 'Deployment from main' }),
    issuer: z.string().meta({ description: 'The `iss` of its tokens', example: 'https://token.actions.githubusercontent.com' }),
    subject: z
      .string()
      .meta({ description: 'The `sub` of its tokens, or how it begins', example: 'repo:acme/infrastructure:ref:refs/heads/main' }),
    claims: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description: 'Further claims that its tokens have to have',
      example: { environment: 'production' },
    }),
    jwks: shownKeySet.optional().meta({ description: 'The public keys of an issuer that publishes none' }),
  })
  .meta({ component: 'FederatedCredential' })

export const federatedCredentialsDescribed =
  'Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer'

/** @throws Problem when the guard would never fetch the keys of an issuer */
export function refuseIssuers(credentials: readonly FederatedCredential[] | null | undefined, rules: OutgoingRules): void {
  for (const [index, { issuer, jwks }] of (credentials ?? []).entries()) {
    // Nothing is fetched from an issuer whose keys are known.
    if (jwks) continue
    const path = ['federatedCredentials', index, 'issuer']
    if (isPlainElsewhere(new URL(issuer), rules)) throw invalidInput([urlNotHttps(path)])
    const reason = whyLiteralForbidden(issuer, rules)
    if (reason !== undefined) throw invalidInput([federatedIssuerNotAllowed(path, reason)])
  }
}

/** As they are stored: null for none. */
export const jsonOfCredentials = (credentials: readonly FederatedCredential[] | null | undefined): string | null =>
  credentials?.length ? JSON.stringify(credentials) : null

/** By the constraints that hold it: of the installation, and of the organisation. */
export const federatedSubjectIsTaken = {
  federated_subjects_subject_hash_key: () => federatedSubjectTaken(),
  federated_subjects_pkey: () => federatedSubjectTaken(),
}
