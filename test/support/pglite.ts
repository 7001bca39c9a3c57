import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPglite } from '../../src/platform/database/embedded/pglite-options.ts'
import { usePglite } from '../../src/platform/database/embedded/use-pglite.ts'
import { migrate } from '../../src/platform/database/migrate.ts'

/** Migrates one embedded database and keeps a copy of its files, which each test file starts from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const pglite = await startPglite({ initDbStartParams: ['--wal-segsize=1'] })
  await migrate(usePglite(pglite))
  const snapshot = join(folder, 'migrated.tar')
  await writeFile(snapshot, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  project.provide('database', { kind: 'pglite', snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
