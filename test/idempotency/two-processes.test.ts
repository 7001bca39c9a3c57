import { describe, expect, it, onTestFinished } from 'vitest'
import { SignedInUser } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }

describe('two processes', () => {
  it('make one record of twenty requests at once with one Idempotency-Key', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const environment = { ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password, RATE_LIMIT: 'off', LOG_LEVEL: 'error' }
    const start = async () => {
      const service = await (await ServiceProcess.start(environment)).ready()
      onTestFinished(() => service.end('SIGKILL').then(() => {}))
      return service
    }
    const [one, other] = [await start(), await start()]
    const owner = new SignedInUser(one.origin, await one.anonymous.post('/v1/auth/login', account), account)
    const callers = [owner, new HttpClient(other.origin, owner.headers)] as const
    const create = (by: HttpClient, name: string) =>
      by.post('/v1/admin/api-keys', { name, permissions: ['users:read'] }, { headers: { 'idempotency-key': name } })

    for (let round = 0; round < 10; round++) {
      const name = `key-${round}`
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(callers[index % 2 === 0 ? 0 : 1], name)))
      const made = answers.filter(({ status }) => status === 201)
      expect(new Set(made.map(({ body }) => body.key)).size).toBe(1)
      const others = answers.filter(({ status }) => status !== 201)
      expect(others.map(({ status, body }) => [status, body.code])).toEqual(others.map(() => [409, 'idempotency-key-in-use']))
      for (const caller of callers) expect((await create(caller, name)).body).toEqual(made[0]?.body)
    }
    expect((await owner.get('/v1/admin/api-keys')).body.data).toHaveLength(10)
  })
})
