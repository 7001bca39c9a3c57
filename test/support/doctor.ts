import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { doctorContext } from '../../src/app/doctor-context.ts'
import { type DoctorContext, type Thresholds, usualThresholds } from '../../src/doctor/check.ts'
import { type CheckResult, type Examination, examine } from '../../src/doctor/examine.ts'
import { createKeyring, type Keyring } from '../../src/platform/crypto/keyring.ts'
import { createDatabase } from '../../src/platform/database/database.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { migrationState } from '../../src/platform/database/migrate.ts'
import { runCommand } from './command.ts'
import { freshEngine } from './database.ts'
import { startTestService, type TestServiceOptions } from './service.ts'
import { TestClock } from './test-clock.ts'

export interface DoctorTestOptions {
  environment?: Record<string, string>
  engine?: Engine
  thresholds?: Partial<Thresholds>
  clock?: TestClock
  /** What stored secrets are under, where that is not SECRET_KEY. */
  keyring?: Keyring
}

/** An installation without a process that serves it, as the command sees it. */
export async function installation({
  environment = {},
  engine,
  thresholds,
  clock = new TestClock(),
  keyring: stored,
}: DoctorTestOptions = {}) {
  const dataDir = join(tmpdir(), `gatehouse-doctor-${randomUUID()}`)
  await mkdir(dataDir)
  const given = { DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64'), ...environment }
  const config = readConfig(given)
  const used = engine ?? (await freshEngine())
  onTestFinished(async () => {
    if (!engine) await used.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const database = createDatabase(used, clock)
  const keyring = stored ?? createKeyring(config.secretKey as Buffer, config.previousSecretKey)
  const context: DoctorContext = {
    ...doctorContext({ config, database, keyring, migrationState: () => migrationState(used) }),
    environment: given,
    thresholds: { ...usualThresholds, ...thresholds },
  }
  return { engine: used, database, keyring, clock, config, context, examine: () => examine(context) }
}

/** What is wrong, by the names of the checks. The address of an installation that nothing serves is not asked. */
export const wrongIn = ({ checks }: Examination) => checks.filter(({ state, group }) => state !== 'ok' && group !== 'address')

/** The two roles belong to the server, which other files use at the same time: one of them breaks and mends a role. */
const besidesRoles = (results: CheckResult[]) => results.filter(({ name }) => name !== 'tenant-and-system-role')

/** What the built command finds wrong in this environment. */
export async function wrongByCommand(environment: Record<string, string>): Promise<CheckResult[]> {
  const { stdout } = await runCommand(environment, 'doctor --json')
  return besidesRoles(wrongIn(JSON.parse(stdout)))
}

/** What a service finds wrong with itself. @param options its variables, and the rest of what a test says of it */
export async function wrongByRoute(environment: Record<string, string>, options: TestServiceOptions = {}): Promise<CheckResult[]> {
  const service = await startTestService({ environment, ...options })
  try {
    const { status, body } = await service.operator.get('/v1/system/doctor')
    if (status !== 200) throw new Error(`The doctor answers ${status}`)
    return besidesRoles(wrongIn(body as Examination))
  } finally {
    await service.stop()
  }
}

export const serverUrl = (): string | undefined => {
  const database = inject('database')
  return database.kind === 'postgres' ? database.serverUrl : undefined
}
