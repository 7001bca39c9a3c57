import { invalidInput, unknownName } from '../../platform/http/problem.ts'
import { changeEndpoint, removeEndpoint } from '../../webhooks/endpoints/change-endpoint.ts'
import { createEndpoint } from '../../webhooks/endpoints/create-endpoint.ts'
import { listEndpoints } from '../../webhooks/endpoints/queries.ts'
import { NewWebhook, WebhookChanges } from '../../webhooks/endpoints/schemas.ts'
import { clientNotFound } from '../../webhooks/refusals.ts'
import { clientIdOf } from '../keys.ts'
import type { Kind } from '../kind.ts'

/** More than an organisation can have. */
const endpointsMax = 1_000

export const webhookKind: Kind = {
  name: 'webhook',
  refersTo: ['clients'],
  permissions: { read: 'webhooks:read', create: 'webhooks:create', update: 'webhooks:update', delete: 'webhooks:delete' },
  async list(tenant, { clients }) {
    const clientKeys = new Map([...(clients ?? [])].map(([key, { id }]) => [id, key]))
    const endpoints = await listEndpoints(tenant, endpointsMax, undefined)
    return endpoints.map(({ id, url, events, variant, standardSignature, isActive, clientId }) => {
      const { host, pathname } = new URL(url)
      // An endpoint stays bound to a client that is deleted, or that no document has: without it, another one would get the events of all.
      const client = clientId === null ? null : (clientKeys.get(clientId) ?? clientId)
      return { id, name: `${host}${pathname}`, fields: { url, events, variant, standardSignature, isActive, client } }
    })
  },
  async create({ dependencies, caller, idOf }, _, { client = null, isActive = true, ...fields }) {
    const clientId = client === null ? null : clientIdOf(idOf, client)
    if (clientId === undefined) throw invalidInput([unknownName(['client'], clientNotFound)])
    const { endpoint, secret } = await createEndpoint(dependencies, caller, NewWebhook.parse({ ...fields, clientId }))
    if (!isActive) await changeEndpoint(dependencies, caller, endpoint.id, { isActive: false }, undefined)
    return { id: endpoint.id, secret }
  },
  update: ({ dependencies, caller }, id, fields) => changeEndpoint(dependencies, caller, id, WebhookChanges.parse(fields), undefined),
  remove: ({ dependencies, caller }, id) => removeEndpoint(dependencies, caller, id, undefined, undefined),
}
