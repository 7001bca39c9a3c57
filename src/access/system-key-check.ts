import { channel } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { bearerOf, whyNotTheOperator } from './explain-credentials.ts'

export const wrongSystemKeysChannel = 'gatehouse.wrong-system-keys'
const refused = channel(wrongSystemKeysChannel)

const loggedEverySeconds = 60

/**
 * Checks the key of the system API. Wrong keys are counted and logged at most once a minute, so that guessing cannot fill
 * the disk.
 */
export function createSystemKeyCheck(systemApiKey: string, clock: Clock): (request: FastifyRequest) => void {
  let quietUntil = 0
  let unlogged = 0

  function note(request: FastifyRequest): void {
    refused.publish({})
    unlogged += 1
    const now = clock.now().getTime()
    if (now < quietUntil) return
    // Never log the key: it may belong to another installation.
    request.log.warn({ ipAddress: request.ip, wrongKeys: unlogged }, 'a wrong system API key was refused')
    quietUntil = now + loggedEverySeconds * 1_000
    unlogged = 0
  }

  return (request) => {
    const key = bearerOf(request)
    if (key !== undefined && sameSecret(key, systemApiKey)) return
    if (key) note(request)
    throw whyNotTheOperator(request)
  }
}
