import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()
/** What the script of the sign-in page notes on a device that can have passkeys. */
const noted = 'svc_passkeys=1'
const offer = /^\/login\/passkey(\?|$)/
const signIn = async (visitor: PageVisitor, { email, password }: { email: string; password: string }, path = '/login') =>
  (await visitor.submit(path, { email, password })).headers.get('location') ?? ''

describe('the offer of a passkey after a sign-in by password', () => {
  it('is made to one of five sign-ins at once', async () => {
    const { owner } = await service().given.organisation()

    const led = await Promise.all(Array.from({ length: 5 }, () => signIn(new PageVisitor(service().origin, noted), owner)))

    expect(led.filter((location) => offer.test(location))).toHaveLength(1)
    expect(led.filter((location) => location === '/')).toHaveLength(4)
  })

  it('follows the second factor, and leads back to the application', async () => {
    const { owner } = await service().given.organisation()
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const visitor = new PageVisitor(service().origin, noted)
    const returnTo = '/oauth2/authorize?request=x'

    const second = await signIn(visitor, owner, `/login?${new URLSearchParams({ returnTo })}`)
    expect(second).toMatch(/^\/login\/mfa\?/)
    const location = (await visitor.submit(second, { code: authenticator.nextCode() })).headers.get('location') ?? ''

    expect(location).toMatch(offer)
    expect((await visitor.open(location)).body).toContain(`href="${returnTo}"`)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })
    const skipped = await visitor.open(location)
    expect([skipped.status, skipped.body]).toEqual([200, expect.stringContaining(`url=${returnTo}`)])
  })

  it('costs no statement where the script has noted nothing', async () => {
    const engine = recordingEngine(await freshEngine())
    const own = await startTestService({ engine })
    const { owner } = await own.given.organisation()
    engine.statements.length = 0

    expect(await signIn(new PageVisitor(own.origin), owner)).toBe('/')

    expect(engine.statements.filter(({ query }) => query.sql.includes('passkey_offered_at'))).toEqual([])
    await own.stop()
  })
})
