import process from 'node:process'
import { type DoctorContext, usualThresholds } from '../doctor/check.ts'
import { createOutgoing, type Outgoing } from '../platform/http/outgoing-fetch.ts'
import { findIssuerFailures } from './find-issuer-failures.ts'
import { outgoingRules } from './outgoing-rules.ts'
import { variableNames } from './variables.ts'

/**
 * The parts of this process's environment that the doctor examines.
 *
 * @param outgoing undefined where no service runs that has one
 */
export const doctorContext = (
  of: Pick<DoctorContext, 'config' | 'database' | 'keyring' | 'migrationState'>,
  outgoing?: Outgoing,
): DoctorContext => ({
  ...of,
  environment: process.env,
  variableNames,
  diagnoseDatabaseError: async (error) => (await import('./explain-failure.ts')).diagnoseError(error, of.config.databaseUrl),
  async findIssuerFailures(issuers) {
    if (issuers.length === 0) return []
    if (outgoing) return findIssuerFailures(outgoing, of.database.clock, issuers)
    const own = createOutgoing({ rules: outgoingRules(of.config) })
    return findIssuerFailures(own, of.database.clock, issuers).finally(() => own.close())
  },
  thresholds: usualThresholds,
})
