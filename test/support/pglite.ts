import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { tarOf } from '../../src/test-mode/migrated-database.ts'
import { copyFolder } from './copy-folder.ts'

// TypeScript declares it only for browsers.
declare const WebAssembly: { Module: new (bytes: Buffer) => object }

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
  await writeFile(snapshot, await tarOf(inMemory))
  project.provide('database', { kind: 'pglite', folder: dataDir, snapshot })
  // As long as one thread of this process has it, each of the hundreds that start PostgreSQL takes over what is compiled of it by then.
  const program = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))
  const compiled = new Set([new WebAssembly.Module(await readFile(program))])
  return () => {
    compiled.clear()
    return rm(folder, { recursive: true, force: true })
  }
}
