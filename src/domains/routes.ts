import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { changeDomain, removeDomain } from './change-domain.ts'
import { createDomain } from './create-domain.ts'
import { countForeignAccounts, countForeignAccountsOf } from './foreign-accounts.ts'
import { domainVersion, presentDomain } from './present-domain.ts'
import { allDomains, type Domain, getDomain } from './queries.ts'
import * as refusals from './refusals.ts'
import { DomainChanges, DomainRecord, MissingRecord, NewDomain } from './schemas.ts'
import { type DomainVerification, verifyDomain } from './verify-domain.ts'

export const domainRoutes = defineRoutes({ prefix: '/v1/admin/domains', refusals }, async (app, dependencies: DomainVerification) => {
  const { database } = dependencies
  const counted = async (domain: Domain) => presentDomain(await countForeignAccountsOf(database, domain))

  app.get(
    '/',
    {
      config: { access: admin('domains:read') },
      schema: { operationId: 'listDomains', summary: 'List domains', querystring: ListQuery, response: { 200: listOf(DomainRecord) } },
    },
    async ({ caller, query }, reply) => {
      const domains = sourceOfFew(async () => countForeignAccounts(database, await allDomains(database.listReads(caller.organisationId))))
      return sendList(reply, query, DomainRecord, domains, presentDomain)
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('domains:read'), version: domainVersion },
      schema: { operationId: 'getDomain', summary: 'Get a domain', params: IdParameter, response: { 200: DomainRecord } },
    },
    async ({ caller, params }) => counted(await getDomain(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('domains:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'createDomain',
        summary: 'Add a domain',
        description: 'It takes effect once its `challenge` has been found in the DNS.',
        body: NewDomain,
        response: { 201: DomainRecord },
      },
    },
    async ({ caller, body }, reply) => reply.code(201).send(await counted(await createDomain(database, caller, body))),
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('domains:update'), version: domainVersion },
      schema: {
        operationId: 'updateDomain',
        summary: 'Update a domain',
        params: IdParameter,
        body: DomainChanges,
        response: { 200: DomainRecord },
      },
    },
    async ({ caller, params, body, headers }) => counted(await changeDomain(dependencies, caller, params.id, body, headers['if-match'])),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('domains:update'), version: domainVersion },
      schema: {
        operationId: 'deleteDomain',
        summary: 'Delete a domain',
        description:
          'Its users sign in as they did before it was added. While it requires single sign-on, that takes every permission that any user but the owner holds.',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await removeDomain(dependencies, caller, params.id, body.reason, headers['if-match'])
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/verify',
    {
      config: { access: admin('domains:update'), refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'verifyDomain',
        summary: 'Verify a domain',
        description: 'Looks for the `challenge` in the DNS.',
        params: IdParameter,
        response: { 200: DomainRecord, ...MissingRecord },
      },
    },
    async ({ caller, params }) => counted(await verifyDomain(dependencies, caller, params.id)),
  )
})
