import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Where a program of the operating system is, which a test uses when it is there; undefined when it is not. */
export function systemProgram(name: string): string | undefined {
  // What Debian installs for administrators is not on everyone's path.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

export interface SystemServer {
  stop(): Promise<void>
  /** Changes one of its files and has it read them again. */
  reload(name: string, content: string): Promise<void>
}

/**
 * Runs a server of the operating system with files of a folder of its own, until it accepts connections on a port.
 */
export async function runSystemServer(
  program: string,
  files: Readonly<Record<string, string>>,
  { port, parameters }: { port: number; parameters: (folder: string) => string[] },
): Promise<SystemServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-server-'))
  // Started as root, it runs as another user.
  await chmod(folder, 0o777)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content.replaceAll('FOLDER', folder))
  const server = spawn(program, parameters(folder), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  while (!(await accepts(port))) {
    if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    async stop() {
      await end(server)
      await rm(folder, { recursive: true, force: true })
    },
    async reload(name, content) {
      await writeFile(join(folder, name), content.replaceAll('FOLDER', folder))
      server.kill('SIGHUP')
    },
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
