import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { coveredElsewhere, onPgliteAlone, onPostgresAlone } from './test/one-database.ts'
import { neverMilliseconds } from './test/support/never.ts'
import { folderInMemory } from './test/support/temporary-folder.ts'
import { SlowestFirst } from './tools/test-order.ts'

// For the processes and threads that tests start, which would compile the same code again and again.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

// What the processes of a run share is named after it.
process.env.TEST_RUN ??= String(process.pid)

// What tests write is not worth a disk.
const inMemory = process.env.TMPDIR === undefined && folderInMemory()
if (inMemory) process.env.TMPDIR = inMemory

// A run that names files or tests shows all of them, on the database that is named.
const isWholeRun = !process.argv.slice(2).some((word) => word.startsWith('test/') || word === '-t')
if (!isWholeRun) process.env.EVERY_TEST_ON_PGLITE ??= '1'

const onDatabase = (name: 'pglite' | 'postgres', elsewhere: readonly string[]) => ({
  test: {
    name,
    include: ['test/**/*.test.ts'],
    exclude: ['test/*.test.ts', ...elsewhere],
    globalSetup: `test/support/${name}.ts`,
    setupFiles: ['test/support/each-file.ts'],
  },
})

const screenshots = {
  test: {
    name: 'screenshots',
    include: ['test/{pages,console}/screenshots.ts'],
    globalSetup: 'test/support/pglite.ts',
    hookTimeout: 60_000,
  },
}

export default defineConfig({
  test: {
    maxWorkers: 4,
    // What is waited for comes when it comes: how fast the machine is, is no part of any test. These end what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: neverMilliseconds } },
    globalSetup: 'test/support/built-service.ts',
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './tools/test-report.ts'],
    // The files share the loaded application, not a service or a database: to load it for each took a quarter of the run.
    // Each worker is a process: to start a program, the system copies the page tables of the one that starts it, and holds up all of its
    // threads meanwhile. With all workers in one process of 6 GB, that was half a second each time.
    pool: 'forks',
    isolate: false,
    // Node loads what it runs in production: the same type stripping, and nothing to transform first.
    experimental: { viteModuleRunner: false },
    projects: [
      { test: { name: 'rules', include: ['{src,shared,console/src}/**/*.test.ts', 'test/*.test.ts'] } },
      onDatabase('pglite', [...Object.keys(onPostgresAlone), ...(process.env.EVERY_TEST_ON_PGLITE ? [] : coveredElsewhere)]),
      onDatabase('postgres', Object.keys(onPgliteAlone)),
      screenshots,
    ],
  },
})
