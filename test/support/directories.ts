import { expect } from 'vitest'
import { hashSecret, newSecret } from '../../src/platform/crypto/secrets.ts'
import type { DirectoriesTable } from '../../src/platform/database/tables.ts'
import { newId } from '../../src/platform/ids.ts'
import { verifiedDomain } from './domains.ts'
import { type TestOrganisation, unique } from './given.ts'
import { type Answer, HttpClient } from './http-client.ts'
import type { TestService } from './service.ts'

/** A directory as its program calls us. */
export class DirectoryClient extends HttpClient {
  put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('PUT', path, { body, headers })
  }
}

export interface GivenDirectory {
  id: string
  organisation: TestOrganisation
  /** A verified domain of the organisation. */
  domain: string
  token: string
  scim: DirectoryClient
  /** The address of a new person. */
  address(): string
}

type Settings = Partial<Pick<DirectoriesTable, 'connectionId'>> & {
  name?: string
  userMatch?: 'email' | 'externalId'
  emailChanges?: 'verified_domains' | 'refuse'
  deletes?: 'block' | 'delete'
  groups?: 'teams' | 'mappings_only'
  groupMappings?: { group: { displayName: string } | { externalId: string }; roleIds: string[]; teamIds: string[] }[]
}

/** A directory of an organisation that has proven a domain, with a token. */
export async function givenDirectory(
  service: TestService,
  { organisation, domain, ...settings }: Settings & { organisation?: TestOrganisation; domain?: string } = {},
): Promise<GivenDirectory> {
  const of = organisation ?? (await service.given.organisation())
  const verified = domain ?? (await verifiedDomain(service, of.owner)).domain
  const tenant = service.database.tenant(of.id)
  const id = newId('dir', tenant.now)
  const { name = `Directory ${unique()}`, groupMappings = [], ...columns } = settings
  await tenant
    .insertInto('directories')
    .values({ id, name, ...columns, groupMappings: JSON.stringify(groupMappings), createdAt: tenant.now, updatedAt: tenant.now })
    .execute()
  const token = await givenToken(service, of.id, id)
  return {
    id,
    organisation: of,
    domain: verified,
    token,
    scim: directoryClient(service, id, token),
    address: () => `p-${unique()}@${verified}`,
  }
}

export async function givenToken(service: TestService, organisationId: string, directoryId: string, expiresAt?: Date): Promise<string> {
  const tenant = service.database.tenant(organisationId)
  const token = `scim_${newSecret()}`
  await tenant
    .insertInto('directoryTokens')
    .values({
      id: newId('dtk', tenant.now),
      directoryId,
      tokenHash: hashSecret(token),
      prefix: token.slice(0, 10),
      expiresAt: expiresAt ?? null,
      createdAt: tenant.now,
    })
    .execute()
  return token
}

export const directoryClient = ({ origin }: TestService, directoryId: string, token: string): DirectoryClient =>
  new DirectoryClient(`${origin}/scim/v2/${directoryId}`, { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' })

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** A user as a directory sends one. */
export const person = (userName: string, fields: Record<string, unknown> = {}) => ({
  schemas,
  userName,
  externalId: `ext-${unique()}`,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
  ...fields,
})

/** The body of a PATCH. */
export const operations = (...list: Record<string, unknown>[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: list,
})

/** A query of a filter, encoded. */
export const filter = (text: string, more = '') => `?filter=${encodeURIComponent(text)}${more}`

export const newDirectory = (fields: Record<string, unknown> = {}) => ({ name: `Entra ID ${unique()}`, ...fields })

export async function createDirectory(admin: HttpClient, fields: Record<string, unknown> = {}) {
  const created = await admin.post('/v1/admin/directories', newDirectory(fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body
}

/** Logs a request as the directory would have sent it. */
export async function loggedRequest(
  { database }: Pick<TestService, 'database'>,
  { organisationId, directoryId }: { organisationId: string; directoryId: string },
  fields: { method?: string; path?: string; status?: number; at?: Date; detail?: string; scimType?: string; requestBody?: string } = {},
): Promise<string> {
  const tenant = database.tenant(organisationId)
  const { at = tenant.now, ...rest } = fields
  const id = newId('drq', at)
  await tenant
    .insertInto('directoryRequests')
    .values({ id, directoryId, method: 'GET', path: '/Users', status: 200, durationMilliseconds: 12, ...rest, createdAt: at })
    .execute()
  return id
}
