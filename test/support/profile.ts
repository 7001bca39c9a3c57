/** What the tests of a file spend their time on, for `npm run test:profile`. */
import process from 'node:process'

/** What takes long beside the tests' own requests. */
export type Expense = 'database' | 'service' | 'process' | 'command' | 'browser' | 'teardown'

/** How often, and for how many milliseconds in sum. What runs at the same time counts twice. */
export type Expenses = Partial<Record<Expense, { times: number; milliseconds: number }>>

export interface FileProfile {
  /** Processor time of the thread that runs the tests, in milliseconds. */
  threadCpuMilliseconds: number
  expenses: Expenses
}

declare module 'vitest' {
  interface TaskMeta {
    profile?: FileProfile
  }
}

let expenses: Expenses = {}
let cpuAtStart = process.threadCpuUsage()

/** Runs the work and counts its time. */
export async function timed<T>(expense: Expense, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const { times = 0, milliseconds = 0 } = expenses[expense] ?? {}
    expenses[expense] = { times: times + 1, milliseconds: milliseconds + performance.now() - start }
  }
}

/** Begins the profile of the next file: threads run one file after the other. */
export function beginProfile(): void {
  expenses = {}
  cpuAtStart = process.threadCpuUsage()
}

export function currentProfile(): FileProfile {
  const { user, system } = process.threadCpuUsage(cpuAtStart)
  return { threadCpuMilliseconds: (user + system) / 1_000, expenses }
}
