import type { Organisation, OrganisationChanges } from '../../api/organisation-record.ts'

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

/** The effective number of a policy: the stricter one of both spellings, which is the greater or the lesser. */
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

/** Reads a setting that is on by default. */
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
 * The body of a PATCH. A group is sent whole, since the API replaces it: including stored values that are not shown here. An empty value
 * is left out of its group, and is null outside of a group.
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
