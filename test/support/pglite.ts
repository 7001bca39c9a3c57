import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { archive } from '../../src/test-mode/make-migrated.ts'
import { copyFolder } from './copy-folder.ts'

/** Migrates one embedded database, of whose files each process gets a copy, and each service in this one a copy in memory. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const dataDir = join(folder, 'database')
  const engine = await openEmbedded(dataDir)
  await migrate(engine)
  await engine.close()
  const inMemory = join(folder, 'in-memory')
  await copyFolder(dataDir, inMemory)
  const snapshot = join(folder, 'migrated.tar')
  await archive(inMemory, snapshot)
  project.provide('database', { kind: 'pglite', folder: dataDir, snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
