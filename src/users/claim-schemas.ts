import { z } from 'zod'
import { claimMappings, claimTargets } from '../claims/schemas.ts'
import { id, text } from '../platform/http/fields.ts'

export const AskedClaims = z
  .object({
    userId: id().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    scope: text()
      .optional()
      .meta({ description: 'Scopes as the authorization request would ask for them, separated by spaces', example: 'openid profile' }),
    resource: text().optional().meta({
      description: 'The resource server that the token would be for (RFC 8707); ignored without the extension `resource_indicators`',
      example: 'https://api.acme.test',
    }),
    claimMappings: claimMappings(claimTargets).optional().meta({
      description: 'Mappings to try in place of those of the application. Nothing is stored',
    }),
  })
  .meta({ component: 'AskedClaims' })
export type AskedClaims = z.infer<typeof AskedClaims>

const described = (what: string) => ({
  description: `Claims of ${what}, without those that the sign-in decides (\`jti\`, \`sid\`, \`nonce\`)`,
  example: { sub: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', department: 'Sales' },
})
const claims = () => z.record(z.string(), z.unknown())

export const ClaimsPreview = z
  .object({
    idToken: claims().nullable().meta(described('the ID token; null without the scope `openid`')),
    accessToken: claims().meta(described('the access token')),
    userInfo: claims().nullable().meta(described('UserInfo; null without the scope `openid`')),
    introspection: claims().meta(described('the introspection of the access token')),
  })
  .meta({ component: 'ClaimsPreview' })
export type ClaimsPreview = z.infer<typeof ClaimsPreview>
