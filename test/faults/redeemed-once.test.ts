import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import type { Answer } from '../support/http-client.ts'
import { acceptance, invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { startTestService, type TestService } from '../support/service.ts'

const rounds = 6
const presentations = 4

describe.runIf(databaseKind() === 'postgres')('while the connections to the database break', () => {
  let databaseUrl: string
  let service: TestService
  beforeAll(async () => {
    databaseUrl = await freshPostgresUrl()
    service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }), environment: { RATE_LIMIT: 'off' } })
  })
  afterAll(() => service.stop())

  const breakConnections = () =>
    onServer(
      urlOf(databaseUrl, 'postgres'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(databaseUrl).pathname.slice(1)}'`,
    )

  /** Whether as many requests as there are connections are all served. */
  const usable = async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.anonymous.get('/readyz')))
    return answers.every(({ status }) => status === 200)
  }

  /** Presents it several times at once, each until the service is available. @returns how many succeeded */
  async function succeeded(redeem: () => Promise<Answer>): Promise<number> {
    const present = async (): Promise<number> => {
      for (;;) {
        const { status } = await redeem()
        if (status !== 503) return status
        await pause(10)
      }
    }
    const presenting = Array.from({ length: presentations }, present)
    await breakConnections()
    const statuses = await Promise.all(presenting)
    for (const status of statuses) expect([200, 201, 400]).toContain(status)
    return statuses.filter((status) => status < 300).length
  }

  it.each(['an authorization code', 'a refresh token', 'an invitation', 'an e-mail code'])('%s is redeemed at most once', async (kind) => {
    const app = await givenApplication(service)
    const { owner } = app.organisation
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const issue = async (): Promise<() => Promise<Answer>> => {
      switch (kind) {
        case 'an authorization code': {
          const { code, verifier } = await app.code()
          return () => app.redeem(code, verifier)
        }
        case 'a refresh token': {
          const { refresh_token } = await app.signIn({ scope: 'openid offline_access' })
          return () => app.refresh(refresh_token)
        }
        case 'an invitation': {
          const { token } = await invite(service, owner)
          return () => service.anonymous.post('/v1/auth/invitations/accept', acceptance(token))
        }
        default: {
          const proof = await emailCodeFor(service, (await service.given.user(owner)).email)
          return () => service.anonymous.post('/v1/auth/email-code/verify', proof)
        }
      }
    }
    for (let round = 0; round < rounds; round++) {
      expect(await succeeded(await issue())).toBeLessThanOrEqual(1)
      // Every connection that was broken is noticed.
      await expect.poll(usable).toBe(true)
    }
    // And it is redeemed when nothing breaks.
    expect(await (await issue())()).toMatchObject({ status: kind === 'an invitation' ? 201 : 200 })
  })
})
