/** /v1/system/signing-keys: the operator's control of the keys that sign tokens */
import { z } from 'zod'
import { operatorOf } from '../access/caller.ts'
import { system } from '../access/declarations.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { timestamp } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { presentSigningKey } from './present-signing-key.ts'
import { listSigningKeys, rotateSigningKeys } from './rotate-signing-keys.ts'
import { signingAlgorithms } from './rules.ts'

const Rotation = z.object({
  withdraw: z.boolean().default(false).meta({
    description: 'For leaked keys: new ones sign at once, and tokens that the others signed become invalid',
    example: false,
  }),
})

const SigningKey = z.object({
  kid: z.string().meta({ description: 'Id of the key, as tokens name it', example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }),
  alg: z.enum(signingAlgorithms).meta({ description: 'Algorithm', example: 'EdDSA' }),
  state: z.enum(['next', 'current', 'retiring']).meta({ description: 'next: published, does not sign yet', example: 'next' }),
  createdAt: timestamp('When the key was made'),
  signsFrom: timestamp('When the key begins to sign; it is published before'),
  retiresAt: timestamp().nullable().meta({ description: 'When it stops being published' }),
})

const Keys = z.object({ data: z.array(SigningKey).meta({ description: 'The records of this page' }) })

interface KeyRotation {
  database: Database
  keyring: Keyring
}

export const signingKeyRoutes = defineRoutes('/v1/system/signing-keys', async (app, { database, keyring }: KeyRotation) => {
  app.get(
    '/',
    {
      config: { access: system() },
      schema: {
        operationId: 'listSigningKeys',
        summary: 'List the published signing keys',
        description: 'Keys that sign, will sign or have signed tokens that are still valid.',
        querystring: ListQuery,
        response: { 200: listOf(SigningKey) },
      },
    },
    async ({ query }, reply) => {
      const source = sourceOfFew(
        () => listSigningKeys(database),
        ({ algorithm, signsFrom, id }) => `${algorithm} ${signsFrom.toISOString()} ${id}`,
      )
      return sendList(reply, query, SigningKey, source, presentSigningKey)
    },
  )

  app.post(
    '/rotate',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: {
        operationId: 'rotateSigningKeys',
        summary: 'Rotate the signing keys',
        description:
          'Makes the next key of each algorithm: it is published now, and signs in 15 minutes, once all receivers have had time to fetch it. Tokens of the former one stay valid until they expire, unless it is withdrawn.',
        body: Rotation,
        response: { 200: Keys },
      },
    },
    async (request) => {
      const keys = await rotateSigningKeys(database, keyring, operatorOf(request), request.body)
      return { data: keys.map(presentSigningKey) }
    },
  )
})
