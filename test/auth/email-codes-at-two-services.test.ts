import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { freshPostgresUrl } from '../support/database.ts'
import { emailCodeFor, otherThan } from '../support/email-codes.ts'
import type { HttpClient } from '../support/http-client.ts'
import { Mailbox } from '../support/mailbox.ts'
import { startTestService } from '../support/service.ts'

const setPolicy = (owner: HttpClient, signInPolicy: Record<string, unknown>) => owner.patch('/v1/admin/organisation', { signInPolicy })

describe('two services on one PostgreSQL', () => {
  it('start one session for a code that is sent to both, and allow five tries together', async () => {
    const url = await freshPostgresUrl()
    const secretKey = randomBytes(32)
    // Either of them sends the mails.
    const mailbox = new Mailbox()
    const aProcess = () => startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey, mailTransport: mailbox })
    const services = [await aProcess(), await aProcess()] as const
    const [first] = services
    const { owner, id } = await first.given.organisation()
    await setPolicy(owner, { emailCode: 'allowed' })
    const user = await first.given.user(owner)
    const toBoth = async (proof: { flowToken: string; code: string }) => {
      const requests = Array.from({ length: 20 }, (_, index) =>
        services[index % 2 === 0 ? 0 : 1].anonymous.post('/v1/auth/email-code/verify', proof),
      )
      return (await Promise.all(requests)).map(({ status }) => status).sort()
    }
    const sessions = async () =>
      (await first.database.tenant(id).selectFrom('sessions').select('id').where('userId', '=', user.id).execute()).length

    const wrong = await emailCodeFor({ anonymous: first.anonymous, mailbox }, user.email)
    expect(await toBoth({ ...wrong, code: otherThan(wrong.code) })).toEqual(Array(20).fill(400))
    await Promise.all(services.map((one) => one.settled()))
    expect(await first.database.system().selectFrom('emailCodeTries').select('tries').execute()).toEqual([{ tries: 5 }])
    expect(await toBoth(wrong)).toEqual(Array(20).fill(400))
    expect(await sessions()).toBe(0)

    expect(await toBoth(await emailCodeFor({ anonymous: first.anonymous, mailbox }, user.email))).toEqual([200, ...Array(19).fill(400)])
    expect(await sessions()).toBe(1)
    await Promise.all(services.map((one) => one.stop()))
  })
})
