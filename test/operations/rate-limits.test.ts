import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ environment: { TRUST_PROXY: '127.0.0.1' } })

/** The statuses of concurrent sign-ins. */
async function signIns(client: HttpClient, count: number, email: string, password = 'wrong password'): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => client.post('/v1/auth/login', { email, password })))
  return answers.map(({ status }) => status).sort()
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** A caller from an address that no other test uses. */
const elsewhere = () => service().anonymous.with({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::1` })

describe('failed sign-ins to an account', () => {
  it('are refused with 429 and Retry-After after ten in fifteen minutes, the right password included', async () => {
    const { owner } = await service().given.organisation()
    const client = elsewhere()
    expect(await signIns(client, 10, owner.email)).toEqual(times(10, 401))

    const refused = await client.post('/v1/auth/login', { email: owner.email, password: owner.password })

    expect(refused).toMatchObject({
      status: 429,
      body: { type: expect.stringMatching(/\/problems\/too-many-requests$/), title: 'Too Many Requests' },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)

    service().clock.advance({ minutes: 15, seconds: 1 })
    await service().given.signIn(owner.email)
  })

  it('are refused from every address, for registered and unknown accounts', async () => {
    const email = `nobody-${unique()}@example.test`
    for (let number = 0; number < 10; number++) await elsewhere().post('/v1/auth/login', { email, password: 'wrong password' })

    expect(await signIns(elsewhere(), 1, email.toUpperCase())).toEqual([429])
  })

  it('check at most ten passwords when fifty requests come at once', async () => {
    const { owner } = await service().given.organisation()

    expect(await signIns(elsewhere(), 50, owner.email)).toEqual([...times(10, 401), ...times(40, 429)])
    await service().settled()
    const entries = await service()
      .database.tenant((await profileOf(owner)).organisation.id)
      .selectFrom('auditLogs')
      .select('id')
      .where('action', '=', 'login.failed')
      .execute()
    expect(entries).toHaveLength(10)
  })

  it('do not include sign-ins that succeed, also when many succeed at once', async () => {
    const { owner } = await service().given.organisation()
    const client = elsewhere()
    expect(await signIns(client, 40, owner.email, owner.password)).toEqual(times(40, 200))

    // If they had counted, this account would be over its limit by now.
    expect(await signIns(client, 10, owner.email)).toEqual(times(10, 401))
    expect(await signIns(client, 1, owner.email)).toEqual([429])
  })
})

describe('failed sign-ins from an address', () => {
  it('are refused after a hundred in fifteen minutes, for every account, but not from other addresses', async () => {
    const { owner } = await service().given.organisation()
    const client = elsewhere()
    for (let round = 0; round < 10; round++) {
      expect(await signIns(client, 10, `nobody-${unique()}@example.test`)).toEqual(times(10, 401))
    }

    expect(await signIns(client, 1, owner.email, owner.password)).toEqual([429])
    expect(await signIns(elsewhere(), 1, owner.email, owner.password)).toEqual([200])
  })
})

describe('RATE_LIMIT=off', () => {
  it('allows any number of failed sign-ins', async () => {
    const unlimited = await startTestService({ environment: { RATE_LIMIT: 'off' } })
    try {
      expect(await signIns(unlimited.anonymous, 15, 'nobody@example.test')).toEqual(times(15, 401))
    } finally {
      await unlimited.stop()
    }
  })
})

describe.runIf(databaseKind() === 'postgres')('two services on one PostgreSQL', () => {
  it('count together, and store no e-mail address in the clear', async () => {
    const url = await freshPostgresUrl()
    const secretKey = randomBytes(32)
    const [one, other] = await Promise.all([1, 2].map(() => startTestService({ engine: openPostgres(url, { poolSize: 5 }), secretKey })))
    if (!one || !other) throw new Error('The services have not started')
    try {
      const email = `nobody-${unique()}@example.test`
      const statuses = await Promise.all([signIns(one.anonymous, 20, email), signIns(other.anonymous, 20, email)])

      expect(statuses.flat().sort()).toEqual([...times(10, 401), ...times(30, 429)])
      const { rows } = await sql<{ key: string }>`select key from rate_limits`.execute(one.database.system())
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain('example.test')
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })
})

async function profileOf(user: HttpClient): Promise<{ organisation: { id: string } }> {
  return (await user.get('/v1/me/profile')).body
}
