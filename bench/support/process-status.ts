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
