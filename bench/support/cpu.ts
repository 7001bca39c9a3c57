import { readdirSync, readFileSync } from 'node:fs'

// What Linux calls USER_HZ; 100 on every platform that the bench runs on.
const ticksPerSecond = 100

/** CPU seconds, user and system, that a process and all its descendants have used, those that ended included. Linux. */
export function cpuSecondsOf(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const family = new Set([pid])
  let size = 0
  while (size !== family.size) {
    size = family.size
    for (const one of processes) if (family.has(one.parent)) family.add(one.pid)
  }
  return processes.filter((one) => family.has(one.pid)).reduce((sum, one) => sum + one.ticks, 0) / ticksPerSecond
}

function readStat(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces; what follows it does not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const parent = Number(fields[1])
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
    return { pid, parent, ticks: user + system + childUser + childSystem }
  } catch {
    return undefined
  }
}
