/** Commands for applications, and for the APIs that they use. */
import { counted } from '../../../platform/text.ts'
import type { RecordKind } from '../kind.ts'
import { acts, creates, deletes, numberOf, updates } from './tell.ts'

export const client: RecordKind = {
  word: 'client',
  group: 'Applications of an organisation (OAuth clients)',
  plural: 'applications',
  names: ['name'],
  list: 'listClients',
  get: 'getClient',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listClients',
      summary: 'Lists the applications of an organisation',
      columns: ['name', 'clientType', 'isActive', 'lastUsedAt', 'clientId'],
      examples: ['gatehouse client list --organisation acme'],
    },
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows an application',
      examples: ['gatehouse client show Portal --organisation acme'],
    },
    {
      verb: 'create',
      does: 'change',
      operation: 'createClient',
      isNew: true,
      secret: 'clientSecret',
      summary: 'Registers an application, and prints its secret once',
      examples: [
        'gatehouse client create --organisation acme --name Shop --client-type confidential --redirect-uri https://shop.acme.test/callback',
      ],
      tell: creates,
    },
    {
      verb: 'update',
      does: 'change',
      operation: 'updateClient',
      summary: 'Changes an application; a list replaces the current one',
      examples: [
        'gatehouse client update Shop --organisation acme --redirect-uri https://shop.acme.test/callback https://staging.acme.test/callback',
      ],
      tell: updates,
    },
    {
      verb: 'rotate-secret',
      does: 'change',
      operation: 'rotateClientSecret',
      secret: 'clientSecret',
      summary: 'Gives an application a new secret, which is printed once',
      examples: ['gatehouse client rotate-secret Shop --organisation acme --grace-period-seconds 3600'],
      tell: (label) => ({ done: `${label} has a new secret`, would: `give ${label} a new secret` }),
    },
    {
      verb: 'deactivate',
      does: 'change',
      operation: 'revokeClient',
      summary: 'Deactivates an application: it gets no more tokens, and its tokens stop working',
      examples: ['gatehouse client deactivate Shop --organisation acme --reason "Secret found in a log"'],
      tell: acts('Deactivated', 'deactivate'),
    },
    {
      verb: 'activate',
      does: 'change',
      operation: 'activateClient',
      summary: 'Activates an application that was deactivated',
      examples: ['gatehouse client activate Shop --organisation acme'],
      tell: acts('Activated', 'activate'),
    },
    {
      verb: 'delete',
      does: 'change',
      operation: 'deleteClient',
      summary: 'Deletes an application and revokes everything issued to it',
      examples: ['gatehouse client delete Shop --organisation acme --yes'],
      tell: deletes,
      confirms: {
        impact: { operation: 'getClientImpact' },
        consequences: (_, label, impact) => [
          `${label} is deleted with ${counted(numberOf(impact, 'refreshTokens'), 'refresh token')} and ${counted(numberOf(impact, 'consents'), 'consent')}: ${counted(numberOf(impact, 'users'), 'user')} can no longer use it`,
        ],
      },
    },
  ],
}

export const registrationToken: RecordKind = {
  word: 'registration-token',
  group: 'Tokens by which programs register clients themselves',
  plural: 'registration tokens',
  names: ['name'],
  list: 'listRegistrationTokens',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listRegistrationTokens',
      summary: 'Lists the registration tokens of an organisation, without the tokens themselves',
      columns: ['name', 'uses', 'maxUses', 'lastUsedAt', 'expiresAt', 'id'],
      examples: ['gatehouse registration-token list --organisation acme'],
    },
    {
      verb: 'create',
      does: 'change',
      operation: 'createRegistrationToken',
      isNew: true,
      secret: 'token',
      summary: 'Creates a token by which programs register clients in an organisation themselves, and prints it once',
      examples: ['gatehouse registration-token create --organisation acme --name Previews --max-uses 10'],
      tell: creates,
    },
    {
      verb: 'end',
      does: 'change',
      operation: 'endRegistrationToken',
      summary: 'Ends a registration token: it registers no client any more',
      examples: ['gatehouse registration-token end Previews --organisation acme --yes'],
      tell: acts('Ended', 'end'),
      confirms: { consequences: (_, label) => [`${label} registers no client any more; clients that were registered by it stay`] },
    },
  ],
}

