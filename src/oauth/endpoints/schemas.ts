import { z } from 'zod'

/** Loose, as UserInfo: claim mappings add claims of any name. */
export const Introspection = z
  .looseObject({
    active: z.boolean().meta({ description: 'Whether the token may be used now', example: true }),
    token_type: z.string().optional().meta({ description: 'How the token is used', example: 'Bearer' }),
    scope: z.string().optional().meta({ description: 'Scopes, separated by spaces', example: 'openid profile' }),
    client_id: z
      .string()
      .optional()
      .meta({ description: 'The client that the token was issued to', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    username: z.string().optional().meta({ description: 'E-mail address of the user', example: 'carol@acme.test' }),
    exp: z.number().int().optional().meta({ description: 'When the token expires, in seconds since 1970', example: 1769855400 }),
    iat: z.number().int().optional().meta({ description: 'When the token was issued, in seconds since 1970', example: 1769851800 }),
    sub: z
      .string()
      .optional()
      .meta({ description: 'The user, or the client that acts for itself', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    aud: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Who the token is for: the client, or resource servers', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    iss: z.string().optional().meta({ description: 'Who issued the token', example: 'https://id.example.com' }),
    jti: z.string().optional().meta({ description: 'Identifier of the token', example: 'fam_01kahm3z9n4v7f2t8q6w5r1y0x.8Xq2' }),
    acr: z.string().optional().meta({ description: 'Level of the sign-in, if requested (RFC 9470)', example: 'aal2' }),
    amr: z
      .array(z.string())
      .optional()
      .meta({ description: 'Methods of the sign-in (RFC 8176), beside `acr`', example: ['pwd', 'otp', 'mfa'] }),
    auth_time: z
      .number()
      .int()
      .optional()
      .meta({ description: 'When the user signed in, in seconds since 1970, beside `acr`', example: 1769851800 }),
  })
  .meta({ component: 'Introspection' })

/** An empty object: widely used clients fail on other empty responses. */
export const Revocation = z.object({})

export const UserInfo = z
  .looseObject({
    sub: z.string().meta({ description: 'The user, or the client that acts for itself', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    name: z.string().optional().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    given_name: z.string().optional().meta({ description: 'First name', example: 'Carol' }),
    family_name: z.string().optional().meta({ description: 'Last name', example: 'Shaw' }),
    updated_at: z
      .number()
      .int()
      .optional()
      .meta({ description: 'When the user was last changed, in seconds since 1970', example: 1769851800 }),
    email: z.string().optional().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
    email_verified: z.boolean().optional().meta({ description: 'Whether the address was verified', example: true }),
    phone_number: z.string().optional().meta({ description: 'Telephone number', example: '+44 20 7946 0000' }),
    phone_number_verified: z.boolean().optional().meta({ description: 'Whether the number was verified', example: false }),
  })
  .meta({ component: 'UserInfo' })

export const PushedAuthorizationRequest = z
  .object({
    request_uri: z.string().meta({
      description: 'What the browser brings as `request_uri`, beside `client_id`',
      example: 'urn:ietf:params:oauth:request_uri:pHAe1PvMUT2T6gVyRC8s3tnWd7MzSVQoQyf3lFAyjxk',
    }),
    expires_in: z.number().int().meta({ description: 'Seconds', example: 90 }),
  })
  .meta({ component: 'PushedAuthorizationRequest' })
