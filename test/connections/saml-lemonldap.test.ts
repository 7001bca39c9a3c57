import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueDomain } from '../support/domains.ts'
import { meOf } from '../support/federation.ts'
import { LemonLdap, needsLemonLdap } from '../support/lemonldap.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { here, joinedBy, locationOf, unescaped } from '../support/real-saml-provider.ts'
import { useService } from '../support/service.ts'

// Its responses say the time of this machine.
const service = useService({ ofItsOwn: true })
const domain = uniqueDomain()
const email = `anna@${domain}`

describe('LemonLDAP::NG as the identity provider', needsLemonLdap, () => {
  let provider: LemonLdap
  beforeAll(async () => {
    provider = await LemonLdap.start(email)
  })
  afterAll(() => provider?.stop())

  it('signs a user in by our metadata and a connection of its own, and signs out with us in both directions', async () => {
    const { configuration, signIn, signOut, atProvider } = await joinedBy(service(), provider, domain)
    expect(configuration).toMatchObject({ entityId: provider.metadataUrl, sloUrl: `${provider.origin}/saml/singleLogout` })

    const visitor = new PageVisitor(service().origin)
    expect(await signIn(visitor)).toMatchObject({ status: 200, body: { email } })
    await signOut(visitor)

    // Signing out there signs out here: it opens our address in a frame, where no browser sends our cookie.
    const second = new PageVisitor(service().origin)
    expect(await signIn(second)).toMatchObject({ status: 200 })
    const asked = await atProvider.open(new URL(`${provider.origin}/?logout=1`))
    const frame = new URL(unescaped(/<iframe src="([^"]+)"/.exec(asked.body)?.[1]))
    const responded = await new PageVisitor(service().origin).open(here(frame))
    expect(await meOf(service(), second)).toMatchObject({ status: 401 })
    const ended = await atProvider.open(new URL(locationOf(responded)))
    // The sign that it shows for an application which has signed out.
    expect(ended.url.pathname).toContain('ok.png')
  })
})
