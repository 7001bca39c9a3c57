import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import process from 'node:process'
import type { Command } from 'commander'
import { print } from '../../src/cli/print.ts'
import { createProgram } from '../../src/cli/program.ts'
import { builtService } from './built-service.ts'
import { isFree, runHere } from './command-here.ts'
import { needs } from './needs.ts'
import { timed } from './profile.ts'

export interface CommandResult {
  status: number | null
  stdout: string
  stderr: string
}

export interface CommandProcess {
  /** The file that runs, when it is not the build of this checkout. */
  command?: string
  /** The id of another user that it runs as. Only root may. */
  user?: number
}

/**
 * Starts the built command in a process of its own. It inherits only the given variables of this process's environment.
 *
 * @param line the words after `gatehouse`, at each space a new one, or one by one
 */
export function startCommand(
  environment: Record<string, string>,
  line: string | readonly string[],
  { command = builtService, user }: CommandProcess = {},
) {
  return spawn(process.execPath, [command, ...wordsOf(line)], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  })
}

const wordsOf = (line: string | readonly string[]) => (typeof line === 'string' ? line.split(' ').filter(Boolean) : line)

/**
 * Runs the command to its end, in this process: of several at once one does. The others are the built command in processes of their own, as
 * is what is about the process (`runProcess`).
 */
export async function runCommand(environment: Record<string, string>, line: string | readonly string[]): Promise<CommandResult> {
  const words = wordsOf(line)
  const isDirect = words.length === 1 && ['serve', 'migrate'].includes(words[0] as string)
  // Node reads these when it starts.
  const isForNode = Object.keys(environment).some((name) => name.startsWith('NODE_'))
  if (isDirect || isForNode || !isFree()) return runProcess(environment, words)
  return timed('command', () => runHere(environment, words))
}

/** Runs the built command to its end, in a process of its own. */
export async function runProcess(
  environment: Record<string, string>,
  line: string | readonly string[],
  as?: CommandProcess,
): Promise<CommandResult> {
  const child = startCommand(environment, line, as)
  const result: CommandResult = { status: null, stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) child[stream].setEncoding('utf8').on('data', (text) => (result[stream] += text))
  const [status] = await timed('command', () => once(child, 'close'))
  return { ...result, status }
}

/**
 * Runs the command on a terminal of its own.
 *
 * @param typed what is typed once the command asks
 */
export async function runOnTerminal(
  environment: Record<string, string>,
  words: readonly string[],
  typed = '',
): Promise<{ status: number | null; shown: string }> {
  const quoted = [process.execPath, builtService, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qefc', quoted, '/dev/null'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, TERM: 'xterm', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  let isAsked = false
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text
    if (isAsked || !shown.includes(' to continue: ')) return
    isAsked = true
    child.stdin.write(`${typed}\n`)
  })
  const [status] = await timed('command', () => once(child, 'close'))
  return { status, shown: shown.replaceAll('\r', '') }
}

/** Whether there is a program that gives a command a terminal. */
export const needsTerminal = needs('script', process.platform === 'linux' && existsSync('/usr/bin/script'))

/** The lines of `--json` that lists records. */
export const recordsOf = <Row = Record<string, unknown>>({ stdout }: CommandResult): Row[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

/** Every command that does something, with its words. */
export async function allCommands(): Promise<{ words: string; command: Command }[]> {
  const below = (command: Command, words: string): { words: string; command: Command }[] => [
    ...(command.commands.length === 0 ? [{ words, command }] : []),
    ...command.commands.flatMap((one) => below(one, `${words} ${one.name()}`.trim())),
  ]
  return below(await createProgram(), '')
}

/** The text of `--help`, with what `addHelpText` adds. */
export function helpOf(command: Command): string {
  const help: unknown[] = []
  const stream = { write: (text: string | Uint8Array) => help.push(text) > 0 }
  command.configureOutput({ writeOut: (text) => print(text, stream) }).outputHelp()
  return help.join('')
}
