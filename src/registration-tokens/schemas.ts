import { z } from 'zod'
import type { GrantRules } from '../clients/rules.ts'
import { clientSchemas } from '../clients/schemas.ts'
import { dateTime, isSecret, name, recordId, timestamp } from '../platform/http/fields.ts'

const usesMax = 100_000

/** The schemas of registration tokens. `grants` are those that a client can be registered for. */
export function registrationTokenSchemas(grants: readonly GrantRules[]) {
  const { grantTypes, scopes } = clientSchemas(grants).NewClient.shape
  const fields = {
    name: name().nullable().meta({ description: 'What the token is for', example: 'Preview environments' }),
    expiresAt: dateTime().nullable().meta({ description: 'When the token stops working; null never', example: '2027-01-31T00:00:00.000Z' }),
    maxUses: z
      .number()
      .int()
      .min(1)
      .max(usesMax)
      .nullable()
      .meta({ description: 'How many clients it registers; null any number', example: 10 }),
  }

  const NewRegistrationToken = z
    .object({
      name: fields.name.default(null),
      expiresAt: fields.expiresAt.default(null),
      maxUses: fields.maxUses.default(null),
      allowedGrantTypes: grantTypes.default(['authorization_code', 'refresh_token']).meta({
        description: 'Grants that its clients may register for',
        example: ['authorization_code', 'refresh_token'],
      }),
      allowedScopes: scopes.default([]).meta({
        description: 'Custom scopes that its clients may register for. Those of OpenID Connect are left out: every client may request them',
        example: ['orders:read'],
      }),
    })
    .meta({ component: 'NewRegistrationToken' })

  const RegistrationTokenRecord = z
    .object({
      id: recordId('rgt'),
      name: z.string().nullable().meta({ description: 'What the token is for', example: 'Preview environments' }),
      expiresAt: timestamp().nullable().meta({ description: 'When the token stops working; null never' }),
      maxUses: fields.maxUses,
      uses: z.number().int().meta({ description: 'How many clients it has registered', example: 3 }),
      allowedGrantTypes: z
        .array(z.string())
        .meta({ description: 'Grants that its clients may register for', example: ['authorization_code', 'refresh_token'] }),
      allowedScopes: z.array(z.string()).meta({ description: 'Custom scopes that its clients may register for', example: ['orders:read'] }),
      lastUsedAt: timestamp().nullable().meta({ description: 'When it last registered a client; null before' }),
      createdById: z
        .string()
        .nullable()
        .meta({ description: 'The user who is responsible for it; null for the operator', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
      createdAt: timestamp('When it was created'),
    })
    .meta({ component: 'RegistrationToken' })

  /** A token that was just created. The token itself is shown only here. */
  const RegistrationTokenWithSecret = RegistrationTokenRecord.extend({
    token: z.string().meta({
      ...isSecret,
      description: 'For `Authorization: Bearer` at /oauth2/register; shown this once',
      example: 'rgs_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
    }),
  }).meta({ component: 'RegistrationTokenWithSecret' })

  return { NewRegistrationToken, RegistrationTokenRecord, RegistrationTokenWithSecret }
}

type Schemas = ReturnType<typeof registrationTokenSchemas>
export type NewRegistrationToken = z.infer<Schemas['NewRegistrationToken']>
export type RegistrationTokenRecord = z.infer<Schemas['RegistrationTokenRecord']>
