import { expect } from 'vitest'
import { verifiedDomain } from './domains.ts'
import { meOf } from './federation.ts'
import { unique } from './given.ts'
import { givenApplication } from './oauth.ts'
import type { PageVisitor } from './page-visitor.ts'
import { ownMetadataOf } from './saml-sign-in.ts'
import type { TestService } from './service.ts'

/** A program of others that speaks SAML, running on this machine. */
export interface RealSamlProvider {
  name: string
  origin: string
  metadataUrl: string
  /** What its user fills in, by the names of the fields. */
  credentials: Readonly<Record<string, string>>
  /** Tells it the metadata of a service provider. */
  register(metadata: string): Promise<void>
}

/** A page of a provider, or the address at another site to which it leads. */
export interface ProviderPage {
  url: URL
  body: string
  /** The fields of its form, and where they go. */
  fields: Record<string, string>
  action: URL
}

/** A browser at a provider: it stores cookies, and follows redirects as long as they stay there. */
class ProviderVisitor {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  async open(address: URL, form?: Readonly<Record<string, string>>): Promise<ProviderPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { method: form ? 'POST' : 'GET', headers: { cookie }, redirect: 'manual' as const }
    const response = await fetch(address, { ...sent, body: form ? new URLSearchParams(form) : null })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const body = await response.text()
    if (location === null) return pageOf(address, body)
    const next = new URL(location, address)
    return next.origin === this.#origin ? this.open(next) : pageOf(next, body)
  }
}

export const unescaped = (text = '') =>
  text.replaceAll('&quot;', '"').replaceAll('&#x3D;', '=').replaceAll('&#039;', "'").replaceAll('&amp;', '&')

function pageOf(url: URL, body: string): ProviderPage {
  const inputs = [...body.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const attribute = (input: string, name: string) => unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1])
  const fields = Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]).filter(([name]) => name))
  const [form = ''] = /<form[^>]*>/.exec(body) ?? []
  return { url, body, fields, action: new URL(attribute(form, 'action'), url) }
}

const home = 'https://portal.example.test/'

/** The same address at the service that runs here. */
export const here = ({ pathname, search }: URL): string => pathname + search
export const locationOf = ({ headers }: { headers: Headers }): string => headers.get('location') ?? ''

/** An organisation whose users sign in by such a provider, and how one of them signs in and out. */
export async function joinedBy(service: TestService, provider: RealSamlProvider, domain: string) {
  const organisation = await service.given.organisation()
  const { owner } = organisation
  const made = await owner.post('/v1/admin/connections', {
    name: provider.name,
    slug: `real-${unique()}`,
    provider: 'saml',
    configuration: { metadataUrl: provider.metadataUrl },
    provisioning: 'jit',
    upstreamLogout: true,
  })
  expect(made.status).toBe(201)
  const { id, acsUrl, configuration } = made.body
  await verifiedDomain(service, owner, { domain, connectionId: id, sso: 'offered' })
  await provider.register(await ownMetadataOf(service, { id }))
  const application = await givenApplication(service, { organisation, requireConsent: false, postLogoutRedirectUris: [home] })
  const atProvider = new ProviderVisitor(provider.origin)

  return {
    configuration,
    atProvider,

    /** With the password the first time, by the provider's session from then on. */
    async signIn(visitor: PageVisitor) {
      const started = await visitor.open(`/federation/${id}/start?returnTo=/account`)
      const shown = await atProvider.open(new URL(locationOf(started)))
      const asks = Object.keys(provider.credentials).every((field) => field in shown.fields)
      const responded = asks ? await atProvider.open(shown.action, { ...shown.fields, ...provider.credentials }) : shown
      expect(responded.action.href).toBe(acsUrl)
      const body = new URLSearchParams(responded.fields)
      const posted = await fetch(service.origin + here(responded.action), { method: 'POST', redirect: 'manual', body })
      expect(locationOf(await visitor.open(locationOf(posted)))).toBe('/account')
      return meOf(service, visitor)
    },

    /** Here, with an application. The provider is told, and leads back; the application is where it ends. */
    async signOut(visitor: PageVisitor) {
      const tokens = await application.signIn({ scope: 'openid' }, service.anonymous.with({ cookie: visitor.cookie }))
      const logout = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: home })
      const left = await visitor.open(`/oauth2/logout?${logout}`)
      const back = await atProvider.open(new URL(locationOf(left)))
      expect(locationOf(await visitor.open(here(back.url)))).toBe(home)
    },
  }
}
