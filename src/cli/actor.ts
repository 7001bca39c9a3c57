import { type SystemCaller, systemCaller } from '../access/caller.ts'
import { type Actor, commandActor } from '../activity/actor.ts'
import { operatingSystemUser } from './data-dir-owner.ts'

/** How the audit log names someone who uses the command. */
export const cliActor = (): Actor => commandActor(operatingSystemUser())

/** The same as the caller of operations in an organisation. */
export const cliCaller = (organisationId: string): SystemCaller => ({ ...systemCaller(organisationId, 'cli'), actor: cliActor() })
