import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { englishOf, phrasedOf } from '../../../shared/checks/said.ts'
import type { Quotas } from '../../access/rate-limits.ts'
import { daysBefore } from '../../platform/clock.ts'
import type { StoredCheck, StoredPhrases } from '../../platform/database/column-types.ts'
import type { Database, System, Tenant } from '../../platform/database/database.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import type { DiagnosticsTable } from '../../platform/database/tables.ts'
import type { Task } from '../../platform/jobs/tasks.ts'
import { cutText, storableText } from '../../platform/text.ts'
import type { ConcernedClient, FailedCheck } from './errors.ts'
import { hasFormOfClientId, type Parameter, type ReceivedParameters, valuesOf } from './parameters.ts'

const storedDays = 7
const valueMax = 500
const parametersMax = 4_000
const checkedMax = 4_000
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The endpoint that refused, as a diagnosis names it. */
export type OAuthEndpoint =
  | 'authorize'
  | 'device_authorization'
  | 'par'
  | 'token'
  | 'introspect'
  | 'revoke'
  | 'logout'
  | 'userinfo'
  | 'register'
  | 'api_key_exchange'

/** A refusal, with the client that it concerns if that is known. */
export interface Refusal {
  endpoint: OAuthEndpoint | 'federation' | 'federation_test'
  error: string
  description: string
  /** The checks of a connection have names of their own. */
  check: Omit<FailedCheck, 'name'> & { name: string }
  client: ConcernedClient | undefined
  parameters: ReceivedParameters | undefined
  /** The sign-in that it is part of, if one has begun. */
  signInId?: string | null | undefined
  /** For the exchange of a token for an API key: whose key it would have been. */
  apiKey?: { organisationId: string }
  /** For a sign-in through a connection: every check that was made, in order. */
  connection?: { id: string; organisationId: string; checks: readonly StoredCheck[] }
}

export interface DiagnosisStore {
  database: Database
  quotas: Quotas
}

/**
 * Stores why a request was refused, with secrets masked, for seven days.
 *
 * @param address the caller's: of a flood of refusals from one address, not all are stored
 * @returns the reference by which an administrator finds it; undefined when nothing was stored
 */
export async function storeRefusal({ database, quotas }: DiagnosisStore, address: string, refusal: Refusal): Promise<string | undefined> {
  const { client, check, parameters, connection, apiKey } = refusal
  if (!client && !connection && !apiKey && !(await quotas.diagnosesWithoutClient.claim(address))) return undefined
  if (!(await quotas.diagnoses.claim(address))) return undefined
  const reference = newReference()
  const system = database.system()
  await system
    .insertInto('diagnostics')
    .values({
      reference,
      // Look it up again: a token can outlive its organisation.
      organisationId: (existing) =>
        existing
          .selectFrom('organisations')
          .select('id')
          .where('id', '=', (client ?? connection ?? apiKey)?.organisationId ?? ''),
      clientId: client?.id ?? null,
      connectionId: connection?.id ?? null,
      checks: connection ? JSON.stringify(connection.checks) : null,
      endpoint: refusal.endpoint,
      error: refusal.error,
      description: storableText(refusal.description, checkedMax),
      checkName: check.name,
      expected: asJson(englishOf(check.expected)),
      received: asJson(withoutSecret(englishOf(check.received), parameters)),
      hint: check.hint === undefined ? null : storableText(englishOf(check.hint), checkedMax),
      phrases: JSON.stringify(phrasesOf(check)),
      parameters: JSON.stringify(shownParameters(parameters)),
      signInId: refusal.signInId ?? null,
      createdAt: system.now,
    })
    .execute()
  return reference
}

/** A refusal, with the current name of its client. A deleted client has one, too. */
export type StoredDiagnostic = Selectable<DiagnosticsTable> & { clientName: string | null }

const selectDiagnostics = (queries: Tenant | System) =>
  queries
    .selectFrom('diagnostics')
    .selectAll()
    .select((query) =>
      query
        .selectFrom('clients')
        .select('name')
        .whereRef('clients.organisationId', '=', 'diagnostics.organisationId')
        .whereRef('clients.id', '=', 'diagnostics.clientId')
        .as('clientName'),
    )

/** A stored refusal: one of the organisation's own or, for the operator, any. */
export async function findDiagnostic(queries: Tenant | System, reference: string): Promise<StoredDiagnostic | undefined> {
  return selectDiagnostics(queries).where('reference', '=', reference.toLowerCase()).executeTakeFirst()
}

