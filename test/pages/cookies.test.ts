import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { waitingIdentity } from '../support/connections.ts'
import { insertConnection } from '../support/domains.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { PUBLIC_URL: 'https://id.example.test', SECRET_KEY: randomBytes(32).toString('base64') } })

/** A new browser that has nothing but one cookie. */
const holding = (name: string, value: string) => new PageVisitor(service().origin, `${name}=${value}`)

/** The cookies that are not of a session or a form. */
const setBy = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => /^([^=]+)=([^;]*);(.*)$/.exec(line)?.slice(1) ?? [])
    .filter(([name = '']) => /svc_(mfa|email_code|link)/.test(name)) as [name: string, value: string, attributes: string][]

describe('over https, the cookie of what is under way', () => {
  it('of a second factor has the prefix that no other host can plant, and is not read without it', async () => {
    const { owner } = await service().given.organisation()
    await enrolAuthenticator(owner, service().clock)
    const { headers } = await new PageVisitor(service().origin).submit('/login', { email: owner.email, password: owner.password })
    const [[name, value, attributes] = ['', '', '']] = setBy(headers)
    expect([name, attributes]).toEqual(['__Host-svc_mfa', expect.stringMatching(/Path=\/;.*HttpOnly; Secure; SameSite=Lax/)])
    expect((await holding(name, value).open('/login/mfa')).status).toBe(200)
    expect((await holding('svc_mfa', value).open('/login/mfa')).status).toBe(303)
  })

  it('of an e-mail code, too', async () => {
    const { headers } = await new PageVisitor(service().origin).submit('/login/email', { email: 'nobody@example.test' })
    const [[name, value, attributes] = ['', '', '']] = setBy(headers)
    expect([name, attributes]).toEqual(['__Host-svc_email_code', expect.stringMatching(/Path=\/;.*HttpOnly; Secure; SameSite=Lax/)])
    expect((await holding(name, value).open('/login/email?step=code')).status).toBe(200)
    expect((await holding('svc_email_code', value).open('/login/email?step=code')).status).toBe(303)
  })

  it('of an account that waits to be linked, too', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisationId)
    const { svc_link, svc_federation } = await waitingIdentity(service(), {
      organisationId,
      userId: owner.id,
      connectionId,
      email: owner.email,
    })
    const statusBy = async (name: string) => {
      const cookie = `${name}=${svc_link}; __Host-svc_federation=${svc_federation}`
      return (await service().anonymous.get('/link', { headers: { cookie, accept: 'text/html' } })).status
    }
    expect(await Promise.all(['__Host-svc_link', 'svc_link'].map(statusBy))).toEqual([200, 400])
  })
})

describe('the cookie of forms', () => {
  const setByPost = async (site: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site }
    const answer = await service().anonymous.post('/login', 'email=carol%40example.test&password=secret', { headers })
    return answer.headers.getSetCookie().filter((line) => line.includes('svc_form'))
  }

  it('is not replaced by a form of another site, to which a browser does not send the one that its open forms need', async () => {
    expect(await setByPost('cross-site')).toEqual([])
    expect(await setByPost('same-origin')).toHaveLength(1)

    const { headers } = await service().anonymous.get('/login', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(headers.getSetCookie().filter((line) => line.includes('svc_form'))).toHaveLength(1)
  })
})
