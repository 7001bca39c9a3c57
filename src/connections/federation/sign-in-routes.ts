/** /v1/auth/identify, and POST /v1/me/identities */
import { publicAccess, self } from '../../access/declarations.ts'
import type { ProofDependencies } from '../../access/require-fresh.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { type Identifying, identify } from './identify.ts'
import { startLink } from './link-token.ts'
import { Identification, Identified, NewIdentityLink, recentSignInOrConnection, StartedLink } from './sign-in-schemas.ts'
import type { Federation } from './start.ts'

export const identifyRoutes = defineRoutes('/v1/auth/identify', async (app, dependencies: Identifying) => {
  app.post(
    '/',
    {
      config: { access: publicAccess(), refuses: ['too-many-requests'] },
      schema: {
        operationId: 'identify',
        summary: 'Ask how an address can sign in',
        description: 'Only the domain of the address decides: the response is the same whether or not there is such an account.',
        body: Identification,
        response: { 200: Identified },
      },
    },
    ({ body, ip }) => identify(dependencies, body, ip),
  )
})

export const identityLinkRoutes = defineRoutes('/v1/me/identities', async (app, dependencies: Federation & ProofDependencies) => {
  app.post(
    '/',
    {
      config: { access: self(), refuses: ['forbidden', 'not-found'] },
      schema: {
        operationId: 'startIdentityLink',
        summary: 'Begin to link an account at an identity provider',
        description:
          'Needs a sign-in within the last fifteen minutes. The account is linked once you have signed in there in this browser. If your domain requires single sign-on, you can link only its connection.',
        body: NewIdentityLink,
        response: { 200: StartedLink, ...recentSignInOrConnection },
      },
    },
    ({ caller, body }) => startLink(dependencies, caller, body),
  )
})
