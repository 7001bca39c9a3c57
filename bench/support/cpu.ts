import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU milliseconds that the threads of a process have used so far. Linux.
 *
 * @param threads those that count, by their ids: all by default. The id of the first thread is that of the process.
 */
export function cpuMillisecondsOf(pid: number, threads: readonly (string | number)[] = listOf(`/proc/${pid}/task`)): number {
  // The scheduler's statistics are in nanoseconds: /proc/<pid>/stat counts hundredths of a second, too coarse for a round.
  const nanosecondsOf = (thread: string | number) => Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  return threads.reduce<number>((sum, thread) => sum + nanosecondsOf(thread), 0) / 1_000_000
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '0'
  }
}
