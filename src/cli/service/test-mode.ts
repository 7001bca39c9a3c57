import process from 'node:process'
import { ConfigError } from '../../app/config-mistakes.ts'
import { releaseMemoryOfStart } from '../../platform/memory.ts'
import type { MadeOrganisation } from '../../seeds/organisations.ts'
import { startTestMode } from '../../test-mode/start-test-mode.ts'
import { CommandFailure } from '../failures.ts'
import { print } from '../print.ts'
import { linesOfSeeded } from '../seeded.ts'

interface TestModeCommand {
  port: number
  seed: string[]
  repeatable?: boolean
  json?: boolean
}

/** `gatehouse test-mode`: runs the service for tests until it is told to stop. */
export async function testModeCommand({ port, seed, repeatable, json }: TestModeCommand): Promise<void> {
  const { url, systemApiKey, organisations, stop } = await start({ port, seeds: seed, isRepeatable: repeatable })
  releaseMemoryOfStart()
  if (json) print(`${JSON.stringify({ url, systemApiKey, controls: `${url}/_test`, organisations })}\n`)
  else print(banner(url, organisations))
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
    // A test runner that is killed leaves no service behind.
    if (json) process.stdin.once('end', resolve).resume()
  })
  await stop()
  process.exit(0)
}

async function start(options: { port: number; seeds: readonly string[]; isRepeatable: boolean | undefined }) {
  try {
    return await startTestMode({ environment: process.env, ...options, log: process.stderr })
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message)
    const { explainError } = await import('../../app/explain-failure.ts')
    throw new CommandFailure(explainError(error, process.env.DATABASE_URL))
  }
}

const banner = (url: string, organisations: readonly MadeOrganisation[]) => `
TEST MODE: every program on this machine controls this service, and nothing in it is stored.

  Service:  ${url}
  Controls: ${url}/_test (described at ${url}/_test/openapi.json)
${organisations.map(linesOfSeeded).join('')}
`
