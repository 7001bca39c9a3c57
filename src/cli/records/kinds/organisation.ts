/** Commands for the organisation itself, its keys and its history. */
import type { RecordKind } from '../kind.ts'
import { acts, creates, updates } from './tell.ts'

export const apiKey: RecordKind = {
  word: 'api-key',
  group: 'API keys of an organisation',
  plural: 'API keys',
  names: ['name', 'prefix'],
  list: 'listApiKeys',
  get: 'getApiKey',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listApiKeys',
      summary: 'Lists the API keys of an organisation, without the keys themselves',
      columns: ['name', 'prefix', 'permissions', 'expiresAt', 'lastUsedAt', 'id'],
      examples: ['gatehouse api-key list --organisation acme'],
    },
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows an API key, without the key itself',
      examples: ['gatehouse api-key show "Nightly import" --organisation acme'],
    },
    {
      verb: 'create',
      does: 'change',
      operation: 'createApiKey',
      isNew: true,
      secret: 'key',
      summary: 'Creates an API key and prints it once; the owner of the organisation is responsible for it, and gets a mail',
      examples: ['gatehouse api-key create --organisation acme --name "Nightly import" --permission users:read users:create'],
      tell: creates,
    },
    {
      verb: 'revoke',
      does: 'change',
      operation: 'deleteApiKey',
      summary: 'Revokes an API key: it stops working with its next request',
      examples: ['gatehouse api-key revoke "Nightly import" --organisation acme --yes'],
      tell: acts('Revoked', 'revoke'),
      confirms: {
        consequences: ({ lastUsedAt }, label) => [
          `${label} is revoked: programs that use it are refused. It was last used ${lastUsedAt === null ? 'never' : String(lastUsedAt)}`,
        ],
      },
    },
  ],
}

export const audit: RecordKind = {
  word: 'audit',
  group: 'The audit log of an organisation',
  plural: 'audit entries',
  names: ['action'],
  list: 'listAuditEntries',
  get: 'getAuditEntry',
  commands: [
    {
      verb: 'list',
      does: 'list',
      operation: 'listAuditEntries',
      summary: 'Lists the audit log of an organisation, newest first, or follows it',
      columns: ['createdAt', 'action', 'actor', 'target', 'ipAddress', 'id'],
      limit: 100,
      follows: true,
      examples: [
        'gatehouse audit list --organisation acme --action user.*',
        'gatehouse audit list --organisation acme --email anna@acme.test --limit 20 --json',
      ],
    },
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows an entry of the audit log with its changes',
      examples: ['gatehouse audit show aud_01kahm3z9n4v7f2t8q6w5r1y0x --organisation acme'],
    },
  ],
}

export const organisation: RecordKind = {
  word: 'organisation',
  plural: 'organisations',
  names: ['slug'],
  list: 'listOrganisations',
  get: 'getOwnOrganisation',
  isOrganisation: true,
  commands: [
    {
      verb: 'show',
      does: 'show',
      summary: 'Shows an organisation with its settings',
      examples: ['gatehouse organisation show acme'],
    },
    {
      verb: 'update',
      does: 'change',
      operation: 'updateOwnOrganisation',
      summary: 'Changes the settings of an organisation',
      examples: ['gatehouse organisation update acme --website https://www.acme.test'],
      tell: updates,
    },
  ],
}
