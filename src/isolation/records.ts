/** The kinds of records that requests name, and the places of a request that name one. */
import { type KindName, type Kinds, kinds } from '../../shared/kinds.ts'
import type { IdPrefix } from '../platform/ids.ts'
import type { Route, Schema } from './routes.ts'

interface StoredKind {
  table: string
  column: string
  prefix?: IdPrefix
}

type OfKinds = { readonly [K in KindName as Kinds[K]['words']]: { table: string; column: 'id'; prefix: Kinds[K]['idPrefix'] } }

const ofKinds = Object.fromEntries(
  Object.values(kinds).map(({ words, table, idPrefix: prefix }) => [words, { table, column: 'id', prefix }]),
) as OfKinds

/** Stored records: the value is read from the table. */
export const storedKinds = {
  ...ofKinds,
  email: { table: 'users', column: 'email' },
  session: { table: 'sessions', column: 'id', prefix: 'ses' },
  role: { table: 'user_roles', column: 'role_id', prefix: 'rol' },
  identity: { table: 'identities', column: 'id', prefix: 'idn' },
  'directory token': { table: 'directory_tokens', column: 'id', prefix: 'dtk' },
  'domain name': { table: 'organisation_domains', column: 'domain' },
  passkey: { table: 'passkeys', column: 'id', prefix: 'pk' },
  'passkey credential': { table: 'passkeys', column: 'credential_id' },
  delivery: { table: 'webhook_deliveries', column: 'id', prefix: 'dlv' },
  'logout delivery': { table: 'logout_deliveries', column: 'id', prefix: 'lgd' },
  'audit entry': { table: 'audit_logs', column: 'id', prefix: 'aud' },
  'audited record': { table: 'audit_logs', column: 'target_id' },
  'request id': { table: 'audit_logs', column: 'request_id' },
  'sign-in': { table: 'audit_logs', column: 'sign_in_id', prefix: 'sgn' },
  diagnosis: { table: 'diagnostics', column: 'reference' },
} as const satisfies Record<string, StoredKind>

/** Issued values: an application of the organisation was given them. */
const issuedKinds = ['access token', 'refresh token', 'authorization code', 'device code', 'ID token'] as const

export type StoredKindName = keyof typeof storedKinds
/** A `word` is part of the names of everything that an organisation has: something to search for. */
export type Kind = StoredKindName | (typeof issuedKinds)[number] | 'word'

/** The kinds of path parameters, by the segment before them. */
const kindsOfResources: Record<string, Kind | undefined> = {
  ...Object.fromEntries(Object.values(kinds).map(({ path, words }) => [path, words])),
  sessions: 'session',
  consents: 'client',
  register: 'client',
  identities: 'identity',
  tokens: 'directory token',
  passkeys: 'passkey',
  deliveries: 'delivery',
  'logout-deliveries': 'logout delivery',
  'audit-logs': 'audit entry',
  'sign-ins': 'sign-in',
  diagnostics: 'diagnosis',
}

/** The kinds of query parameters and body fields, by name or, after a dot, by the name of the containing object, too. */
const kindsOfFields: Record<string, Kind | undefined> = {
  ...Object.fromEntries(
    Object.entries(kinds).flatMap(([name, { words }]) => {
      const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [
        [`${camel}Id`, words],
        [`${camel}Ids`, words],
      ]
    }),
  ),
  bypassUserIds: 'user',
  actorId: 'user',
  targetId: 'audited record',
  client_id: 'client',
  audienceClientId: 'client',
  introspectionClientIds: 'client',
  exchangeClientIds: 'client',
  connection: 'connection',
  requestId: 'request id',
  email: 'email',
  domain: 'domain name',
  q: 'word',
  'credential.id': 'passkey credential',
  'credential.rawId': 'passkey credential',
  refresh_token: 'refresh token',
  access_token: 'access token',
  code: 'authorization code',
  device_code: 'device code',
  id_token_hint: 'ID token',
}

