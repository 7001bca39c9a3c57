import type { Connection } from '../../api/connections.ts'
import type { components } from '../../api/schema.d.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'

export type ConnectionChanges = components['schemas']['ConnectionChanges']
export type Provider = Exclude<Connection['provider'], 'saml'>
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
}

/** The optional settings of any provider. */
export const advanced = ['scopes', 'extraParameters'] as const

/** The fields of the form, in their order. An existing secret is changed elsewhere; Apple's key is changed together with its id. */
export function membersOf({ provider, hasSecret }: Connection): readonly Member[] {
  const [needed, further = []] = settings[provider as Provider]
  return [...needed, ...(provider === 'apple' || !hasSecret ? (['secret'] as const) : []), ...further, ...advanced]
}

export const isNeeded = ({ provider }: Connection, member: string): boolean => settings[provider as Provider][0].includes(member as Member)

/** The settings that a connection still needs before it can sign users in. */
export const missingOf = ({ provider, configuration, hasSecret }: Connection): Member[] => [
  ...settings[provider as Provider][0].filter((member) => !configuration[member as keyof Connection['configuration']]),
  ...(hasSecret ? [] : (['secret'] as const)),
]

/** The name of a setting, in the provider's terms. */
export function labelOf({ provider }: Pick<Connection, 'provider'>, member: Member): string {
  const own: Record<string, Partial<Record<Member, string>>> = t.ownNames
  return own[provider]?.[member] ?? t.fields[member as keyof typeof t.fields]
}

/** Fields of several words, which the form shows as one text. */
const lists = new Set(['scopes', 'allowedDomains', 'allowedHostedDomains', 'allowedTenants', 'mfaContexts'])

export const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value !== 'object') return String(value ?? '')
  return Object.entries(value ?? {})
    .map((parameter) => parameter.join('='))
    .join('\n')
}

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
      : member === 'extraParameters'
        ? parametersIn(value)
        : member === 'userInfo'
          ? value === 'true'
          : value
    if (member) body[field] = { ...(body[field] as object), [member]: sent === '' ? null : sent }
    else body[field] = sent === '' ? null : sent
  }
  return body
}
