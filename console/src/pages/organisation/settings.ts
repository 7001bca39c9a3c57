import type { Organisation, OrganisationChanges } from './organisation-record.ts'

/** A setting by its path in the record, as the API names it in `errors`: `passwordPolicy.minLength`. */
export type SettingValue = string | number | boolean | readonly string[] | null
export type Settings = Record<string, SettingValue>

/** Other spellings of the same setting, which older clients may have stored. */
const aliases: Record<string, string> = {
  'passwordPolicy.requireNumbers': 'requireNumber',
  'passwordPolicy.requireSymbols': 'requireSpecial',
  'tokenLifetimePolicy.accessToken': 'accessTokenLifetime',
  'tokenLifetimePolicy.refreshToken': 'refreshTokenLifetime',
  'tokenLifetimePolicy.refreshTokenAbsolute': 'refreshTokenAbsoluteLifetime',
  'tokenLifetimePolicy.idToken': 'idTokenLifetime',
}

type Group = Readonly<Record<string, unknown>> | null

const groupOf = (organisation: Organisation, name: string): Group => organisation[name as 'branding'] ?? null

/** What holds of a policy's numbers: of both spellings the stricter, which is the greater or the lesser. */
export function numberIn(organisation: Organisation, path: string, stricter: (...values: number[]) => number = Math.min): number | null {
  const [group = '', name = ''] = path.split('.')
  const stored = groupOf(organisation, group)
  const values = [stored?.[name], stored?.[aliases[path] ?? name]].filter((value) => typeof value === 'number')
  return values.length > 0 ? stricter(...values) : null
}

export function isSetIn(organisation: Organisation, path: string): boolean {
  const [group = '', name = ''] = path.split('.')
  const stored = groupOf(organisation, group)
  return stored?.[name] === true || stored?.[aliases[path] ?? name] === true
}

/** For what holds unless it is switched off. */
export function isNotOffIn(organisation: Organisation, path: string): boolean {
  const [group = '', name = ''] = path.split('.')
  return groupOf(organisation, group)?.[name] !== false
}

export function textIn(organisation: Organisation, path: string): string {
  const [group = '', name = ''] = path.split('.')
  const value = groupOf(organisation, group)?.[name]
  return typeof value === 'string' ? value : ''
}

/**
 * The body of a PATCH. A group is sent whole, since the API replaces it: with what was stored in it and is not shown here. What
 * is empty is left out of its group, and is null where it stands alone.
 */
export function bodyOf(organisation: Organisation, changes: Settings): OrganisationChanges {
  const body: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(changes)) {
    const [group = '', name] = path.split('.')
    if (name === undefined) {
      body[group] = value === '' ? null : value
      continue
    }
    const {
      [name]: _former,
      [aliases[path] ?? name]: _alias,
      ...others
    } = (body[group] ?? groupOf(organisation, group) ?? {}) as Record<string, unknown>
    body[group] = value === null || value === '' ? others : { ...others, [name]: value }
  }
  return body as OrganisationChanges
}
