import { randomInt } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SignedInUser } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const rounds = 4

const signIn = async (service: ServiceProcess) =>
  new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)

const createKey = (by: HttpClient, name: string) =>
  by.post('/v1/admin/api-keys', { name, permissions: ['users:read'] }, { headers: { 'idempotency-key': name } })

describe('a service that is killed while it answers requests with an Idempotency-Key', () => {
  it('has made each record once when the requests are repeated, and gives every answer again that it had given', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const environment = { ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password, RATE_LIMIT: 'off', LOG_LEVEL: 'error' }
    const start = async () => {
      const service = await (await ServiceProcess.start(environment)).ready()
      onTestFinished(() => service.end('SIGKILL').then(() => {}))
      return service
    }
    const sent: string[] = []
    const answers = new Map<string, Answer>()
    for (let round = 0; round < rounds; round++) {
      const service = await start()
      const owner = await signIn(service)
      let left = randomInt(1, 25)
      const create = async () => {
        for (;;) {
          const name = `key-${sent.length}`
          sent.push(name)
          const answer = await createKey(owner, name).catch(() => undefined)
          if (!answer) return
          expect(answer).toMatchObject({ status: 201 })
          answers.set(name, answer)
          if (--left === 0) await service.end('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: 8 }, create))
    }

    const owner = await signIn(await start())
    expect(answers.size).toBeGreaterThan(0)
    for (const name of sent) {
      const again = await createKey(owner, name)
      expect(again).toMatchObject({ status: 201, body: { name } })
      const first = answers.get(name)
      // The secret is in it, too.
      if (first) expect(again.body).toEqual(first.body)
    }
    const listed: { name: string }[] = (await owner.get('/v1/admin/api-keys?limit=1000')).body.data
    expect(listed.map(({ name }) => name).sort()).toEqual([...sent].sort())
  })
})
