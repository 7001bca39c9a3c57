import { type SystemCaller, systemCaller } from '../access/caller.ts'
import { type Actor, commandActor } from '../activity/actor.ts'
import { operatingSystemUser } from './data-dir-owner.ts'

export const cliActor = (): Actor => commandActor(operatingSystemUser())

/** The user of the command as the caller of operations in an organisation. */
export const cliCaller = (organisationId: string): SystemCaller => ({ ...systemCaller(organisationId, 'cli'), actor: cliActor() })
