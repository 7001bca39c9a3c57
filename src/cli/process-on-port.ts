import { readdir, readFile, readlink } from 'node:fs/promises'

const listening = '0A'

/** The process that listens on a TCP port, such as `process 4711 (node)`. Undefined if the system does not tell: only Linux does. */
export async function processOnPort(port: number): Promise<string | undefined> {
  const inodes = new Set((await Promise.all(['tcp', 'tcp6'].map((table) => socketsOn(port, table)))).flat())
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    // We may not read those of other users.
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const handle of handles) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')
      if (!inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'unknown')
      return `process ${pid} (${name.trim()})`
    }
  }
  return undefined
}

async function socketsOn(port: number, table: string): Promise<string[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([, local = '', , state, , , , , , inode = '']) =>
    state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port ? [inode] : [],
  )
}
