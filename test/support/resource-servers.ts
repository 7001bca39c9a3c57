import { expect } from 'vitest'
import { unique } from './given.ts'
import type { HttpClient } from './http-client.ts'

export interface GivenResourceServer {
  id: string
  identifier: string
  name: string
}

export const newResourceServer = (fields: Record<string, unknown> = {}) => ({
  name: 'Orders API',
  identifier: `https://api.example.test/${unique()}`,
  scopes: [{ name: 'orders:read', description: 'Read your orders' }],
  ...fields,
})

/** A resource server as an administrator registers it. */
export async function resourceServer(owner: HttpClient, fields: Record<string, unknown> = {}): Promise<GivenResourceServer> {
  const created = await owner.post('/v1/admin/resource-servers', newResourceServer(fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body
}
