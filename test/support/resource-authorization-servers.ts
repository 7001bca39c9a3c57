import { expect } from 'vitest'
import { unique } from './given.ts'
import type { HttpClient } from './http-client.ts'

export interface GivenResourceAuthorizationServer {
  id: string
  issuer: string
  resources: { identifier: string; scopes: string[] }[]
}

export const booksResource = 'https://api.books.test/mcp'

/** An authorization server of another company, with an API there. */
export const newResourceAuthorizationServer = (audienceClientId: string, fields: Record<string, unknown> = {}) => ({
  name: 'Books',
  issuer: `https://${unique()}.books.test`,
  audienceClientId,
  resources: [{ identifier: booksResource, scopes: ['books:read', 'books:write'] }],
  ...fields,
})

/** A grant of all of that API to a client, for every user. */
export const grantOf = (clientId: string, fields: Record<string, unknown> = {}) => ({
  clientId,
  downstreamClientId: 'acme-editor',
  resources: [booksResource],
  scopes: ['books:read', 'books:write'],
  ...fields,
})

/** The same as an administrator registers it. */
export async function resourceAuthorizationServer(
  owner: HttpClient,
  audienceClientId: string,
  fields: Record<string, unknown> = {},
): Promise<GivenResourceAuthorizationServer> {
  const created = await owner.post('/v1/admin/resource-authorization-servers', newResourceAuthorizationServer(audienceClientId, fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body
}
