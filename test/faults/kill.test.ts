import { randomInt } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SignedInUser, unique } from '../support/given.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const rounds = 4

const signIn = async (service: ServiceProcess) =>
  new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)

describe('a service that is killed while users are being created', () => {
  it('has every user whose creation it confirmed, each with role and audit entry, and no partial one', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const environment = { ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password, RATE_LIMIT: 'off', LOG_LEVEL: 'error' }
    const answered = new Set<string>()

    for (let round = 0; round < rounds; round++) {
      const service = await (await ServiceProcess.start(environment)).ready()
      await killAfter(service, randomInt(1, 25), answered)
    }

    const service = await (await ServiceProcess.start(environment)).ready()
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    const owner = await signIn(service)
    const users: { id: string; email: string; roles: { slug: string }[] }[] = (await owner.get('/v1/admin/users')).body.data
    const created: string[] = (await owner.audit({ action: 'user.created' })).map(({ targetId }: { targetId: string }) => targetId)
    const made = users.filter(({ id }) => id !== owner.id)
    expect(answered.size).toBeGreaterThan(0)
    expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining([...answered]))
    for (const { roles } of made) expect(roles).toMatchObject([{ slug: 'member' }])
    expect(created.sort()).toEqual(made.map(({ id }) => id).sort())
  })
})

/** Creates users until a number of responses have arrived, then kills the process while it creates the others. */
async function killAfter(service: ServiceProcess, answers: number, answered: Set<string>): Promise<void> {
  const owner = await signIn(service)
  let left = answers
  const createUsers = async () => {
    for (;;) {
      const user = { email: `${unique()}@example.test`, firstName: 'Test', lastName: 'User' }
      const created = await owner.post('/v1/admin/users', user).catch(() => undefined)
      if (!created) return
      expect(created).toMatchObject({ status: 201 })
      answered.add(created.body.id)
      if (--left === 0) await service.end('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: 8 }, createUsers))
}