export const resourceServer: RecordKind = {
  word: 'resource-server',
  group: 'APIs that access tokens are issued for',
  plural: 'resource servers',
  names: ['identifier', 'name'],
  list: 'listResourceServers',
  get: 'getResourceServer',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listResourceServers',
      summary: 'Lists the APIs that access tokens of an organisation are issued for',
      columns: ['name', 'identifier', 'isActive', 'id'],
      examples: ['gatehouse resource-server list --organisation acme'],
    },
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows a resource server with its scopes',
      examples: ['gatehouse resource-server show https://api.acme.test/orders --organisation acme'],
    },
    {
      verb: 'create',
      does: 'change',
      operation: 'createResourceServer',
      isNew: true,
      summary: 'Registers a resource server; its scopes come in a file, and clients get tokens for it once they may ask for it',
      examples: ['gatehouse resource-server create --organisation acme --name Orders --identifier https://api.acme.test/orders'],
      tell: creates,
    },
    {
      verb: 'update',
      does: 'change',
      operation: 'updateResourceServer',
      summary: 'Changes a resource server; switching it off ends its access tokens for good',
      examples: ['gatehouse resource-server update https://api.acme.test/orders --organisation acme --access-token-lifetime 600'],
      tell: updates,
    },
    {
      verb: 'delete',
      does: 'change',
      operation: 'deleteResourceServer',
      summary: 'Deletes a resource server and ends its access tokens',
      examples: ['gatehouse resource-server delete https://api.acme.test/orders --organisation acme --yes'],
      tell: deletes,
      confirms: {
        consequences: (_, label) => [`${label} is deleted: its access tokens end, and no client may ask for it any more`],
      },
    },
  ],
}

export const resourceAuthorizationServer: RecordKind = {
  word: 'resource-authorization-server',
  group: 'Authorization servers of other companies that take identity assertions',
  plural: 'resource authorization servers',
  names: ['issuer', 'name'],
  list: 'listResourceAuthorizationServers',
  get: 'getResourceAuthorizationServer',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listResourceAuthorizationServers',
      summary: 'Lists the authorization servers of other companies that take identity assertions of an organisation',
      columns: ['name', 'issuer', 'isActive', 'id'],
      examples: ['gatehouse resource-authorization-server list --organisation acme'],
    },
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows a resource authorization server with its resources and grants',
      examples: ['gatehouse resource-authorization-server show https://login.books.test --organisation acme'],
    },
    {
      verb: 'create',
      does: 'change',
      operation: 'createResourceAuthorizationServer',
      isNew: true,
      summary: 'Registers a resource authorization server; its resources and grants come in a file',
      examples: [
        'gatehouse resource-authorization-server create --organisation acme --name Books --issuer https://login.books.test --audience-client Portal',
      ],
      tell: creates,
    },
    {
      verb: 'update',
      does: 'change',
      operation: 'updateResourceAuthorizationServer',
      summary: 'Changes a resource authorization server; assertions that were issued before stay valid for their few minutes',
      examples: ['gatehouse resource-authorization-server update https://login.books.test --organisation acme --required-acr aal2'],
      tell: updates,
    },
    {
      verb: 'delete',
      does: 'change',
      operation: 'deleteResourceAuthorizationServer',
      summary: 'Deletes a resource authorization server with its grants',
      examples: ['gatehouse resource-authorization-server delete https://login.books.test --organisation acme --yes'],
      tell: deletes,
      confirms: {
        consequences: (_, label) => [`${label} is deleted with its grants: no client gets an assertion for it any more`],
      },
    },
  ],
}
