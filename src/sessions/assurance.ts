import {
  type AssuranceLevel,
  assuranceLevelOf,
  type Factor,
  type FactorName,
  factors,
  firstFactorOf,
  includesLevel,
  isVerifiedPasskey,
  type MfaMethod,
  secondFactorOf,
  takes,
} from '../access/factors.ts'
import { type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import { describeFactors, type ProvenFactor, readFactors, type StoredFactor } from './proven-factors.ts'

/** The session and its user, and the relying party whose passkeys count. */
interface SessionKey {
  organisationId: string
  sessionId: string
  rpId: string | undefined
}

interface EnrolledPasskey {
  credentialId: string
  canSignIn: boolean
  maySync: boolean
}

interface StoredAssurance {
  provenFactors: readonly StoredFactor[] | null
  authenticationMethods: string[]
  authenticatedAt: Date
  signInPolicy: StoredPolicy
  mfaMethods: MfaMethod[]
  passkeys: readonly EnrolledPasskey[]
}

// Only a request that names a level runs it.
const assuranceOfSession = statement<{ organisationId: string; sessionId: string; rpId: string }, StoredAssurance>(`
  select s.proven_factors as "provenFactors", s.authentication_methods as "authenticationMethods", s.authenticated_at as "authenticatedAt",
    o.sign_in_policy as "signInPolicy",
    array(
      select method from mfa_credentials m
      where m.organisation_id = s.organisation_id and m.user_id = s.user_id and m.verified_at is not null
    ) as "mfaMethods",
    coalesce((
      select json_agg(json_build_object('credentialId', p.credential_id, 'canSignIn', p.can_sign_in, 'maySync', p.may_sync) order by p.id)
      from passkeys p
      where p.organisation_id = s.organisation_id and p.user_id = s.user_id and p.rp_id = :rpId
    ), '[]') as passkeys
  from sessions s join organisations o on o.id = s.organisation_id
  where s.organisation_id = :organisationId and s.id = :sessionId`)

/** The current level of a session, and the one that it reaches when its user proves everything that they have enrolled. */
export async function findAssurance(
  database: Database,
  key: SessionKey,
): Promise<{ level: AssuranceLevel; reachable: AssuranceLevel } | undefined> {
  const state = await findState(database, key)
  if (!state) return undefined
  const proven = describeFactors(state.proven)
  const enrolled = [...state.codes, ...state.passkeys.flatMap(({ proves }) => proves)].map((name): Factor => factors[name])
  return { level: assuranceLevelOf(proven), reachable: assuranceLevelOf([...proven, ...enrolled]) }
}

/** The proof that raises a session to a level. */
export interface MissingProof {
  /** The second factors, one code of which suffices; a backup code does, too. */
  methods: readonly MfaMethod[]
  /** The credentials of passkeys that suffice. */
  credentialIds: readonly string[]
  /** Whether a passkey is a second factor of this session, even without user verification. */
  mayBeSecond: boolean
}

/**
 * The next proof that raises a session to a level: a passkey comes first where only a passkey suffices.
 *
 * @returns undefined when nothing is missing, or no proof can help
 */
export async function findMissingProof(database: Database, key: SessionKey, level: AssuranceLevel): Promise<MissingProof | undefined> {
  const state = await findState(database, key)
  if (!state) return undefined
  const proven = describeFactors(state.proven)
  if (includesLevel(assuranceLevelOf(proven), level)) return undefined
  const asksForPasskey = includesLevel(level, 'phr') && !proven.some((factor) => resists(factor, level))
  const helps = (factor: Factor) => (asksForPasskey ? resists(factor, level) : takes('second', [factor]))
  const suitable = state.passkeys.filter(({ proves }) => proves.some((name) => helps(factors[name])))
  const methods = asksForPasskey ? [] : state.methods
  if (suitable.length === 0 && methods.length === 0) return undefined
  return { methods, credentialIds: suitable.map(({ credentialId }) => credentialId), mayBeSecond: state.mayBeSecond }
}

/** Whether a factor resists phishing as the level requires. */
const resists = (factor: Factor, level: AssuranceLevel) => isVerifiedPasskey(factor) && (level === 'phr' || factor.amr.includes('hwk'))

async function findState(database: Database, { organisationId, sessionId, rpId }: SessionKey) {
  const found = await database.pointRead(assuranceOfSession, { organisationId, sessionId, rpId: rpId ?? '' })
  if (!found) return undefined
  const { provenFactors, authenticationMethods, authenticatedAt: provenAt } = found
  const proven = readFactors(provenFactors, { authenticationMethods, provenAt })
  const policy = signInPolicyOf(found.signInPolicy)
  // A passkey is no second factor after a passkey alone: the organisation has decided that one does not count as both.
  const mayBeSecond = found.mfaMethods.includes('passkey') && proven.some(beginsWithoutPasskey)
  const provesWith = (passkey: EnrolledPasskey): FactorName[] => [
    ...(passkey.canSignIn ? [firstFactorOf(passkey, policy)] : []),
    ...(mayBeSecond ? [secondFactorOf(passkey)] : []),
  ]
  const passkeys = policy.passkeys === 'off' ? [] : found.passkeys.map((passkey) => ({ ...passkey, proves: provesWith(passkey) }))
  const codes = found.mfaMethods.filter((method) => method !== 'passkey')
  return { proven, passkeys, codes, methods: mayBeSecond && passkeys.length > 0 ? found.mfaMethods : codes, mayBeSecond }
}

const beginsWithoutPasskey = ({ factor, passkeyId }: ProvenFactor) => passkeyId === undefined && takes('first', [factors[factor]])
