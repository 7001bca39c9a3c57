/** How a service in development finds the receivers that its user has started on the same machine, without configuration. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

/**
 * The folder of a user for the state of programs, by the XDG Base Directory Specification. No other user writes to it.
 *
 * @returns undefined for a user without a home, such as a mere number in a container
 */
export function stateFolderOf({ XDG_STATE_HOME: given, HOME: home }: Record<string, string | undefined>): string | undefined {
  if (given && isAbsolute(given)) return join(given, 'gatehouse')
  const own = home || homeOfUser()
  return own && join(own, '.local', 'state', 'gatehouse')
}

function homeOfUser(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

const fileOf = (folder: string, port: number) => join(folder, `webhook-receiver-${port}.json`)

interface LocalReceiver {
  pid: number
  /** The certificate in PEM. */
  certificate: string
}

/** Announces that this process receives webhooks at a port. @returns a function that withdraws the announcement */
export function announceReceiver(folder: string, port: number, certificate: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(fileOf(folder, port), JSON.stringify({ pid: process.pid, certificate } satisfies LocalReceiver), { mode: 0o600 })
  return () => rmSync(fileOf(folder, port), { force: true })
}

/** The certificate of the receiver at a port; undefined when none runs there. */
export function findLocalReceiver(folder: string, port: number): string | undefined {
  try {
    const { pid, certificate }: LocalReceiver = JSON.parse(readFileSync(fileOf(folder, port), 'utf8'))
    // This throws when the process does not exist, as after a receiver was killed.
    process.kill(pid, 0)
    return certificate
  } catch {
    return undefined
  }
}
