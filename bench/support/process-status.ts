import { readdir, readFile } from 'node:fs/promises'

/** MiB of a process: now, and the most so far. */
export async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return { now: of('VmRSS'), most: of('VmHWM') }
}

/** How many files and connections a process has open, and how many it may have. */
export async function filesOf(pid: number): Promise<{ open: number; limit: number }> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8')
  return { open: (await readdir(`/proc/${pid}/fd`)).length, limit: Number(/Max open files\s+(\d+)/.exec(limits)?.[1]) }
}

/** How many connections a service on this machine has not closed, by the port that it listens on. */
export async function connectionsTo(origin: string): Promise<number> {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, '0')
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  // Established, or closed by the client alone (include/net/tcp_states.h).
  return lines.filter(([, local = '', , state = '']) => local.endsWith(`:${port}`) && ['01', '08'].includes(state)).length
}
