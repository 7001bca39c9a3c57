import { z } from 'zod'
import { id, recordId, text } from '../platform/http/fields.ts'
import { blockedBy } from './permission-schemas.ts'

export const AskedAuthorization = z
  .object({
    userId: id().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    clientId: id().meta({ description: 'Id of a client of the organisation', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    scope: text()
      .optional()
      .meta({ description: 'Scopes as the authorization request would ask for them, separated by spaces', example: 'openid profile' }),
    resource: text().optional().meta({
      description: 'The resource server that the token would be for (RFC 8707); ignored without the extension `resource_indicators`',
      example: 'https://api.acme.test',
    }),
  })
  .meta({ component: 'AskedAuthorizationCheck' })
export type AskedAuthorization = z.infer<typeof AskedAuthorization>

const Refusal = z.object({
  endpoint: z.enum(['authorize', 'token']).meta({ description: 'The endpoint that would refuse' }),
  error: z.string().meta({ description: 'Error code of the protocol', example: 'invalid_scope' }),
  description: z.string().meta({ description: 'What would be refused', example: 'the scope is not allowed: reports:write' }),
  check: z.string().meta({ description: 'What is checked', example: 'scope' }),
  expected: z.any().meta({ description: 'What would be right', example: ['openid', 'profile'] }),
  received: z.any().meta({ description: 'What there is', example: 'reports:write' }),
})
export type AuthorizationRefusal = z.infer<typeof Refusal>

const claims = (what: string) =>
  z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description: `Claims of the ${what}, without those that the sign-in decides (\`jti\`, \`sid\`, \`nonce\`, \`acr\`, \`amr\`, \`auth_time\`); null when none would be issued`,
      example: { sub: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', aud: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' },
    })

export const AuthorizationCheck = z
  .object({
    userId: recordId('usr'),
    clientId: recordId('cli'),
    allowed: z.boolean().meta({ description: 'Whether the client would get tokens for the user now' }),
    scope: z.array(z.string()).meta({ description: 'The scopes that would be issued', example: ['openid', 'profile'] }),
    asksConsent: z.boolean().meta({ description: 'Whether the user would be asked for consent first' }),
    accessToken: claims('access token'),
    idToken: claims('ID token'),
    refreshToken: z.boolean().meta({ description: 'Whether a refresh token would be issued' }),
    refusals: z.array(Refusal).meta({ description: 'Each check that would refuse' }),
    blockedBy,
    ignored: z.array(z.enum(['resource'])).meta({ description: 'What was requested but has no effect', example: [] }),
  })
  .meta({ component: 'AuthorizationCheck' })
export type AuthorizationCheck = z.infer<typeof AuthorizationCheck>
