import { admin } from '../../access/declarations.ts'
import { type EventDescription, events } from '../../activity/events.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../../platform/http/lists.ts'
import { EventRecord } from './schemas.ts'

const catalogue = Object.entries<EventDescription>(events)
  .map(([name, description]) => ({ name, ...description, variants: [...description.variants] }))
  .sort((left, right) => (left.name < right.name ? -1 : 1))

export const eventRoutes = defineRoutes('/v1/admin/events', async (app) => {
  app.get(
    '/',
    {
      config: { access: admin('webhooks:read') },
      schema: {
        operationId: 'listEvents',
        summary: 'List the events that a webhook can subscribe to',
        querystring: ListQuery,
        response: { 200: listOf(EventRecord) },
      },
    },
    async ({ query }, reply) => {
      const source = sourceOfFew(
        async () => catalogue,
        ({ name }) => name,
      )
      return sendList(reply, query, EventRecord, source, (event) => event)
    },
  )
})
