import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { TestingRefused } from './errors.ts'
import type { MadeOrganisation } from './organisation.ts'

export interface Started {
  url: string
  systemApiKey: string
  processId: number | undefined
  /** What was made by the seeds. */
  organisations: readonly MadeOrganisation[]
  stop(): Promise<void>
}

interface Starting {
  command: readonly string[] | undefined
  port: number
  seeds: readonly string[]
  isRepeatable: boolean
  env: Record<string, string>
}

const linesShown = 20

/** Starts `gatehouse test-mode` in a process of its own, which ends with this one. */
export async function startProcess({ command, port, seeds, isRepeatable, env }: Starting): Promise<Started> {
  const [program, ...words] = command ?? [process.execPath, installedCommand()]
  const child = spawn(
    program as string,
    [
      ...words,
      ...['test-mode', '--json', '--port', String(port)],
      ...seeds.flatMap((file) => ['--seed', file]),
      ...(isRepeatable ? ['--repeatable'] : []),
    ],
    {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const said: string[] = []
  createInterface(child.stderr).on('line', (line) => {
    said.push(line)
    if (said.length > linesShown) said.shift()
  })
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<string[]>,
    // It rejects when there is no such program.
    once(child, 'close').then(() => [] as string[]),
  ]).catch((error: unknown) => {
    throw notStarted(String(error))
  })
  if (line === undefined) throw notStarted(said.join('\n'))
  const { url, systemApiKey, organisations } = startedIn(line, child)
  // A test runner that forgets to stop it can still end.
  for (const part of [child, child.stdin, child.stdout, child.stderr]) (part as Partial<ChildProcess>).unref?.()
  return {
    url,
    systemApiKey,
    processId: child.pid,
    organisations,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** @throws TestingRefused for the line of another program, which is ended */
function startedIn(line: string, child: ChildProcess): Pick<Started, 'url' | 'systemApiKey' | 'organisations'> {
  try {
    return JSON.parse(line)
  } catch {
    child.kill()
    throw notStarted(`its first line is ${line}`)
  }
}

/** The file of the command in the package `gatehouse-iam`, which is installed beside this one. */
function installedCommand(): string {
  const manifest = createRequire(import.meta.url).resolve('gatehouse-iam/package.json')
  return join(dirname(manifest), 'dist/gatehouse.js')
}

const notStarted = (why: string) =>
  new TestingRefused({ code: 'not-started', status: 0, detail: `Gatehouse has not started: ${why || 'it has ended without a word'}` })
