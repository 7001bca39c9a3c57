import { z } from 'zod'
import { RecentSignInRequired } from '../../access/schemas.ts'
import { RequiredConnection } from '../../domains/schemas.ts'
import { documentedResponse } from '../../platform/http/documented-response.ts'
import { email, text } from '../../platform/http/fields.ts'

export const Identification = z.object({
  email: email().meta({ description: 'E-mail address, with an account or without', example: 'carol@acme.test' }),
  clientId: text().optional().meta({ description: 'The application whose request is pending', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

const OfferedConnection = z.object({
  id: z.string().meta({ description: 'Identifier of the connection', example: 'con_01kahm3z9n4v7f2t8q6w5r1y14' }),
  name: z.string().meta({ description: 'Name of the connection', example: 'Acme Workforce' }),
  provider: z.string().meta({ description: 'Which identity provider it is', example: 'microsoft' }),
  startUrl: z.string().meta({
    description: 'Where the browser goes to sign in by it; `returnTo` may be added',
    example: 'https://id.example.com/federation/con_01kahm3z9n4v7f2t8q6w5r1y14/start?login_hint=carol%40acme.test',
  }),
})

export const Identified = z
  .object({
    password: z.boolean().meta({ description: 'Whether a password may sign in', example: true }),
    passkey: z.boolean().meta({ description: 'Whether a passkey may', example: true }),
    emailCode: z.boolean().meta({ description: 'Whether a code by e-mail may', example: false }),
    connections: z.array(OfferedConnection).meta({ description: 'Connections that may; that of the domain comes first' }),
    required: z.boolean().meta({ description: 'Whether only the connection of the domain may', example: false }),
  })
  .meta({ component: 'WaysToSignIn' })
export type Identified = z.infer<typeof Identified>

export const NewIdentityLink = z.object({
  connectionId: text().meta({ description: 'The connection to sign in with', example: 'con_01kahm3z9n4v7f2t8q6w5r1y14' }),
  returnTo: text().optional().meta({ description: 'A path of the service to return to; the account without it', example: '/account' }),
})

export const StartedLink = z.object({
  url: z.string().meta({
    description: 'Where the browser of this session goes, within ten minutes',
    example: 'https://id.example.com/federation/con_01kahm3z9n4v7f2t8q6w5r1y14/start?link=Jt3…',
  }),
})

/** The fields that the error handler adds. */
export const recentSignInOrConnection = {
  403: documentedResponse('Not allowed, only after a recent sign-in, or only with a connection', {
    'application/problem+json': RecentSignInRequired.extend({ connection: RequiredConnection.optional() }),
  }),
}
