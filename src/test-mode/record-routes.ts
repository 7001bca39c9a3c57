/** /_test: the organisations, users, tokens and keys of a test, and its snapshots. */
import { z } from 'zod'
import { systemCaller } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import { systemActor } from '../activity/actor.ts'
import type { App } from '../platform/http/app.ts'
import { suspendOrganisation } from '../provisioning/change-status.ts'
import { MadeOrganisation, NewTestOrganisation } from '../seeds/organisations.ts'
import { endSessionsOfUser } from '../sessions/end-session.ts'
import { rotateSigningKeys } from '../tokens/rotate-signing-keys.ts'
import { changeUser } from '../users/update-user.ts'
import type { Controls } from './controls.ts'
import { findUser } from './find-user.ts'
import * as schemas from './schemas.ts'
import { AskedTokens, beginSession, getTokens, nextCodeOf } from './sign-in.ts'

const config = { access: publicAccess() }
const nothing = { 204: z.null() }

export function recordRoutes(app: App, controls: Controls): void {
  app.post(
    '/organisations',
    {
      config,
      schema: {
        operationId: 'makeOrganisation',
        summary: 'Make an organisation with its users and applications',
        body: NewTestOrganisation,
        response: { 201: MadeOrganisation },
      },
    },
    async ({ body }, reply) => reply.code(201).send(await controls.makeOrganisation(body)),
  )
  app.post(
    '/sessions',
    {
      config,
      schema: {
        operationId: 'beginSession',
        summary: 'Sign a user in, without any page',
        body: schemas.AskedSession,
        response: { 201: schemas.BegunSession },
      },
    },
    async ({ body }, reply) => {
      const { services, app: served } = controls.running
      return reply.code(201).send(await beginSession(services, served.sessionCookieName, body.user, controls.userOf(body.user)))
    },
  )
  app.post(
    '/tokens',
    {
      config,
      schema: {
        operationId: 'getTokens',
        summary: 'Get tokens by the authorization code flow, without any page',
        description: 'Responds as the token endpoint does.',
        body: AskedTokens,
        response: { 200: schemas.IssuedTokens, '4xx': z.unknown(), '5xx': z.unknown() },
      },
    },
    async ({ body }, reply) => {
      const { services, app: served } = controls.running
      const { status, body: answer } = await getTokens(served, services, body, {
        client: controls.clientOf(body.clientId),
        user: controls.userOf(body.user),
      })
      return reply.code(status as 200).send(answer as { access_token?: string })
    },
  )
  app.get(
    '/users/:id/totp',
    {
      config,
      schema: {
        operationId: 'getCode',
        summary: "The code of a user's authenticator app that is accepted next",
        description: 'Each code counts once. Two are accepted in 30 seconds; then the clock has to move.',
        params: schemas.Named,
        response: { 200: schemas.Code },
      },
    },
    async ({ params }) => ({ code: await nextCodeOf(controls.running.services, params.id) }),
  )
  app.post(
    '/users/:id/block',
    { config, schema: { operationId: 'blockUser', summary: 'Block a user', params: schemas.Named, response: nothing } },
    async ({ params }, reply) => {
      const { services } = controls.running
      const { id, organisationId } = await findUser(services.database, params.id)
      await changeUser(services, systemCaller(organisationId, 'test-mode'), id, { blockedAt: services.clock.now() }, undefined, undefined)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/users/:id/revoke',
    {
      config,
      schema: { operationId: 'revokeAll', summary: 'End the sessions and tokens of a user', params: schemas.Named, response: nothing },
    },
    async ({ params }, reply) => {
      const { database } = controls.running.services
      const { id, organisationId } = await findUser(database, params.id)
      await endSessionsOfUser(database, systemCaller(organisationId, 'test-mode'), id)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/organisations/:id/suspend',
    { config, schema: { operationId: 'suspend', summary: 'Suspend an organisation', params: schemas.Named, response: nothing } },
    async ({ params }, reply) => {
      await suspendOrganisation(controls.running.services.database, systemActor, params.id, 'A test suspends it')
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/keys/rotate',
    {
      config,
      schema: {
        operationId: 'rotateKeys',
        summary: 'Rotate the signing keys',
        description: 'The new key is published and signs at once; tokens of the former one stay valid.',
        response: nothing,
      },
    },
    async (_, reply) => {
      const { database, keyring, signingKeys } = controls.running.services
      await rotateSigningKeys(database, keyring, systemActor, { aheadSeconds: 0 })
      await signingKeys.reload()
      return reply.code(204).send(null)
    },
  )
}

export function snapshotRoutes(app: App, controls: Controls): void {
  app.post(
    '/snapshots',
    { config, schema: { operationId: 'takeSnapshot', summary: 'Store the whole state', response: { 201: schemas.Snapshot } } },
    async (_, reply) => reply.code(201).send({ id: await controls.takeSnapshot() }),
  )
  app.post(
    '/snapshots/:id/restore',
    { config, schema: { operationId: 'restoreSnapshot', summary: 'Restore the whole state', params: schemas.Named, response: nothing } },
    async ({ params }, reply) => {
      await controls.restoreSnapshot(params.id)
      return reply.code(204).send(null)
    },
  )
  app.delete(
    '/snapshots/:id',
    { config, schema: { operationId: 'deleteSnapshot', summary: 'Delete a snapshot', params: schemas.Named, response: nothing } },
    async ({ params }, reply) => {
      controls.deleteSnapshot(params.id)
      return reply.code(204).send(null)
    },
  )
}
