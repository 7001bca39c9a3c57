import { randomBytes } from 'node:crypto'
import type { Database, System, Tenant } from '../platform/database/database.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import type { FailedCheck } from './errors.ts'
import type { Parameters } from './parameters.ts'

const keepDays = 7
const batch = 1_000
const textMax = 500
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A refusal, as far as it is known whose. */
export interface Refusal {
  endpoint: 'authorize' | 'token' | 'introspect' | 'revoke' | 'logout' | 'userinfo'
  error: string
  description: string
  check: FailedCheck
  client: { id: string; organisationId: string } | undefined
  parameters: Parameters | undefined
}

/** Parameters that let somebody in, or would. */
const secretParameters = new Set([
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'token',
  'id_token_hint',
  'password',
  'client_assertion',
  'assertion',
])
const secretChecks = new Set(['code_verifier', 'client_secret', 'refresh_token', 'code', 'token', 'id_token_hint'])

/**
 * Keeps why a request was refused, secrets masked, for seven days.
 *
 * @returns the reference by which an administrator finds it
 */
export async function keepRefusal(database: Database, refusal: Refusal): Promise<string> {
  const { client, check, parameters } = refusal
  const reference = newReference()
  const system = database.system()
  await system
    .insertInto('diagnostics')
    .values({
      reference,
      organisationId: client?.organisationId ?? null,
      clientId: client?.id ?? null,
      endpoint: refusal.endpoint,
      error: refusal.error,
      description: refusal.description,
      checkName: check.name,
      expected: asJson(check.expected),
      received: asJson(secretChecks.has(check.name) && typeof check.received === 'string' ? mask(check.received) : check.received),
      hint: check.hint ?? null,
      parameters: JSON.stringify(shownParameters(parameters)),
      createdAt: system.now,
    })
    .execute()
  return reference
}

/** What is known of a refusal: one of the organisation's own, or for the operator any. */
export async function findDiagnostic(queries: Tenant | System, reference: string) {
  return queries.selectFrom('diagnostics').selectAll().where('reference', '=', reference.toLowerCase()).executeTakeFirst()
}

export const removeOldDiagnostics: Task = {
  name: 'remove-old-diagnostics',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const before = new Date(system.now.getTime() - keepDays * 86_400_000)
    const { numDeletedRows } = await system
      .deleteFrom('diagnostics')
      .where('reference', 'in', (old) => old.selectFrom('diagnostics').select('reference').where('createdAt', '<', before).limit(batch))
      .executeTakeFirst()
    return numDeletedRows >= batch
  },
}

/** The first characters are enough to recognise a secret one has, and too few to use it. */
function mask(secret: string): string {
  const shown = secret.length >= 24 ? secret.slice(0, 6) : ''
  return `${shown}*** (${secret.length} characters)`
}

function shownParameters(parameters: Parameters | undefined): Record<string, string> {
  const names = parameters?.names.slice(0, 40) ?? []
  return Object.fromEntries(
    names.map((name) => {
      const value = parameters?.get(name) ?? ''
      return [name.slice(0, 100), secretParameters.has(name) ? mask(value) : value.slice(0, textMax)]
    }),
  )
}

const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(typeof value === 'string' ? value.slice(0, 2_048) : value))

/** Twelve characters in three groups: 60 random bits that can be read out on the telephone. */
function newReference(): string {
  const characters = [...randomBytes(12)].map((byte) => alphabet[byte % 32])
  return [0, 4, 8].map((start) => characters.slice(start, start + 4).join('')).join('-')
}
