import { recordForWholeDatabase } from '../../activity/record-for-every-organisation.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database/database.ts'
import type { Engine, EngineTransaction } from '../../platform/database/engine.ts'
import { cliActor } from '../actor.ts'

type Done = Parameters<typeof recordForWholeDatabase>[2]

/** Records in the audit log of each organisation what this command does with the database. */
export const recordOfDatabase = (engine: Engine, done: Done): Promise<void> =>
  createDatabase(engine, systemClock).systemTransaction((system) => recordForWholeDatabase(system, cliActor(), done))

/** The same within a transaction. */
export const recordWithin = (engine: Engine, transaction: EngineTransaction, done: Done): Promise<void> =>
  recordOfDatabase({ ...engine, transaction: async (work) => work(transaction) }, done)
