import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Message, Reason } from '../platform/http/fields.ts'
import { Removal, removalOf } from '../roles/schemas.ts'
import { addMember, removeMember } from './change-members.ts'
import { changeTeam, createTeam, removeTeam } from './change-team.ts'
import { MemberList, MemberQuery, sendMembers } from './list-members.ts'
import { TeamListQuery, TeamQuery, teamList, teamListWithoutMembers } from './list-teams.ts'
import { presentChangedTeam, presentTeam, presentTeamWithoutMembers, teamVersion } from './present-team.ts'
import { getTeam, getTeamWithoutMembers } from './queries.ts'
import * as refusals from './refusals.ts'
import { ListedTeam, MemberReference, NewTeam, TeamChanges, TeamRecord } from './schemas.ts'

export const teamRoutes = defineRoutes({ prefix: '/v1/admin/teams', refusals }, async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: admin('teams:read') },
      schema: { operationId: 'listTeams', summary: 'List teams with their members', ...teamList.schema, querystring: TeamListQuery },
    },
    async ({ caller: { organisationId }, query: { members, ...query } }, reply) => {
      const list = members === 'true' ? teamList : teamListWithoutMembers
      return list.send(reply, database, organisationId, query)
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('teams:read'), version: teamVersion },
      schema: {
        operationId: 'getTeam',
        summary: 'Get a team with its members',
        params: IdParameter,
        querystring: TeamQuery,
        response: { 200: ListedTeam },
      },
    },
    async ({ caller: { organisationId }, params: { id }, query: { members } }): Promise<ListedTeam> => {
      const reads = database.pointReads(organisationId)
      if (members === 'true') return presentTeam(await getTeam(reads, id))
      return presentTeamWithoutMembers(await getTeamWithoutMembers(reads, id))
    },
  )

  app.post(
    '/',
    {
      config: { access: admin('teams:create'), refuses: ['conflict'] },
      schema: { operationId: 'createTeam', summary: 'Create a team', body: NewTeam, response: { 201: TeamRecord } },
    },
    async ({ caller, body }, reply) => reply.code(201).send(presentChangedTeam(await createTeam(database, caller, body))),
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('teams:update'), version: teamVersion },
      schema: {
        operationId: 'updateTeam',
        summary: 'Update a team',
        params: IdParameter,
        body: TeamChanges,
        response: { 200: TeamRecord },
      },
    },
    async ({ caller, params, body, headers }) =>
      presentChangedTeam(await changeTeam(database, caller, params.id, body, headers['if-match'])),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('teams:delete'), version: teamVersion },
      schema: {
        operationId: 'deleteTeam',
        summary: 'Delete a team',
        description: 'Its members stay users of the organisation.',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await removeTeam(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/:id/members',
    {
      config: { access: admin('teams:read') },
      schema: {
        operationId: 'listTeamMembers',
        summary: 'List the members of a team',
        description: 'In the order in which the users were created, without deleted ones.',
        params: IdParameter,
        querystring: MemberQuery,
        response: { 200: MemberList },
      },
    },
    async ({ caller, params, query }, reply) => sendMembers(reply, database.listReads(caller.organisationId), params.id, query),
  )

  app.post(
    '/:id/members',
    {
      config: { access: admin('teams:update') },
      schema: {
        operationId: 'addTeamMember',
        summary: 'Add a user to a team',
        params: IdParameter,
        body: MemberReference,
        response: { 200: Message },
      },
    },
    async ({ caller, params, body }) => {
      await addMember(database, caller, params.id, body.userId)
      return { message: 'Member added' }
    },
  )

  app.delete(
    '/:id/members',
    {
      config: { access: admin('teams:update') },
      schema: {
        operationId: 'removeTeamMember',
        summary: 'Remove a user from a team',
        description:
          'A user whom a connection or directory also puts into the team stays a member: `message` and `remainingSources` then name it. Only it can remove them.',
        params: IdParameter,
        body: MemberReference,
        response: { 200: Removal },
      },
    },
    async ({ caller, params, body }) => {
      const remaining = await removeMember(database, caller, params.id, body.userId)
      return removalOf('Member removed', 'The user stays a member', remaining)
    },
  )
})
