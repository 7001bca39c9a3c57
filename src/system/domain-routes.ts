/** /v1/system/domains */
import { system } from '../access/declarations.ts'
import { foreignAccountsOf } from '../domains/foreign-accounts.ts'
import { presentForeignAccount } from '../domains/present-domain.ts'
import { ForeignAccount } from '../domains/schemas.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'

export const systemDomainRoutes = defineRoutes('/v1/system', async (app, { database }: { database: Database }) => {
  app.get(
    '/domains/:id/foreign-accounts',
    {
      config: { access: system() },
      schema: {
        operationId: 'listForeignAccounts',
        summary: 'List the accounts of other organisations in a domain',
        description: 'The accounts that `foreignAccounts` of the domain counts; its administrators see only the number.',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(ForeignAccount) },
      },
    },
    async ({ params, query }, reply) =>
      sendList(reply, query, ForeignAccount, await foreignAccountsOf(database.systemListReads(), params.id), presentForeignAccount),
  )
})
