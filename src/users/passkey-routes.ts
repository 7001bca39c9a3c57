/** /v1/admin/users/:id/passkeys */
import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { getUser } from '../accounts/queries.ts'
import { passkeysOf } from '../passkeys/passkey-list.ts'
import { presentPasskey } from '../passkeys/present-passkey.ts'
import { PasskeyRecord } from '../passkeys/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, pathId } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { languageOf } from '../platform/language.ts'
import { deletePasskeyOfUser, type PasskeyAdministration } from './delete-passkey-of-user.ts'

export const userPasskeyRoutes = defineRoutes('/v1/admin/users', async (app, dependencies: PasskeyAdministration) => {
  const { database } = dependencies

  app.get(
    '/:id/passkeys',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'listUserPasskeys',
        summary: 'List the passkeys of a user',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(PasskeyRecord) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const { id } = await getUser(tenant, params.id)
      return sendList(reply, query, PasskeyRecord, passkeysOf(tenant, id), presentPasskey)
    },
  )

  app.delete(
    '/:id/passkeys/:passkeyId',
    {
      config: { access: admin('users:update'), mails: true },
      schema: {
        operationId: 'deleteUserPasskey',
        summary: 'Delete a passkey of a user',
        description: "Ends the user's sessions; the user gets a mail. Only the owner can delete the owner's passkeys.",
        params: IdParameter.extend({
          passkeyId: pathId().meta({ description: 'Id of the passkey', example: 'pk_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id: userId, passkeyId: id } = request.params
      await deletePasskeyOfUser(dependencies, request.caller, { userId, id }, languageOf(request))
      return reply.code(204).send(null)
    },
  )
})
