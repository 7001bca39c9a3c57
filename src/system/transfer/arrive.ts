import { hasOwnKey } from '../../connections/client-key.ts'
import { isLogoPath } from '../../organisations/logo.ts'
import { readPicture } from '../../organisations/picture.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import { newSigningSecret } from '../../webhooks/signing-secret.ts'
import { type FileRow, isEncrypted, secretName } from './format.ts'
import type { ExportedTable } from './tables.ts'
import type { Todos } from './todo.ts'

type Row = Record<string, unknown>

export interface Arrival {
  keyring: Keyring
  /** The ids of permissions in this installation, by those in the file. */
  permissionIds: ReadonlyMap<string, string>
  /** The addresses of the service that wrote the file, and of this one. */
  addresses: { from: string; here: string }
  /** The relying party of passkeys in this installation; undefined where passkeys are impossible. */
  rpId: string | undefined
  todos: Todos
  /** False for a file whose issuer is not trusted: its rows grant nothing. */
  isTrusted: boolean
  /** Facts from earlier rows. */
  seen: { ownerId?: unknown; ownerRoleId?: unknown }
}

/**
 * Adapts a row to this installation: its secrets are encrypted with its key, and values that must not be the same elsewhere are changed.
 *
 * @param secrets the secrets of this row, in plain text
 * @returns undefined for a row that would be useless
 */
export function arrive(table: ExportedTable, { withheld = [], ...shown }: FileRow, secrets: Row, arrival: Arrival): Row | undefined {
  const row: Row = shown
  for (const { field, isSecret } of table.columns) {
    const secret = secrets[secretName(field)]
    if (isSecret && typeof secret === 'string') row[field] = isEncrypted(field) ? arrival.keyring.encrypt(secret, String(row.id)) : secret
  }
  return (arrivals[table.name] ?? unchanged)(row, arrival, withheld)
}

type Arrive = (row: Row, arrival: Arrival, withheld: readonly string[]) => Row | undefined

const unchanged: Arrive = (row) => row

/** In an untrusted file, only the owner holds the owner role. */
const unlessOwnerRole: Arrive = (row, { seen, todos, isTrusted }) => {
  if (isTrusted || row.roleId !== seen.ownerRoleId || row.userId === seen.ownerId) return row
  if (row.source === undefined) todos.add('users', 'do not have the owner role here', String(row.userId))
  return undefined
}

/**
 * A client without the identities of platforms: their tokens are for the address of the other installation, and an import gives no rights.
 * One that has no other way to authenticate gets a secret that is stored nowhere.
 */
function withoutCredentials(row: Row): Row {
  if (!row.federatedCredentials) return row
  const rest = { ...row, federatedCredentials: null }
  const hasOtherWay = row.tokenEndpointAuthMethod !== 'private_key_jwt' || row.jwks || row.jwksUri
  return hasOtherWay ? rest : { ...rest, tokenEndpointAuthMethod: 'client_secret_basic', secretHash: hashSecret(newSecret()) }
}

