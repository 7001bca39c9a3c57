import process from 'node:process'
import { type DoctorContext, usualThresholds } from '../doctor/check.ts'
import type { Engine } from '../platform/database/engine.ts'
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
  findReplicaFailure: () => findReplicaFailure(of.config),
  async findIssuerFailures(issuers) {
    if (issuers.length === 0) return []
    if (outgoing) return findIssuerFailures(outgoing, of.database.clock, issuers)
    const own = createOutgoing({ rules: outgoingRules(of.config) })
    return findIssuerFailures(own, of.database.clock, issuers).finally(() => own.close())
  },
  thresholds: usualThresholds,
})

async function findReplicaFailure({ databaseUrl, databaseReplicaUrl, databasePooler: pooler }: DoctorContext['config']) {
  if (databaseUrl === undefined || databaseReplicaUrl === undefined) return undefined
  const { openPostgres } = await import('../platform/database/postgres.ts')
  const { whyPassedOver } = await import('../platform/database/replica.ts')
  const { diagnoseReplica } = await import('./explain-failure.ts')
  const [primary, replica] = [databaseUrl, databaseReplicaUrl].map((url) => openPostgres(url, { poolSize: 2, pooler })) as [Engine, Engine]
  try {
    const why = await whyPassedOver(primary, replica)
    return why && diagnoseReplica(why, databaseReplicaUrl)
  } finally {
    await Promise.all([primary.close(), replica.close()])
  }
}
