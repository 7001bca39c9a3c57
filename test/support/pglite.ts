import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { startPglite } from '../../src/platform/database/embedded/pglite-options.ts'
import { migrate } from '../../src/platform/database/migrate.ts'

/** Migrates one embedded database and stores a copy of its files, from which other databases start. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const dataDir = join(folder, 'database')
  const engine = await openEmbedded(dataDir)
  await migrate(engine)
  await engine.close()
  const pglite = await startPglite({ dataDir })
  const snapshot = join(folder, 'migrated.tar')
  await writeFile(snapshot, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  project.provide('database', { kind: 'pglite', folder: dataDir, snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
