import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { PasskeyDevice, passkeyProof, registerPasskey } from '../support/passkeys.ts'
import { startTestService } from '../support/service.ts'

describe.runIf(databaseKind() === 'postgres')('two services on one PostgreSQL', () => {
  it('start one session for an assertion that is sent to both, twenty times at once', async () => {
    const url = await freshPostgresUrl()
    const secretKey = randomBytes(32)
    const services = [
      await startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey }),
      await startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey }),
    ] as const
    const [{ given, anonymous, database }] = services
    const organisation = await given.organisation()
    const device = new PasskeyDevice({ signCounterIncrement: 0 })
    await registerPasskey(organisation.owner, device)
    const proof = await passkeyProof(anonymous, device)

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => services[index % 2 === 0 ? 0 : 1].anonymous.post('/v1/auth/passkey', proof)),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
    const sessions = await database
      .tenant(organisation.id)
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', organisation.owner.id)
      .execute()
    // That of the password, and this one.
    expect(sessions).toHaveLength(2)
    await Promise.all(services.map((service) => service.stop()))
  })
})
