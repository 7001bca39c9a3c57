/** GET /v1/system/organisations/:id/export */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { operatorOf } from '../access/caller.ts'
import { system } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { exportOrganisation, recordExport } from './export-organisation.ts'

const Export = z.record(z.string(), z.unknown()).meta({ description: 'The organisation, and its rows by the name of each kind' })

export const exportRoutes = defineRoutes('/v1/system', async (app, { database }: { database: Database }) => {
  app.get(
    '/organisations/:id/export',
    {
      // No HEAD: it must have no effects, and this route writes an audit entry.
      exposeHeadRoute: false,
      config: { access: system() },
      schema: {
        operationId: 'exportOrganisation',
        summary: 'Export an organisation',
        description: 'Everything stored about it, without secrets.',
        params: IdParameter,
        response: { 200: Export },
      },
    },
    async (request, reply) => {
      const { id, slug } = await recordExport(database, operatorOf(request), request.params.id)
      return sendFile(reply, `${slug}.json`, exportOrganisation(database, id))
    },
  )
})

function sendFile(reply: FastifyReply, name: string, json: AsyncIterable<string>): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(json))
}
