import { defineConfig } from 'vitest/config'

const onDatabase = (name: 'pglite' | 'postgres') => ({
  test: {
    name,
    include: ['test/**/*.test.ts'],
    globalSetup: `test/support/${name}.ts`,
    setupFiles: ['test/support/described-answers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [{ test: { name: 'rules', include: ['src/**/*.test.ts'] } }, onDatabase('pglite'), onDatabase('postgres')],
  },
})
