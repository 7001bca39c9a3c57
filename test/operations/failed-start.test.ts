import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { channels } from '../../src/platform/database/locks-and-channels.ts'
import { freshEngine } from '../support/database.ts'
import { startTestService } from '../support/service.ts'

it('a first start that fails leaves no owner whose password was not printed', async () => {
  const engine = await freshEngine()
  const secretKey = randomBytes(32)
  const environment = { BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test' }
  const failing = {
    ...engine,
    listen: (channel: string, onNotice: () => void) =>
      channel === channels.mails ? Promise.reject(new Error('connection terminated')) : engine.listen(channel, onNotice),
  }
  await expect(startTestService({ engine: failing, environment, secretKey })).rejects.toThrow('connection terminated')

  const service = await startTestService({ engine, environment, secretKey })

  expect(service.bootstrapped).toMatchObject({ email: 'owner@acme.test', generated: true })
  await service.stop()
})

it('a start fails when its migrations fail, also when no first owner is to be created', async () => {
  const engine = await freshEngine()
  await engine.execute({ sql: 'delete from kysely_migration where name = (select min(name) from kysely_migration)', parameters: [] })

  await expect(startTestService({ engine })).rejects.toThrow('corrupted migrations')
})
