import { expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService } from '../support/service.ts'

/** How many statements requests cause, without those of counters and of what follows the response. */
async function statementsOf(engine: RecordingEngine, request: () => Promise<{ status: number }>): Promise<number> {
  engine.statements.length = 0
  expect(await request()).toMatchObject({ status: 200 })
  return engine.statements.filter(({ query, ofRequest }) => ofRequest && !/rate_limits|last_activity_at = /.test(query.sql)).length
}

it('a user without passkeys and e-mail codes costs as many statements as before there were any', async () => {
  const engine = recordingEngine(await freshEngine())
  const service = await startTestService({ engine })
  const { owner } = await service.given.organisation()
  const user = await service.given.userWith(owner, [])
  const credentials = { email: user.email, password: user.password }

  expect({
    login: await statementsOf(engine, () => service.anonymous.post('/v1/auth/login', credentials)),
    profile: await statementsOf(engine, () => user.get('/v1/me/profile')),
    factors: await statementsOf(engine, () => user.get('/v1/me/mfa')),
    users: await statementsOf(engine, () => owner.get('/v1/admin/users')),
  }).toEqual({ login: 4, profile: 2, factors: 3, users: 2 })

  const { authenticator } = await enrolAuthenticator(user, service.clock)
  const { mfaToken } = (await service.anonymous.post('/v1/auth/login', credentials)).body
  const completing = await statementsOf(engine, () =>
    service.anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() }),
  )
  expect(completing).toBe(8)
  expect(
    engine.statements.filter(({ query }) =>
      /from passkeys|spent_challenges|passkey_users|email_code/.test(query.sql.replace(/exists \([\s\S]*?\)/g, '')),
    ),
  ).toEqual([])
  await service.stop()
})