/** Fields whose names suggest an id, but that take none of an organisation's records. */
const ofNoOrganisation: Record<string, string> = {
  permissions: 'permissions are the same for all organisations',
  permissionIds: 'permissions are the same for all organisations',
  'configuration.clientId': 'an id at an identity provider',
  'grants.downstreamClientId': 'an id at an authorization server of another company',
  software_id: 'identifies software, wherever it runs',
  'configuration.teamId': 'an id at an identity provider',
  'configuration.keyId': 'an id at an identity provider',
  'group.externalId': 'an id in a directory',
  'configuration.entityId': 'an id at an identity provider',
  'mapping.email': 'the name of a claim',
}

/** One place of a route that takes the id of a record. */
export interface IdLocation {
  in: 'path' | 'query' | 'body'
  /** The name of the parameter, or the fields from the outside in; `[]` is the item of a list. */
  at: readonly string[]
  kind: Kind
}

export const nameOfPlace = (place: Pick<IdLocation, 'at'>) => place.at.join('.').replaceAll('.[]', '[]')

/** @returns the places of a route that take the id of a record, and those that seem to, but of an unknown kind */
export function placesOf(route: Route): { places: IdLocation[]; unknown: string[] } {
  const places: IdLocation[] = []
  const unknown: string[] = []
  const add = (where: IdLocation['in'], at: readonly string[], kind: Kind | undefined | 'none') => {
    if (kind === undefined) unknown.push(`${where} ${nameOfPlace({ at })}`)
    else if (kind !== 'none') places.push({ in: where, at, kind })
  }
  for (const [, resource = '', name = ''] of route.path.matchAll(/([\w.-]+)\/\{(\w+)\}/g)) {
    add('path', [name], resource === 'permissions' ? 'none' : kindsOfResources[resource])
  }
  for (const { name, in: where } of route.parameters) {
    if (where === 'query') add('query', [name], kindOfField([name], route))
  }
  for (const at of fieldsOf(route.bodySchema ?? {})) add('body', at, kindOfField(at, route))
  return { places, unknown }
}

/** @returns `none` for a field that takes no id, undefined when only its name suggests one */
function kindOfField(at: readonly string[], { path }: Route): Kind | 'none' | undefined {
  const names = at.filter((name) => name !== '[]')
  const name = names.at(-1) as string
  const qualified = names.slice(-2).join('.')
  if (ofNoOrganisation[qualified] || ofNoOrganisation[name]) return 'none'
  if (name === 'token') return path.startsWith('/oauth2/') ? 'refresh token' : 'none'
  // Codes of a second factor and of mails are typed by those who received them.
  if (name === 'code' && !path.startsWith('/oauth2/')) return 'none'
  // Used like the id of an event, which other organisations have as well.
  if (name === 'event' || name === 'eventId') return 'none'
  // The address of the organisation itself is not unique, and permissions are the same for all.
  if ((name === 'email' && /\/organisations?(?:\/|$)/.test(path)) || (name === 'q' && path.endsWith('/permissions'))) return 'none'
  const kind = kindsOfFields[qualified] ?? kindsOfFields[name]
  if (kind) return kind
  return /(?:^id|Ids?|_ids?)$/.test(name) ? undefined : 'none'
}

/** The text fields of a schema, from the outside in. */
function fieldsOf(schema: Schema, at: readonly string[] = []): string[][] {
  if (schema.properties) return Object.entries(schema.properties).flatMap(([name, field]) => fieldsOf(field, [...at, name]))
  if (schema.items) return fieldsOf(schema.items, [...at, '[]'])
  if (schema.anyOf) {
    const distinct = new Map(schema.anyOf.flatMap((one) => fieldsOf(one, at)).map((path) => [path.join('.'), path]))
    return [...distinct.values()]
  }
  const isText = [schema.type].flat().includes('string') && !schema.enum && schema.const === undefined
  return isText && at.length > 0 ? [[...at]] : []
}
