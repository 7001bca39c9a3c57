import { describe, expect, it } from 'vitest'
import { pageAddresses } from '../support/all-routes.ts'
import { encode, givenApplication, pkce } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
/** Pages that only send this caller elsewhere. */
const redirects = [
  ...['/', '/oauth2/authorize', '/oauth2/consent', '/login/mfa', '/account/application', '/account/second-factor'],
  '/federation/:id/logged-out',
]

/** The console frames it; test/console/preview.test.ts says what holds instead. */
const framed = ['/login/preview']

describe('every response that a browser shows', () => {
  it('is not shown in a frame, to prevent clickjacking (RFC 9700 §4.16)', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const trusted = await givenApplication(service(), { organisation: app.organisation })
    const parametersOf = ({ id, redirectUri }: typeof app) => ({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    })
    const asked = await owner.get(`/oauth2/authorize?${encode(parametersOf(app))}`)
    const consent = asked.headers.get('location') ?? ''
    expect(consent).toMatch(/^\/oauth2\/consent\?/)
    const addresses = [
      ...pageAddresses().filter((address) => ![...redirects, ...framed].includes(address)),
      ...['/console', '/console/users', '/login?prompt=login', '/oauth2/logout', '/no/such/page', '/oauth2/authorize', consent],
      `/oauth2/authorize?${encode({ ...parametersOf(trusted), response_mode: 'form_post' })}`,
      `/oauth2/authorize?${encode({ ...parametersOf(trusted), response_mode: 'form_post', scope: 'unknown' })}`,
    ]
    for (const address of addresses) {
      const answer = await owner.get(address, { headers: { accept: 'text/html' } })
      expect(answer.headers.get('content-type'), address).toMatch(/^text\/html/)
      expect(answer.headers.get('content-security-policy'), address).toMatch(/(^|; ?)frame-ancestors 'none'(;|$)/)
      expect(answer.headers.get('x-frame-options'), address).toBeTruthy()
    }
  })
})
