import { userInfo } from 'node:os'
import process from 'node:process'
import { type SystemCaller, systemCaller } from '../access/caller.ts'
import { type Actor, commandActor } from '../activity/actor.ts'

/** How the audit log names someone who uses the command. */
export const cliActor = (): Actor => commandActor(operatingSystemUser())

/** The same as the caller of operations in an organisation. */
export const cliCaller = (organisationId: string): SystemCaller => ({ ...systemCaller(organisationId, 'cli'), actor: cliActor() })

export function operatingSystemUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.()}`
  }
}
