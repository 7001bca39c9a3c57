import { AsyncLocalStorage } from 'node:async_hooks'
import process from 'node:process'
import { Readable, Writable } from 'node:stream'
import { runProgram } from '../../src/cli/program.ts'
import type { CommandResult } from './command.ts'

/** What a command sees of the process that it believes to have for itself. */
interface Surroundings {
  env: Record<string, string | undefined>
  stdin: Readable
  stdout: Writable
  stderr: Writable
}

const surroundings = new AsyncLocalStorage<Surroundings>()
/** The exit status alone is one for the whole thread. */
let isRunning = false

for (const name of ['env', 'stdin', 'stdout', 'stderr'] as const) {
  const own = Object.getOwnPropertyDescriptor(process, name)
  const ofThread = () => (own?.get ? own.get.call(process) : own?.value)
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => surroundings.getStore()?.[name] ?? ofThread() })
}

/** Whether one can run here: another one would take its exit status for its own. */
export const isFree = (): boolean => !isRunning

/** Runs a command as a process does that has nothing but these variables, without starting one: half of a command's time is its start. */
export async function runHere(environment: Readonly<Record<string, string>>, words: readonly string[]): Promise<CommandResult> {
  const [stdout, stderr] = [collector(), collector()]
  const env = { PATH: process.env.PATH, ...environment }
  isRunning = true
  try {
    await surroundings.run({ env, stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream }, () => runProgram(words))
    return { status: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.exitCode = undefined
    isRunning = false
  }
}

function collector(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
