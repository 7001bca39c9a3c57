import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { startDeliveryEngine } from './engine.ts'

it('a receiver whose deliveries cannot be attempted gets a pause after each', async () => {
  let attempts = 0
  let claimed = 0
  const nothing = async () => {}
  const engine = startDeliveryEngine({
    queue: {
      what: 'test',
      begin: nothing,
      // The queue of the receiver never ends.
      claim: async ({ limits: { endpoints, perEndpoint } }) =>
        Array.from({ length: endpoints.get('wh_1') ?? perEndpoint }, () => ({
          ...{ organisationId: 'org_1', endpointId: 'wh_1', attemptCount: 0, isWanted: true },
          id: `dlv_${++claimed}`,
        })),
      setAside: nothing,
      release: nothing,
      attempt: async () => {
        attempts++
        throw new Error('No key decrypts the secret')
      },
      record: nothing,
    },
    sender: { abort: () => {}, close: nothing },
    clock: systemClock,
    logger: { error: () => {} } as unknown as FastifyBaseLogger,
  })
  await pause(600)
  await engine.stop()

  expect(attempts).toBeGreaterThanOrEqual(10)
  expect(attempts).toBeLessThanOrEqual(14)
})
