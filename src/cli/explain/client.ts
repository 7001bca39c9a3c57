import type { AuthorizationCheck } from '../../users/authorization-schemas.ts'
import { checkAuthorization } from '../../users/explain-authorization.ts'
import { demandsOf } from '../../users/explain-permissions.ts'
import type { CommonOptions } from '../add-command.ts'
import { refuseForeignClient } from '../known-names.ts'
import { fieldsOf, show } from '../output.ts'
import { getUser } from '../user/get-user.ts'
import { withServices } from '../with-services.ts'

interface ClientOptions extends CommonOptions {
  scope?: string
  resource?: string
}

export const explainClient = (clientId: string, emailOrId: string, { scope, resource, ...options }: ClientOptions) =>
  withServices(options, async ({ services }) => {
    const { userId, organisationId, email } = await getUser(services.database, emailOrId)
    await refuseForeignClient(services.database, clientId, { organisationId, email })
    const asked = { userId, clientId, scope, resource }
    const check = await checkAuthorization(services, organisationId, asked, demandsOf(services))
    show(options, check, textOf(email, check))
  })

function textOf(email: string, check: AuthorizationCheck): string {
  const { clientId, allowed, scope, asksConsent, accessToken, idToken, refreshToken, refusals, blockedBy, ignored } = check
  return [
    `${clientId} would ${allowed ? '' : 'not '}be issued tokens for ${email}`,
    ...refusals.map(({ endpoint, error, description, check, expected, received }) => {
      const difference = expected === null ? '' : `: expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`
      return `  refused by ${endpoint}, ${error}: ${description} (${check}${difference})`
    }),
    ...blockedBy.map((blocker) => `  in the way: ${blocker}`),
    ...ignored.map((name) => `  ${name} has no effect`),
    ...(refusals.length > 0 ? [] : [`scope: ${scope.join(' ') || 'none'}`]),
    ...(asksConsent ? ['the user is asked for consent first'] : []),
    ...(refreshToken ? ['with a refresh token'] : []),
    ...(accessToken ? ['', 'access token', fieldsOf(accessToken)] : []),
    ...(idToken ? ['', 'ID token', fieldsOf(idToken)] : []),
  ].join('\n')
}
