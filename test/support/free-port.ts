import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

// Below those that the systems give to who asks for any port, so that none of these takes one between the look and its use.
const [first, last] = [10_000, 30_000]

/** Ports that were given: the workers of a run share it. */
const given = join(tmpdir(), `gatehouse-ports-${process.env.TEST_RUN ?? process.pid}`)

/** A free port of the loopback address, which nothing else of this run gets. */
export async function freePort(): Promise<number> {
  mkdirSync(given, { recursive: true })
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (isTaken(port)) continue
    if (await isFree(port)) return port
  }
}

function isTaken(port: number): boolean {
  try {
    writeFileSync(join(given, String(port)), '', { flag: 'wx' })
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return true
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
