import { describe, expect, it } from 'vitest'
import { acceptance, invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const initiateLoginUri = 'https://portal.example.test/login?tenant=a'
const password = 'a long enough secret'

const portal = async (fields: Record<string, unknown> = {}) => givenApplication(service(), { name: 'Portal', initiateLoginUri, ...fields })

/** The target of the page that ends a chain of forms. */
const refreshOf = (body: string) => /http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')

function expectInitiation(address: string | undefined, email: string): void {
  const url = new URL(address ?? 'about:blank')
  expect(url.origin + url.pathname).toBe('https://portal.example.test/login')
  expect(Object.fromEntries(url.searchParams)).toEqual({ tenant: 'a', iss: 'http://gatehouse.test', login_hint: email })
}

describe('an invitation to an application', () => {
  it('names the application in its record and its mail, with role and teams', async () => {
    const { organisation, id: clientId } = await portal()
    const { owner } = organisation
    const role = await service().given.role(owner, { name: 'Auditors' })
    const teams = await Promise.all(['Red', 'Blue'].map((name) => owner.post('/v1/admin/teams', { name, slug: name.toLowerCase() })))

    const fields = { clientId, roleId: role.id, teamIds: teams.map(({ body }) => body.id) }
    const { id, email } = await invite(service(), owner, fields)

    expect((await owner.get(`/v1/admin/invitations/${id}`)).body).toMatchObject({ clientId })
    const english = await service().mailbox.mailTo(email)
    expect(english.text).toContain(
      'Your role will be Auditors. You will join the team Blue and Red. Once you have accepted, you continue to Portal.',
    )
    await owner.post(`/v1/admin/invitations/${id}/resend`, undefined, { headers: { 'accept-language': 'de' } })
    const german = await service().mailbox.mailTo(email, 'Einladung')
    expect(german.text).toContain(
      'Ihre Rolle wird Auditors sein. Sie gehören dann zum Team Blue und Red. Nach der Annahme geht es weiter zu Portal.',
    )
  })

  it('leads there: the response of the API contains the address', async () => {
    const { organisation, id: clientId } = await portal()
    const { token, email } = await invite(service(), organisation.owner, { clientId })

    const accepted = await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))

    expect(accepted).toMatchObject({ status: 201, body: { user: { email } } })
    expectInitiation(accepted.body.continueTo, email)
  })

  it('signs in on the page and leads there, in the branding of the organisation', async () => {
    const { organisation, id: clientId } = await portal()
    const { token, email } = await invite(service(), organisation.owner, { clientId })
    const browser = new PageVisitor(service().origin)
    const page = `/invitations/accept?token=${token}`
    expect((await browser.open(page)).body).toContain(organisation.name)

    const accepted = await browser.submit(page, { token, firstName: 'Carol', lastName: 'Shaw', password })

    expect(accepted).toMatchObject({ status: 303 })
    expect(accepted.headers.get('location')).toBe(`/account/application?client_id=${clientId}`)
    expect(accepted.headers.getSetCookie().join()).toContain('svc_session=')
    const leading = await browser.open(accepted.headers.get('location') ?? '')
    expectInitiation(refreshOf(leading.body), email)
    expect((await browser.open('/account')).body).toContain(email)
  })

  it('has a second factor enrolled first when the organisation requires one', async () => {
    const { organisation, id: clientId } = await portal()
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const { token } = await invite(service(), organisation.owner, { clientId })
    const browser = new PageVisitor(service().origin)

    const accepted = await browser.submit(`/invitations/accept?token=${token}`, { token, firstName: 'Carol', lastName: 'Shaw', password })

    const returnTo = encodeURIComponent(`/account/application?client_id=${clientId}`)
    expect(accepted.headers.get('location')).toBe(`/mfa/enroll?returnTo=${returnTo}`)
    const early = await browser.open(`/account/application?client_id=${clientId}`)
    expect(early.headers.get('location')).toBe(`/mfa/enroll?returnTo=${returnTo}`)
  })

  it.each([
    ['has no address to begin at', async () => ({}), { initiateLoginUri: null }],
    ['was revoked since', (path: string) => ({ method: 'POST', path: `${path}/revoke` }), {}],
    ['was deleted since', (path: string) => ({ method: 'DELETE', path }), {}],
  ])('that %s leads to the sign-in', async (_, change, fields) => {
    const { organisation, id: clientId } = await portal(fields)
    const [byApi, byPage] = [
      await invite(service(), organisation.owner, { clientId }),
      await invite(service(), organisation.owner, { clientId }),
    ]
    const { method, path } = (await change(`/v1/admin/clients/${clientId}`)) as { method?: string; path?: string }
    if (method && path) expect((await organisation.owner.request(method, path)).status).toBeLessThan(300)

    const accepted = await service().anonymous.post('/v1/auth/invitations/accept', acceptance(byApi.token))
    expect(accepted).toMatchObject({ status: 201, body: { continueTo: null } })
    const { token } = byPage
    const browser = new PageVisitor(service().origin)
    const page = await browser.submit(`/invitations/accept?token=${token}`, { token, firstName: 'Carol', lastName: 'Shaw', password })
    expect(page.headers.get('location')).toMatch(/^\/login\?notice=accepted/)
  })

  it('names a client of the organisation, or is refused and sends no mail', async () => {
    const { organisation } = await portal()
    const other = await portal()
    const { owner } = organisation
    const { id: roleId } = await service().given.role(owner)
    const email = `nobody-${organisation.slug}@example.test`

    for (const clientId of [other.id, 'cli_unknown']) {
      expect(await owner.post('/v1/admin/invitations', { email, roleId, clientId })).toMatchObject({
        status: 404,
        body: { code: 'client-not-found', detail: 'Client not found' },
      })
    }
    const { id } = (await owner.post('/v1/admin/clients', { name: 'Gone', clientType: 'public', redirectUris: ['https://a.test/'] })).body
    await owner.delete(`/v1/admin/clients/${id}`)
    expect(await owner.post('/v1/admin/invitations', { email, roleId, clientId: id })).toMatchObject({ status: 404 })
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(0)
    expect(service().mailbox.mails.filter(({ to }) => to === email)).toEqual([])
  })
})

describe('/account/application', () => {
  it('leads only signed-in users, and to no application of another organisation', async () => {
    const [own, other] = [await portal(), await portal()]
    const stranger = new PageVisitor(service().origin)
    const asked = await stranger.open(`/account/application?client_id=${own.id}`)
    expect(asked.headers.get('location')).toBe(`/login?returnTo=${encodeURIComponent(`/account/application?client_id=${own.id}`)}`)

    const { owner } = own.organisation
    const asOwner = (clientId: string) => owner.get(`/account/application?client_id=${clientId}`)
    expectInitiation(refreshOf((await asOwner(own.id)).body), owner.email)
    for (const clientId of [other.id, 'cli_unknown', '']) {
      expect((await asOwner(clientId)).headers.get('location')).toBe('/account')
    }
  })
})
