/**
 * The socket by which a command reaches the process that has the embedded
 * database open. It is beside the folder, and only the owner may use it.
 */
import { chmod, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Engine, Origin } from '../engine.ts'
import { answerStatements, isStatement, type StatementAnswer, StatementRequest } from './answer-statements.ts'

const ControlRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('backUp') }),
  /** The requested copy has been written. */
  z.object({ kind: z.literal('recordBackup'), operatingSystemUser: z.string() }),
  /** Restarts on a copy that the command has prepared. */
  z.object({ kind: z.literal('restore'), prepared: z.string() }),
  /** Asks which backup the database was restored from. */
  z.object({ kind: z.literal('origin') }),
  ...StatementRequest.options,
])
export type ControlRequest = z.output<typeof ControlRequest>

/** The response to a request, in one line. */
export type ControlAnswer =
  | { folder: string; lastMigration: string }
  /** The name of the folder with the replaced database; null when it does not exist any more. */
  | { former: string | null }
  | { origin: Partial<Origin> }
  | { recorded: true }
  | StatementAnswer
  | { refused: string }

export interface Control {
  /** The database, for statements of commands. */
  engine: Engine
  /** The time that a transaction waits for the next statement; ten seconds by default. */
  idleMilliseconds?: number
  /** @param ended aborted when the client has disconnected */
  answer(request: Exclude<ControlRequest, StatementRequest>, ended: AbortSignal): Promise<ControlAnswer>
}

const pathOf = (folder: string) => `${folder}.socket`
// The system's limit is 107 bytes; a longer path would be cut.
const pathBytesMax = 100

/**
 * Serves requests until the process ends.
 *
 * @throws Error that says why the socket cannot be created beside the folder
 */
export async function openControlSocket(folder: string, control: Control): Promise<void> {
  const path = pathOf(folder)
  if (Buffer.byteLength(path) > pathBytesMax) throw new Error(`its path has more than ${pathBytesMax} bytes`)
  // A process that was killed has left it: this process has locked the folder.
  await rm(path, { force: true })
  // The connection fails when the command at its other end is killed. The service continues.
  const server = createServer((socket) => serve(socket, control).catch(() => socket.destroy()))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  server.unref()
  await chmod(path, 0o600)
}

async function serve(socket: Socket, control: Control): Promise<void> {
  const ended = new AbortController()
  socket.on('error', () => {}).on('close', () => ended.abort())
  const statements = answerStatements(control.engine, ended.signal, control.idleMilliseconds)
  const answerTo = (request: ControlRequest): Promise<ControlAnswer> =>
    isStatement(request) ? statements(request) : control.answer(request, ended.signal)
  for await (const line of createInterface({ input: socket })) {
    const request = readRequest(line)
    const answer = request
      ? await answerTo(request).catch((error: Error): ControlAnswer => ({ refused: error.message }))
      : { refused: 'The service does not know this request: run the command of its own release' }
    socket.write(`${JSON.stringify(answer)}\n`)
  }
}

function readRequest(line: string): ControlRequest | undefined {
  try {
    return ControlRequest.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

export interface Holder {
  ask(request: ControlRequest): Promise<ControlAnswer>
  /** Resolves when the process has closed the connection. */
  gone: Promise<unknown>
  close(): void
}

/** Connects to the process that has the folder open. @returns undefined when no process responds */
export async function findHolder(folder: string): Promise<Holder | undefined> {
  const socket = createConnection(pathOf(folder))
  const gone = new Promise((resolve) => socket.once('close', resolve))
  const connected = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)))
  if (!connected) return undefined
  socket.on('error', () => {})
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  return {
    async ask(request) {
      socket.write(`${JSON.stringify(request)}\n`)
      // This fails when the service was killed before it had read the request.
      const next = await lines.next().catch(() => undefined)
      if (!next || next.done) throw new Error('The service ended before it answered')
      return JSON.parse(next.value) as ControlAnswer
    },
    gone,
    close: () => socket.destroy(),
  }
}
