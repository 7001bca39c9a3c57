import type { Connection } from '../../api/connections.ts'
import type { components } from '../../api/schema.d.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'

export type ConnectionChanges = components['schemas']['ConnectionChanges']
export type Provider = Connection['provider']
type Member = keyof Connection['configuration'] | 'secret'

/** The settings of each provider: first those that are required, in addition to the secret. */
const settings: Record<Provider, readonly [needed: readonly Member[], further?: readonly Member[]]> = {
  google: [['clientId'], ['allowedHostedDomains']],
  microsoft: [['tenant', 'clientId'], ['allowedTenants']],
  github: [['clientId'], ['host']],
  apple: [['clientId', 'teamId', 'keyId']],
  oidc: [
    ['issuer', 'clientId'],
    ['clientAuthentication', 'emailTrust', 'userInfo'],
  ],
  saml: [
    ['entityId', 'ssoUrl', 'certificates'],
    ['metadataUrl', 'metadataXml'],
  ],
}

/** The settings that few need. */
export const advancedOf = ({ provider }: Pick<Connection, 'provider'>): readonly Member[] =>
  provider === 'saml'
    ? ['ssoBinding', 'sloUrl', 'sloBinding', 'sloResponseUrl', 'subjectAttribute', 'acceptsSignedResponse']
    : ['scopes', 'extraParameters']

/** The fields of the form, in their order. An existing secret is changed elsewhere; Apple's key is changed together with its id. */
export function membersOf(connection: Connection): readonly Member[] {
  const { provider, hasSecret } = connection
  const [needed, further = []] = settings[provider]
  if (provider === 'saml') return [...further, ...needed, ...advancedOf(connection)]
  return [...needed, ...(provider === 'apple' || !hasSecret ? (['secret'] as const) : []), ...further, ...advancedOf(connection)]
}

export const isNeeded = ({ provider }: Connection, member: string): boolean => settings[provider][0].includes(member as Member)

/** The settings that a connection still needs before it can sign users in. */
export const missingOf = ({ provider, configuration, hasSecret }: Connection): Member[] => [
  ...settings[provider][0].filter((member) => !configuration[member as keyof Connection['configuration']]),
  ...(hasSecret ? [] : (['secret'] as const)),
]

/** The name of a setting, in the provider's terms. */
export function labelOf({ provider }: Pick<Connection, 'provider'>, member: Member): string {
  const own: Record<string, Partial<Record<Member, string>>> = t.ownNames
  return own[provider]?.[member] ?? t.fields[member as keyof typeof t.fields]
}

/** Fields of several words, which the form shows as one text. */
const lists = new Set(['scopes', 'allowedDomains', 'allowedHostedDomains', 'allowedTenants', 'mfaContexts'])

export const textOf = (value: unknown, member?: Member): string => {
  if (Array.isArray(value)) return value.join(member === 'certificates' ? '\n' : ' ')
  if (typeof value !== 'object') return String(value ?? '')
  return Object.entries(value ?? {})
    .map((parameter) => parameter.join('='))
    .join('\n')
}

/** The certificates in a text: blocks in PEM, or one in each line. */
const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN[\s\S]*?-----END[^-]*-----/g) ?? text.split('\n').filter((line) => line.trim())

/** Parses a text with one parameter in each line, as {@link textOf} formats it. */
function parametersIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim())
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name.trim(), value.join('=').trim()]
    }),
  )
}

/** The body of a change. A name with a dot is a member, which an empty value removes. */
export function bodyOf(changes: object): ConnectionChanges {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changes)) {
    const [field = '', member] = name.split('.')
    const sent = lists.has(member ?? field)
      ? value.split(/[\s,]+/).filter(Boolean)
      : member === 'certificates'
        ? certificatesIn(value)
        : member === 'extraParameters'
          ? parametersIn(value)
          : member === 'userInfo' || member === 'acceptsSignedResponse'
            ? value === 'true'
            : value
    if (member) body[field] = { ...(body[field] as object), [member]: sent === '' ? null : sent }
    else body[field] = sent === '' ? null : sent
  }
  return body
}
