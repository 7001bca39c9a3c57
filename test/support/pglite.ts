import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { startPglite } from '../../src/platform/database/embedded/pglite-options.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { copyFolder } from './copy-folder.ts'

/** Migrates one embedded database, of whose files each process gets a copy, and each service in this one a copy in memory. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const dataDir = join(folder, 'database')
  const engine = await openEmbedded(dataDir)
  await migrate(engine)
  await engine.close()
  // Nothing connects to the templates of new databases. Without them a copy in memory is half as large.
  const inMemory = join(folder, 'in-memory')
  await copyFolder(dataDir, inMemory)
  for (const template of ['1', '4']) await rm(join(inMemory, 'base', template), { recursive: true })
  const pglite = await startPglite({ dataDir: inMemory })
  const snapshot = join(folder, 'migrated.tar')
  await writeFile(snapshot, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  project.provide('database', { kind: 'pglite', folder: dataDir, snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