const arrivals: Readonly<Record<string, Arrive>> = {
  organisations: (row, { seen, addresses: { from, here } }) => {
    seen.ownerId = row.ownerId
    const branding = row.branding as { logoUrl?: unknown } | null
    const logoUrl = branding?.logoUrl
    // This installation serves an uploaded logo, too.
    const isUploaded = typeof logoUrl === 'string' && logoUrl.startsWith(from) && isLogoPath(logoUrl.slice(from.length))
    return isUploaded ? { ...row, branding: { ...branding, logoUrl: `${here}${logoUrl.slice(from.length)}` } } : row
  },

  // The name is computed from the content, whatever the file says.
  organisation_logos: (row) => {
    const { hash, mediaType } = readPicture(String(row.contentBase64))
    return { ...row, hash, mediaType }
  },

  roles: (row, { seen, todos }) => {
    if (!row.isOwner) return row
    seen.ownerRoleId = row.id
    // Former releases allowed it: each user whom a connection or a directory brings in would get it.
    if (row.isDefault) todos.add('default roles', 'were the role of the owner, and are none now: choose another', String(row.name))
    return { ...row, isDefault: false }
  },

  user_roles: unlessOwnerRole,
  user_role_sources: unlessOwnerRole,

  users: (row, { todos }, withheld) => {
    if (!withheld.includes('passwordHash')) return row
    if (row.deletedAt === null)
      todos.add('users', 'have no password here: "Forgot password?" or `gatehouse user password-link` sets one', String(row.email))
    return { ...row, passwordChangedAt: null, passwordBreachedAt: null }
  },

  mfa_credentials: (row, { todos }, withheld) => {
    if (!withheld.includes('secret')) return row
    todos.add('authenticator apps', 'are not here: their users set up a second factor again', String(row.userId))
    return undefined
  },

  clients: (given, { todos }, withheld) => {
    const row = withoutCredentials(given)
    if (given.federatedCredentials && given.deletedAt === null)
      todos.add('applications', 'take no tokens of platforms here: set federatedCredentials anew', String(given.name))
    // What it has registered is of no organisation, and stays where it has registered.
    if (given.origin === 'registration' && given.automaticClientId !== null && given.deletedAt === null)
      todos.add('applications', 'registered themselves elsewhere and are unknown here: they have to register anew', String(given.name))
    if (!withheld.includes('secretHash')) return row
    if (row.deletedAt === null) todos.add('applications', 'have a new secret that is shown nowhere: rotate it', String(row.name))
    return { ...row, secretHash: hashSecret(newSecret()), previousSecretHash: null, previousSecretExpiresAt: null }
  },

  api_keys: (given, { todos, isTrusted }, withheld) => {
    const row: Row = { ...given, federatedCredentials: null }
    if (isTrusted && !withheld.includes('keyHash')) {
      if (given.federatedCredentials && row.deletedAt === null)
        todos.add('API keys', 'take no tokens of platforms here: set federatedCredentials anew', String(row.name))
      return row
    }
    if (row.deletedAt === null) todos.add('API keys', 'are not here: create new ones', String(row.name))
    return undefined
  },

  webhook_endpoints: (row, { keyring, todos }, withheld) => {
    // Deliveries would be sent twice while the organisation is still served elsewhere.
    const arrived = { ...row, isActive: false }
    if (!withheld.includes('secret')) {
      if (row.isActive) todos.add('webhooks', 'are off: switch them off at the old installation, then on here', String(row.url))
      return arrived
    }
    todos.add('webhooks', 'are off, with a new secret: rotate it, give it to the receiver, then switch them on', String(row.url))
    return {
      ...arrived,
      secretEncrypted: keyring.encrypt(newSigningSecret(), String(row.id)),
      previousSecretEncrypted: null,
      previousSecretExpiresAt: null,
    }
  },

  connections: (given, { todos, isTrusted }, withheld) => {
    const row = isTrusted ? given : { ...given, isActive: false }
    if (!isTrusted && given.isActive) todos.add('connections', 'are off: look at them, then switch them on', String(row.name))
    if (withheld.length === 0) return row
    const isOurs = hasOwnKey(row as Parameters<typeof hasOwnKey>[0])
    const note = isOurs
      ? 'have no keys here: rotate them, and tell their providers the new ones, or no user can sign in by them'
      : 'have no secret here: set it, or no user can sign in by them'
    if (withheld.includes('secret')) todos.add('connections', note, String(row.name))
    return { ...row, previousSecretExpiresAt: null, nextSecretSignsFrom: null }
  },

  directories: (given, { todos, isTrusted }) => {
    todos.add('directories', 'have no token here: create one, and give it to the directory with its new address', String(given.name))
    const untold = { lastRequestAt: null, lastSuccessAt: null, refusedInARow: 0, failingSince: null, lastError: null }
    return { ...given, ...untold, isActive: isTrusted && given.isActive }
  },

  resource_servers: (row, { todos, isTrusted, addresses }) => {
    // UserInfo of this installation would take its tokens.
    const isOurs = new URL(String(row.identifier)).origin === new URL(addresses.here).origin
    if ((isTrusted && !isOurs) || !row.isActive) return row
    todos.add('resource servers', 'are off: look at them, then switch them on', String(row.name))
    return { ...row, isActive: false }
  },

  // A token works at the address of one installation alone. It stays, because what it allowed bounds its clients.
  registration_tokens: (row, { todos }) => {
    if (row.endedAt === null) todos.add('registration tokens', 'have ended: create new ones', String(row.name ?? row.id))
    return { ...row, tokenHash: hashSecret(newSecret()), endedAt: row.endedAt ?? row.createdAt }
  },

  resource_authorization_servers: (row, { todos, isTrusted, addresses }) => {
    // This installation takes no assertions of its own.
    const isOurs = new URL(String(row.issuer)).origin === new URL(addresses.here).origin
    if ((isTrusted && !isOurs) || !row.isActive) return row
    todos.add('resource authorization servers', 'are off: look at them, then switch them on', String(row.name))
    return { ...row, isActive: false }
  },

  invitations: (row, { todos }) => {
    if (row.status === 'pending') todos.add('invitations', 'have links that do not work here: send them again', String(row.email))
    return { ...row, tokenHash: hashSecret(newSecret()) }
  },

  passkeys: (row, { rpId, todos }) => {
    if (row.rpId !== rpId)
      todos.add(
        'passkeys',
        `work at ${row.rpId}, and not here: \`gatehouse user reset-mfa\` lets in who has no other second factor`,
        String(row.userId),
      )
    return row
  },

  organisation_domains: (row, { todos, isTrusted }) => {
    if (!isTrusted && row.status !== 'pending') {
      todos.add('domains', 'are not verified here: verify them', String(row.domain))
      return { ...row, status: 'pending', verifiedAt: null, checkedAt: null, failingSince: null }
    }
    if (row.status !== 'verified') return row
    todos.add('domains', 'stay verified, and are looked up within a day: leave their records in the DNS', String(row.domain))
    // The next check is due at once: this installation has seen no proof itself.
    return { ...row, checkedAt: row.verifiedAt }
  },

  role_permissions: (row, { permissionIds, todos, isTrusted }) => {
    if (isTrusted) return { ...row, permissionId: permissionIds.get(String(row.permissionId)) }
    todos.add('permissions of roles', 'were left out: give each role what it is to hold', String(row.roleId))
    return undefined
  },
}
