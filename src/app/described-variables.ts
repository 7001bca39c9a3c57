import type { z } from 'zod'
import { serverUrls } from '../platform/database/server-addresses.ts'
import { withoutCredentials } from './config-mistakes.ts'
import { hasEscapedPassword, secretVariables, variables } from './variables.ts'

/** A variable in the form that an operator may see. */
export interface DescribedVariable {
  name: string
  /** The effective value, masked if secret; null when the variable has no value. */
  value: string | null
  origin: 'environment' | 'default' | 'unset'
  default: string | null
}

/** Every variable with its value and the origin of that value, even when some of them cannot be used. */
export function describeVariables(environment: Record<string, string | undefined>): DescribedVariable[] {
  return Object.entries(variables).map(([name, schema]) => {
    const given = environment[name]?.trim()
    const byDefault = dependentDefaults(environment)[name] ?? writtenDefault(schema)
    if (given) return { name, value: masked(name, given), origin: 'environment', default: byDefault }
    return { name, value: byDefault, origin: byDefault === null ? 'unset' : 'default', default: byDefault }
  })
}

function dependentDefaults(environment: Record<string, string | undefined>): Record<string, string> {
  const production = environment.NODE_ENV?.trim() === 'production'
  const publicUrl = environment.PUBLIC_URL?.trim() || `http://localhost:${environment.PORT?.trim() || 3000}`
  return {
    HOST: production ? '0.0.0.0' : '127.0.0.1',
    ...(!production && { PUBLIC_URL: `http://localhost:${environment.PORT?.trim() || 3000}`, BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test' }),
    ...(URL.canParse(publicUrl) && { PROBLEMS_HOST: new URL(publicUrl).host }),
  }
}

function writtenDefault(schema: z.core.$ZodType): string | null {
  const { def } = schema._zod
  if (def.type === 'pipe') return writtenDefault((def as z.core.$ZodPipeDef).in)
  if (def.type !== 'default') return null
  return String((def as z.core.$ZodDefaultDef).defaultValue) || null
}

/** A URL that may hold a password, without its password and parameters. */
function masked(name: string, value: string): string {
  if (!secretVariables.has(name)) return withoutCredentials(value)
  const urls = name.endsWith('_URL') && hasEscapedPassword(value) ? serverUrls(value).map((one) => URL.parse(one)) : []
  const [url] = urls
  if (!url || urls.includes(null)) return '********'
  const hosts = urls.map((one) => one?.host).join(',')
  const credentials = url.username || url.password ? `${url.username}${url.password && ':********'}@` : ''
  return `${url.protocol}//${credentials}${hosts}${url.pathname}${url.search && '?********'}`
}
