import process from 'node:process'
import { type DoctorContext, usualThresholds } from '../doctor/check.ts'
import { variableNames } from './variables.ts'

/** The parts of this process's environment that the doctor examines. */
export const doctorContext = (of: Pick<DoctorContext, 'config' | 'database' | 'keyring' | 'migrationState'>): DoctorContext => ({
  ...of,
  environment: process.env,
  variableNames,
  diagnoseDatabaseError: async (error) => (await import('./explain-failure.ts')).diagnoseError(error, of.config.databaseUrl),
  thresholds: usualThresholds,
})
