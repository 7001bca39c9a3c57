import { type AssuranceLevel, assuranceLevelOf, factors, type MfaMethod } from '../access/factors.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import { describeFactors, readFactors, type StoredFactor } from './proven-factors.ts'

interface StoredAssurance {
  provenFactors: readonly StoredFactor[] | null
  authenticationMethods: string[]
  authenticatedAt: Date
  mfaMethods: MfaMethod[]
}

// Only a request that asks for a level runs it.
const assuranceOfSession = statement<{ organisationId: string; sessionId: string }, StoredAssurance>(`
  select s.proven_factors as "provenFactors", s.authentication_methods as "authenticationMethods", s.authenticated_at as "authenticatedAt",
    array(
      select method from mfa_credentials m
      where m.organisation_id = s.organisation_id and m.user_id = s.user_id and m.verified_at is not null
    ) as "mfaMethods"
  from sessions s where s.organisation_id = :organisationId and s.id = :sessionId`)

/** The level that a session has, and the one that it reaches when its user proves everything that they have enrolled. */
export async function findAssurance(
  database: Database,
  organisationId: string,
  sessionId: string,
): Promise<{ level: AssuranceLevel; reachable: AssuranceLevel } | undefined> {
  const found = await database.pointRead(assuranceOfSession, { organisationId, sessionId })
  if (!found) return undefined
  const { provenFactors, authenticationMethods, authenticatedAt: provenAt, mfaMethods } = found
  const proven = describeFactors(readFactors(provenFactors, { authenticationMethods, provenAt }))
  const enrolled = mfaMethods.map((method) => factors[method])
  return { level: assuranceLevelOf(proven), reachable: assuranceLevelOf([...proven, ...enrolled]) }
}
