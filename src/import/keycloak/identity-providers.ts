import { configurationMistakes, configurationOf, secretMistakes } from '../../connections/configuration.ts'
import { connectionsMax } from '../../connections/create-connection.ts'
import { tooManyConnections } from '../../connections/refusals.ts'
import { NewConnection } from '../../connections/schemas.ts'
import type { OutgoingRules } from '../../platform/http/outgoing.ts'
import type { FieldError } from '../../platform/http/problem.ts'
import type { ImportReport } from '../report.ts'
import { createDistinctSlugs } from '../slug.ts'
import { mistakesOf } from '../source.ts'
import type { Realm, RealmIdentityProvider } from './realm.ts'

/**
 * Converts the identity providers of a realm that have a counterpart here into connections, which are switched off. What could not be
 * created is left out now: later, the rest of the realm would be here already.
 */
export function connectionsOfRealm(
  { identityProviders }: Realm,
  { there, rules }: { there: ReadonlySet<string>; rules: OutgoingRules },
  report: ImportReport,
): NewConnection[] {
  const distinctSlug = createDistinctSlugs()
  let room = connectionsMax - there.size
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
    const mistakes = mistakesOfValues(data, rules)
    if (mistakes.length > 0) {
      report.left('identity providers', mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '), alias)
      return []
    }
    if (room <= 0) {
      report.left('identity providers', tooManyConnections.text, alias)
      return []
    }
    room--
    report.changed('identity providers', 'as connections, switched off: register the redirect URI there and test them first', alias)
    if (!hasSecret) report.left('secrets of identity providers', 'the export masks them', alias)
    return [data]
  })
}

function mistakesOfValues({ provider, configuration: sent = {}, secret }: NewConnection, rules: OutgoingRules): FieldError[] {
  const configuration = configurationOf(provider, {}, sent)
  return [
    ...configurationMistakes(provider, configuration, rules),
    ...(secret === undefined ? [] : secretMistakes(provider, configuration, secret)),
  ]
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
