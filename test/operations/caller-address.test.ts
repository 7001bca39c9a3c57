import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { TRUST_PROXY: 'loopback, 198.51.100.0/24' } })

const behindProxy = (forwardedFor: string) => service().anonymous.with({ 'x-forwarded-for': forwardedFor })

/** The address of a sign-in in the list of sessions and in the audit log. */
async function storedAddresses(forwardedFor: string): Promise<string[]> {
  const { owner } = await service().given.organisation()
  const login = await behindProxy(forwardedFor).post('/v1/auth/login', { email: owner.email, password: owner.password })
  expect(login).toMatchObject({ status: 200 })
  const sessions = await owner.get('/v1/me/sessions')
  const session = sessions.body.data.find(({ id }: { id: string }) => id === login.body.session.id)
  const entries = await owner.get('/v1/admin/audit-logs?action=login.success&limit=1')
  return [session.ipAddress, entries.body.data[0].ipAddress]
}

describe("the caller's address behind a trusted proxy", () => {
  it.each([
    ['an address', '203.0.113.7', '203.0.113.7'],
    ['an address with a port', '203.0.113.7:4711', '203.0.113.7'],
    ['an IPv4 address mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv6 address with a port', '[2001:DB8:0::7]:4711', '2001:db8::7'],
    ['the last one that no trusted proxy has', '192.0.2.1, 203.0.113.7:4711, 198.51.100.2:80', '203.0.113.7'],
    ['a text of 3 KB', 'x'.repeat(3_000), 'unknown'],
    ['a name', '_hidden', 'unknown'],
  ])('is stored as an address or unknown when it is %s', async (_, forwardedFor, stored) => {
    expect(await storedAddresses(forwardedFor)).toEqual([stored, stored])
  })

  it.each([
    ['of one IPv6 /64', (number: number) => `2001:db8:0:64::${number.toString(16)}`],
    ['of one address and many ports', (number: number) => `203.0.113.64:${1_000 + number}`],
    ['of one address in both versions', (number: number) => (number % 2 ? '203.0.113.65' : '::ffff:203.0.113.65')],
  ])('counts as one in the limit %s', async (_, addressOf) => {
    const attempt = (number: number) =>
      behindProxy(addressOf(number)).post('/v1/auth/login', { email: `nobody-${unique()}@example.test`, password: 'wrong password' })
    for (let number = 0; number < 100; number++) expect(await attempt(number)).toMatchObject({ status: 401 })

    expect(await attempt(101)).toMatchObject({ status: 429 })
    const elsewhere = behindProxy('2001:db8:0:65::1')
    expect(await elsewhere.post('/v1/auth/login', { email: `nobody-${unique()}@example.test`, password: 'wrong' })).toMatchObject({
      status: 401,
    })
  })
})

describe('without a trusted proxy', () => {
  const direct = useService({ environment: { TRUST_PROXY: '198.51.100.0/24' } })

  it('the address of the connection is stored, with any headers', async () => {
    const { owner } = await direct().given.organisation()
    const { body } = await direct().anonymous.with({ 'x-forwarded-for': '203.0.113.7' }).post('/v1/auth/login', {
      email: owner.email,
      password: owner.password,
    })
    const { body: sessions } = await owner.get('/v1/me/sessions')
    expect(sessions.data.find(({ id }: { id: string }) => id === body.session.id)).toMatchObject({ ipAddress: '127.0.0.1' })
  })
})
