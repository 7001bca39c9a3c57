import { counted } from '../../platform/text.ts'
import type { ImportReport } from '../report.ts'
import type { Realm } from './realm.ts'

const userStorage = 'org.keycloak.storage.UserStorageProvider'
/** Lifetimes of a realm, each with the corresponding setting of the organisation. */
const lifetimes: Readonly<Record<string, string>> = {
  accessTokenLifespan: 'tokenLifetimePolicy.accessToken',
  accessCodeLifespan: 'authorizationCodeTtl of each client',
  ssoSessionIdleTimeout: 'sessionIdleTimeout',
  ssoSessionMaxLifespan: 'sessionLifetime',
  offlineSessionIdleTimeout: 'tokenLifetimePolicy.refreshToken',
}
/** The scopes that every new realm has. */
const ownScopes = new Set([
  'acr',
  'address',
  'basic',
  'email',
  'microprofile-jwt',
  'offline_access',
  'organization',
  'phone',
  'profile',
  'role_list',
  'roles',
  'saml_organization',
  'service_account',
  'web-origins',
])

/** Reports what a realm has without a counterpart here, each with an alternative. */
export function reportNoCounterparts(realm: Realm, report: ImportReport): void {
  for (const { name, providerId } of realm.components[userStorage] ?? []) {
    report.left(
      'user federation',
      'users are not looked up in a directory here: import its users with `gatehouse import users`, or connect an identity provider that reads it',
      [name, providerId && `(${providerId})`].filter(Boolean).join(' '),
    )
  }
  if (Object.keys(realm.smtpServer).length > 0)
    report.left('mail server', 'one serves the whole installation: set SMTP_URL and MAIL_FROM', String(realm.smtpServer.host ?? ''))
  if (realm.passwordPolicy) report.left('password policy', 'set passwordPolicy of the organisation', realm.passwordPolicy)
  for (const [name, setting] of Object.entries(lifetimes)) {
    const seconds = realm[name]
    if (typeof seconds === 'number')
      report.left('lifetimes', 'those of the organisation hold; set them there', `${name} ${seconds} s: ${setting}`)
  }
  for (const { alias, builtIn } of realm.authenticationFlows)
    if (!builtIn) report.left('authentication flows', 'set signInPolicy and requireMfa of the organisation', alias ?? undefined)
  for (const kind of ['loginTheme', 'accountTheme', 'emailTheme']) {
    const theme = realm[kind]
    if (typeof theme === 'string' && theme !== '' && theme !== 'keycloak' && !theme.startsWith('keycloak.'))
      report.left('themes', 'set the branding of the organisation: logo, colours and links', `${kind} ${theme}`)
  }
  for (const { name } of realm.clientScopes)
    if (name && !ownScopes.has(name)) report.left('client scopes', 'name them in scopes of the clients that ask for them', name)
  if (realm.identityProviderMappers.length > 0)
    report.left(
      'mappers of identity providers',
      'set the mapping of each connection',
      counted(realm.identityProviderMappers.length, 'mapper'),
    )
  if (realm.bruteForceProtected) report.left('brute force detection', 'accounts are locked after failed sign-ins anyway', undefined)
  if (realm.registrationAllowed) report.left('user registration', 'users are invited or come by a connection', undefined)
  for (const group of realm.defaultGroups) report.left('default groups', 'new users join no team by themselves', group)
}
