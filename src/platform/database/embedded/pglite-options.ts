import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'
import { rememberSizes } from './file-sizes.ts'
import { filesOfArchive } from './files-of-archive.ts'
import { readOnDemand } from './files-on-demand.ts'

// TypeScript declares it only for browsers.
declare const WebAssembly: { Module: new (bytes: Buffer) => object }

// These are PGlite's own parameters, and memory for one connection: those of a server with a hundred take 130 MB more.
const startParams = [
  '--single',
  '-F',
  '-O',
  '-j',
  ...[
    'search_path=public',
    'exit_on_error=false',
    'log_checkpoints=false',
    'max_worker_processes=0',
    'max_parallel_workers=0',
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'io_method=sync',
    'shared_buffers=8MB',
    'wal_buffers=256kB',
    'max_connections=5',
    'max_wal_senders=0',
    // The sample of a table: 3,000 rows. One of 30,000 holds up the others for half a second.
    'default_statistics_target=10',
  ].flatMap((setting) => ['-c', setting]),
]

export interface EmbeddedOptions extends PGliteOptions {
  /** Whether so many rows are written or read that recompiling the hot parts of PostgreSQL pays off. */
  isBulk?: boolean
  /** The path of a tar archive with the files that a database in memory begins with. */
  archive?: string
}

/** Starts an embedded PostgreSQL that uses little memory. */
export async function startPglite({ isBulk = false, archive, ...options }: EmbeddedOptions): Promise<PGlite> {
  // Recompiling the hot parts of PostgreSQL with the optimising compiler takes 50 to 250 MB and, in all, more processor time than it saves
  // in the first five thousand queries. Each function is validated at first use: a start uses few of them. The flags apply to the whole
  // process, so those of an earlier start are overwritten.
  const tiering = ['wasm-tier-up', 'wasm-dynamic-tiering'].map((flag) => (isBulk ? `--${flag}` : `--no-${flag}`))
  for (const flag of [...tiering, '--wasm-lazy-validation']) setFlagsFromString(flag)
  // Load it late: a service on PostgreSQL does not need it, and the flag has to be set first.
  const { MemoryFS, PGlite } = await import('@electric-sql/pglite')
  // Read them synchronously: PGlite would wait for each of many small reads, and there is no other work meanwhile.
  const pgliteWasmModule = new WebAssembly.Module(readFileSync(pathOf('pglite.wasm')))
  const bundle = new Uint8Array(readFileSync(pathOf('pglite.data'))).buffer
  // This replaces a Blob, a copy of 6 MB that PGlite would copy once more.
  const fsBundle = { arrayBuffer: async () => bundle } as Blob
  const fs = archive === undefined ? {} : { fs: filesOfArchive(MemoryFS, archive) }
  const pglite = await PGlite.create({ startParams, pgliteWasmModule, fsBundle, ...fs, ...options })
  rememberSizes(pglite.Module)
  readOnDemand(pglite.Module.FS.root, bundle, pathOf('pglite.data'))
  return pglite
}

const pathOf = (name: string) => fileURLToPath(import.meta.resolve(`@electric-sql/pglite/${name}`))
