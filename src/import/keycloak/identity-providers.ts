import { NewConnection } from '../../connections/schemas.ts'
import type { ImportReport } from '../report.ts'
import { createDistinctSlugs } from '../slug.ts'
import { mistakesOf } from '../source.ts'
import type { Realm, RealmIdentityProvider } from './realm.ts'

/** Converts the identity providers of a realm that have a counterpart here into connections, which are switched off. */
export function connectionsOfRealm({ identityProviders }: Realm, there: ReadonlySet<string>, report: ImportReport): NewConnection[] {
  const distinctSlug = createDistinctSlugs()
  return identityProviders.flatMap((provider) => {
    const { alias } = provider
    const settings = settingsOf(provider)
    if (!settings) {
      report.left('identity providers', `those of the kind ${provider.providerId} cannot be connected`, alias)
      return []
    }
    const secret = provider.config.clientSecret
    const hasSecret = secret !== undefined && secret !== '' && !/^\*+$/.test(secret)
    const { data, error } = NewConnection.safeParse({
      name: provider.displayName || alias,
      slug: distinctSlug(alias),
      isActive: false,
      ...settings,
      ...(hasSecret && { secret }),
    })
    if (data && there.has(data.slug)) {
      report.left('identity providers', 'a connection of the same name is here already, and stays as it is', alias)
      return []
    }
    if (!data) {
      report.left('identity providers', mistakesOf(error).join('; '), alias)
      return []
    }
    report.changed('identity providers', 'as connections, switched off: register the redirect URI there and test them first', alias)
    if (!hasSecret) report.left('secrets of identity providers', 'the export masks them', alias)
    return [data]
  })
}

function settingsOf({ providerId, config }: RealmIdentityProvider): object | undefined {
  const { clientId, issuer, hostedDomain, tenantId } = config
  switch (providerId) {
    case 'oidc':
    case 'keycloak-oidc':
      return { provider: 'oidc', configuration: { issuer, clientId } }
    case 'google':
      return { provider: 'google', configuration: { clientId, ...(hostedDomain && { allowedHostedDomains: [hostedDomain] }) } }
    case 'microsoft':
      return { provider: 'microsoft', configuration: { clientId, tenant: tenantId || 'common' } }
    case 'github':
      return { provider: 'github', configuration: { clientId } }
    default:
      return undefined
  }
}