export interface RefusalFilters {
  clientId?: string | undefined
  connectionId?: string | undefined
  check?: string | undefined
  error?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** At most `limit` of the organisation's refusals that match the filters and come after the position, newest first. */
export async function listDiagnostics(
  tenant: Tenant,
  filters: RefusalFilters,
  limit: number,
  after: { createdAt: Date; reference: string } | undefined,
): Promise<StoredDiagnostic[]> {
  let query = selectDiagnostics(tenant)
  if (filters.clientId !== undefined) query = query.where('clientId', '=', filters.clientId)
  if (filters.connectionId !== undefined) query = query.where('connectionId', '=', filters.connectionId)
  if (filters.check !== undefined) query = query.where('checkName', '=', filters.check)
  if (filters.error !== undefined) query = query.where('error', '=', filters.error)
  if (filters.from) query = query.where('createdAt', '>=', filters.from)
  if (filters.to) query = query.where('createdAt', '<', filters.to)
  if (after) query = query.where(sql<boolean>`(created_at, reference) < (${after.createdAt}, ${after.reference})`)
  return query.orderBy('createdAt', 'desc').orderBy('reference', 'desc').limit(limit).execute()
}

export const removeOldDiagnostics: Task = {
  name: 'remove-old-diagnostics',
  everySeconds: 3_600,
  run(database) {
    const system = database.system()
    const before = daysBefore(system.now, storedDays)
    return deleteBatch(system, 'diagnostics', sql`created_at < ${before}`)
  },
}

const startLength = 6

/** Masks a secret, except for the part that its parameter allows to be shown. */
export function masked(value: string, shown: Parameter['shown']): string {
  const start = shown === 'start' && value.length >= 24 ? cutText(value, startLength) : ''
  return `${start}*** (${value.length} characters)`
}

/** Masks what the caller sent as a secret. Our own words about it stay. */
function withoutSecret(received: unknown, parameters: ReceivedParameters | undefined): unknown {
  if (typeof received !== 'string') return received
  const [secret] = [...sentParameters(parameters)].filter(([, value, shown]) => value === received && shown !== 'all')
  return secret ? masked(received, secret[2]) : received
}

/** The parameters that were sent, as far as they fit. */
function shownParameters(parameters: ReceivedParameters | undefined): Record<string, string> {
  const result: Record<string, string> = {}
  let room = parametersMax
  for (const [name, value, shown] of sentParameters(parameters)) {
    const text = shown === 'all' ? storableText(value, Math.min(valueMax, room)) : masked(value, shown)
    result[name] = text
    room = Math.max(0, room - text.length)
  }
  return result
}

const shownOf = ({ shown }: Parameter, value: string) => (shown === 'client_id' ? (hasFormOfClientId(value) ? 'all' : undefined) : shown)

/** The sent parameters, each with its name on the wire. */
function* sentParameters(parameters: ReceivedParameters | undefined): Generator<[name: string, value: string, shown: Parameter['shown']]> {
  for (const [key, value = ''] of Object.entries(parameters?.values ?? {})) {
    const declared = parameters?.rules.get(key)
    if (declared) yield [declared.name, declared.isRepeatable ? valuesOf(value).join(' ') : value, shownOf(declared, value)]
  }
}

/** The phrases of ours in a check, so that they can be translated. */
const phrasesOf = ({ expected, received, hint }: Refusal['check']): StoredPhrases => ({
  expected: storablePhrase(expected),
  received: storablePhrase(received),
  hint: storablePhrase(hint),
})

function storablePhrase(value: unknown) {
  const phrased = phrasedOf(value)
  return phrased && { phrase: phrased.phrase, values: phrased.values.map((one) => storableText(one, checkedMax)) }
}

/** A value as JSON, shortened to fit: a client may have registered a hundred long URIs. */
function asJson(value: unknown): string | null {
  if (value === undefined) return null
  const storable = storableValue(JSON.parse(JSON.stringify(value)))
  if (!Array.isArray(storable)) {
    const json = JSON.stringify(storable)
    return typeof storable === 'string' || json.length <= checkedMax ? json : JSON.stringify(cutText(json, checkedMax))
  }
  let room = checkedMax
  const shown = storable.filter((entry) => {
    room -= typeof entry === 'string' ? entry.length : JSON.stringify(entry).length
    return room >= 0
  })
  return JSON.stringify(shown.length < storable.length ? [...shown, `and ${storable.length - shown.length} more`] : shown)
}

/** JSON as PostgreSQL stores it: what a caller has signed may hold any text, also deep inside and as a name. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value, checkedMax)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storableValue)
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [storableText(name, checkedMax), storableValue(entry)]))
}

/** Twelve characters in three groups: 60 random bits that can be read out on the telephone. */
function newReference(): string {
  const characters = [...randomBytes(12)].map((byte) => alphabet[byte % 32])
  return [0, 4, 8].map((start) => characters.slice(start, start + 4).join('')).join('-')
}
