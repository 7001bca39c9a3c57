import { expect } from 'vitest'
import type { HttpClient } from './http-client.ts'

/** An endpoint of the caller's organisation, with its secret. */
export async function createEndpoint(
  admin: HttpClient,
  fields: { url: string; events: string[]; variant?: 'A' | 'B'; standardSignature?: boolean; clientId?: string },
): Promise<{ id: string; secret: string }> {
  const created = await admin.post('/v1/admin/webhooks', fields)
  expect(created).toMatchObject({ status: 201 })
  return { id: (created.body.webhook ?? created.body).id, secret: created.body.secret }
}

/** The newest delivery to the endpoint, with its attempts. */
export async function deliveryOf(admin: HttpClient, endpointId: string) {
  const { body } = await admin.get(`/v1/admin/webhooks/${endpointId}/deliveries?limit=1`)
  return (await admin.get(`/v1/admin/webhooks/${endpointId}/deliveries/${body.data[0].id}`)).body
}
