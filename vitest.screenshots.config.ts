import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/pages/screenshots.ts'], globalSetup: 'test/support/pglite.ts', hookTimeout: 60_000 },
})
