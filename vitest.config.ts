import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// For the processes and threads that tests start, which would compile the same code again and again.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/** What a browser shows is the same on either database; what the API answers to it is tested on both. */
const inBrowser = ['test/console/**', 'test/**/*-in-browser.test.ts']

const onDatabase = (name: 'pglite' | 'postgres', exclude: string[] = []) => ({
  test: {
    name,
    include: ['test/**/*.test.ts'],
    exclude,
    globalSetup: `test/support/${name}.ts`,
    setupFiles: ['test/support/each-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
    maxWorkers: 2,
    globalSetup: 'test/support/built-service.ts',
    // The files share the loaded application, not a service or a database: to load it for each took a quarter of the run.
    pool: 'threads',
    isolate: false,
    // Node loads what it runs in production: the same type stripping, and nothing to transform first.
    experimental: { viteModuleRunner: false },
    projects: [
      { test: { name: 'rules', include: ['src/**/*.test.ts', 'console/src/**/*.test.ts'], testTimeout: 30_000 } },
      onDatabase('pglite'),
      onDatabase('postgres', inBrowser),
      screenshots,
    ],
  },
})
