import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { meOf } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { ownMetadataOf } from '../support/saml-sign-in.ts'
import { useService } from '../support/service.ts'
import { needsSimpleSaml, ProviderVisitor, SimpleSaml } from '../support/simplesamlphp.ts'

// Its responses say the time of this machine.
const service = useService({ ofItsOwn: true })
const home = 'https://portal.example.test/'
const domain = uniqueDomain()
const email = `anna@${domain}`

/** The same address at the service that runs here. */
const here = ({ pathname, search }: URL) => pathname + search
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

describe('SimpleSAMLphp as the identity provider', needsSimpleSaml, () => {
  let provider: SimpleSaml
  beforeAll(async () => {
    provider = await SimpleSaml.start(email)
  })
  afterAll(() => provider?.stop())

  it('signs a user in by our metadata and a connection of its own, and signs out with us in both directions', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const made = await owner.post('/v1/admin/connections', {
      name: 'SimpleSAMLphp',
      slug: `ssp-${unique()}`,
      provider: 'saml',
      configuration: { metadataUrl: provider.metadataUrl },
      provisioning: 'jit',
      upstreamLogout: true,
    })
    expect(made).toMatchObject({
      status: 201,
      body: { configuration: { entityId: provider.metadataUrl, sloUrl: `${provider.origin}/saml2/idp/SingleLogoutService.php` } },
    })
    const { id, acsUrl } = made.body
    await verifiedDomain(service(), owner, { domain, connectionId: id, sso: 'offered' })
    await provider.register(await ownMetadataOf(service(), { id }))
    const application = await givenApplication(service(), { organisation, requireConsent: false, postLogoutRedirectUris: [home] })

    /** A browser that signs in: with the password the first time, by the provider's session from then on. */
    const atProvider = new ProviderVisitor(provider.origin)
    async function signIn(visitor: PageVisitor) {
      const started = await visitor.open(`/federation/${id}/start?returnTo=/account`)
      const shown = await atProvider.open(new URL(locationOf(started)))
      const asks = 'AuthState' in shown.fields
      const answered = asks ? await atProvider.open(shown.action, { ...shown.fields, username: 'anna', password: 'secret' }) : shown
      expect(answered.action.href).toBe(acsUrl)
      const body = new URLSearchParams(answered.fields)
      const posted = await fetch(service().origin + here(answered.action), { method: 'POST', redirect: 'manual', body })
      expect(locationOf(await visitor.open(locationOf(posted)))).toBe('/account')
      return meOf(service(), visitor)
    }

    const visitor = new PageVisitor(service().origin)
    expect(await signIn(visitor)).toMatchObject({ status: 200, body: { email } })

    // Signing out here signs out there: the provider comes back, and asks for the password again.
    const tokens = await application.signIn({ scope: 'openid' }, service().anonymous.with({ cookie: visitor.cookie }))
    const logout = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: home })
    const left = await visitor.open(`/oauth2/logout?${logout}`)
    const back = await atProvider.open(new URL(locationOf(left)))
    expect(locationOf(await visitor.open(here(back.url)))).toBe(home)

    // Signing out there signs out here, and our response satisfies the provider.
    const second = new PageVisitor(service().origin)
    expect(await signIn(second)).toMatchObject({ status: 200 })
    const asked = await atProvider.open(new URL(`${provider.origin}/saml2/idp/initSLO.php?RelayState=${provider.origin}/`))
    const responded = await second.open(here(asked.url))
    expect(responded.status).toBe(303)
    expect(await meOf(service(), second)).toMatchObject({ status: 401 })
    const ended = await atProvider.open(new URL(locationOf(responded)))
    // Where it was to go at its end: a response that it refuses leads to a page of its own.
    expect(ended.url.href).toBe(`${provider.origin}/module.php/core/frontpage_welcome.php`)
  })
})
