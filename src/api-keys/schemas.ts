import { z } from 'zod'
import { FederatedCredentialRecord, federatedCredentials, federatedCredentialsDescribed } from '../clients/federated-credentials.ts'
import { dateTime, isSecret, issueOf, name, recordId, text, timestamp } from '../platform/http/fields.ts'
import { credentialsMissing } from './refusals.ts'

const permissionsMax = 1_000

const credentials = federatedCredentials().meta({
  description: `${federatedCredentialsDescribed}. Needs the extension \`federated_credentials\``,
})

export const NewApiKey = z
  .object({
    name: name().meta({ description: 'What the key is for', example: 'Nightly import' }),
    permissions: z
      .array(text())
      .max(permissionsMax)
      .meta({ description: 'Slugs of permissions; only ones that the caller has', example: ['users:read', 'users:create'] }),
    expiresAt: dateTime()
      .nullable()
      .default(null)
      .meta({ description: 'When the key stops working; null never', example: '2027-01-31T00:00:00.000Z' }),
    secret: z.enum(['key', 'none']).default('key').meta({
      description:
        '`none` for a key that only workloads use, by `federatedCredentials`: none is made, and none is in the response. Needs the extension `federated_credentials`',
    }),
    federatedCredentials: credentials.default([]),
  })
  .superRefine(({ secret, federatedCredentials }, context) => {
    if (secret === 'none' && federatedCredentials.length === 0)
      context.addIssue({ ...issueOf(credentialsMissing([])), path: ['federatedCredentials'] })
  })
  .meta({ component: 'NewApiKey' })
export type NewApiKey = z.infer<typeof NewApiKey>

const createdKey = z.object({
  id: recordId('key'),
  name: z.string().meta({ description: 'What the key is for', example: 'Nightly import' }),
  prefix: z.string().meta({ description: 'How the key begins, to tell keys apart; empty without a secret', example: 'ak_Zb3kQ9xW' }),
  permissions: z.array(z.string()).meta({
    description: 'Slugs of its permissions; it may use those that its creator still has',
    example: ['users:read', 'users:create'],
  }),
  expiresAt: timestamp().nullable().meta({ description: 'When the key stops working; null never' }),
  lastUsedAt: timestamp().nullable().meta({ description: 'To the minute; null before the first use' }),
  createdById: z.string().meta({ description: 'The user who is responsible for the key', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  federatedCredentials: z.array(FederatedCredentialRecord).meta({ description: federatedCredentialsDescribed }),
  createdAt: timestamp('When the key was made'),
})
export type CreatedKey = z.infer<typeof createdKey>

export const ApiKeyRecord = createdKey
  .extend({
    createdBy: z
      .object({
        id: recordId('usr', 'The user who is responsible for the key'),
        name: z.string().meta({ description: 'The current name of the user', example: 'Olive Owner' }),
      })
      .meta({ description: 'The user who is responsible for the key' }),
  })
  .meta({ component: 'ApiKey' })
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>

export const ApiKeyChanges = z.object({ federatedCredentials: credentials.optional() }).meta({ component: 'ApiKeyChanges' })
export type ApiKeyChanges = z.infer<typeof ApiKeyChanges>

/** A key that was just created. The key itself is shown only here. */
export const ApiKeyWithSecret = createdKey
  .extend({
    key: z
      .string()
      .meta({
        ...isSecret,
        description: 'For `Authorization: Bearer`; shown this once. Not there with `secret` `none`',
        example: 'ak_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
      })
      .optional(),
  })
  .meta({ component: 'ApiKeyWithSecret' })
