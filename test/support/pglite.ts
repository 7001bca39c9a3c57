import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/database/migrate.ts'
import { usePglite } from '../../src/platform/database/pglite.ts'

/** Migrates one embedded database and keeps a copy of its files, which each test file starts from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const pglite = await PGlite.create()
  await migrate(usePglite(pglite))
  const snapshot = join(folder, 'migrated.tar')
  await writeFile(snapshot, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  project.provide('database', { kind: 'pglite', snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
