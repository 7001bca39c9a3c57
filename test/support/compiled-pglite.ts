import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// TypeScript declares it only for browsers.
declare const WebAssembly: { Module: new (bytes: Buffer) => object }

const program = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))

/** As long as this process has it, each start of the embedded PostgreSQL takes over what is compiled of it by then. */
export const compiledPglite = new WebAssembly.Module(readFileSync(program))
