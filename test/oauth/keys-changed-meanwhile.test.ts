import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import { createDatabase } from '../../src/platform/database/database.ts'
import type { Engine, Query } from '../../src/platform/database/engine.ts'
import { rotateSigningKeys } from '../../src/tokens/rotate-signing-keys.ts'
import { createSigningKeys } from '../../src/tokens/signing-keys.ts'
import { freshEngine } from '../support/database.ts'
import { TestClock } from '../support/test-clock.ts'

/** An engine that can hold the rows of the next reading of the keys, after the database has returned them, and says when it has passed a notice on. */
function holdingEngine(engine: Engine) {
  let next: { read: () => void; released: Promise<void> } | undefined
  let noticed = () => {}
  const hold =
    (run: Engine['execute']): Engine['execute'] =>
    async <Row>(query: Query, setUp?: Query) => {
      const result = await run<Row>(query, setUp)
      if (next && query.sql.includes('from signing_keys order by')) {
        const { read, released } = next
        next = undefined
        read()
        await released
      }
      return result
    }
  return {
    engine: {
      ...engine,
      execute: hold(engine.execute),
      pointRead: hold(engine.pointRead),
      listen: (channel, onNotice) =>
        engine.listen(channel, () => {
          onNotice()
          noticed()
        }),
    } as Engine,
    nextNotice: () => new Promise<void>((resolve) => (noticed = resolve)),
    holdNext() {
      const read = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      next = { read: read.resolve, released: released.promise }
      return { read: read.promise, release: released.resolve }
    },
  }
}

it('a process that is reading the signing keys while they are withdrawn verifies nothing by the former ones', async () => {
  const { engine, holdNext, nextNotice } = holdingEngine(await freshEngine())
  onTestFinished(() => engine.close())
  const clock = new TestClock()
  const database = createDatabase(engine, clock)
  const keyring = createKeyring(randomBytes(32))
  const keys = createSigningKeys(database, keyring, { algorithms: ['EdDSA'], onError: () => {} })
  await keys.open()
  const { id } = await keys.signer('EdDSA')

  clock.advance({ minutes: 1 })
  clock.stop()
  const { read, release } = holdNext()
  const reading = keys.verifier(id)
  await read
  const noticed = nextNotice()
  await rotateSigningKeys(database, keyring, systemActor, { withdraw: true })
  await noticed
  release()
  await reading

  await expect.poll(async () => await keys.verifier(id)).toBeUndefined()
})
