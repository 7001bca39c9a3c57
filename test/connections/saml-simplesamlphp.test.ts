import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueDomain } from '../support/domains.ts'
import { meOf } from '../support/federation.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { here, joinedBy, locationOf } from '../support/real-saml-provider.ts'
import { useService } from '../support/service.ts'
import { needsSimpleSaml, SimpleSaml } from '../support/simplesamlphp.ts'

// Its responses say the time of this machine.
const service = useService({ ofItsOwn: true })
const domain = uniqueDomain()
const email = `anna@${domain}`

describe('SimpleSAMLphp as the identity provider', needsSimpleSaml, () => {
  let provider: SimpleSaml
  beforeAll(async () => {
    provider = await SimpleSaml.start(email)
  })
  afterAll(() => provider?.stop())

  it('signs a user in by our metadata and a connection of its own, and signs out with us in both directions', async () => {
    const { configuration, signIn, signOut, atProvider } = await joinedBy(service(), provider, domain)
    const sloUrl = `${provider.origin}/saml2/idp/SingleLogoutService.php`
    expect(configuration).toMatchObject({ entityId: provider.metadataUrl, sloUrl })

    const visitor = new PageVisitor(service().origin)
    expect(await signIn(visitor)).toMatchObject({ status: 200, body: { email } })
    await signOut(visitor)

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
