import { fill, namesOf } from './names.ts'
import type { Skeleton } from './skeleton.ts'

/** A grant of the token endpoint, which gives a client a token for itself. */
export function grant(name: string): Skeleton {
  const names = namesOf(name)
  const { kebab, camel } = names
  return {
    files: { [`src/oauth/grants/${kebab}.ts`]: fill(source, names), [`test/oauth/${kebab}.test.ts`]: fill(test, names) },
    insertions: [
      { file: 'src/oauth/grants/grants.ts', before: 'import type', lines: `import { ${camel}Grant } from './${kebab}.ts'` },
      { file: 'src/oauth/grants/grants.ts', after: '  jwtBearerGrant,', lines: `  ${camel}Grant,` },
    ],
    left: [
      `src/oauth/grants/${kebab}.ts: the grant type as its document registers it, the parameters, and what is checked`,
      `test/oauth/${kebab}.test.ts: each refusal, a public client, what a diagnosis shows, the event`,
      'console/src/texts/{en,de}: its name where the compiler misses it',
      'npm run generate, then docs/oauth.md and CHANGELOG.md',
    ],
  }
}

const source = `import { issueAccessToken } from '../../tokens/issue-tokens.ts'
import { harmless, optional } from '../protocol/parameters.ts'
import { scopeForClient } from '../protocol/scope.ts'
import { defineGrant } from './grant.ts'
import { recordIssue } from './record-issue.ts'

const grantType = 'urn:gatehouse:grant:{{kebab}}'

/** The grant of {{aWords}}: a token for the client itself. */
export const {{camel}}Grant = defineGrant({
  grantType,
  forPublicClients: false,
  parameters: {
    scope: optional('scopes of the client, all of them when left out', 'reports:read', harmless),
  },
  async grant({ database, issuer }, requester, parameters) {
    const { client } = requester
    const scope = scopeForClient(parameters.scope, client.scopes)
    const { token, expiresInSeconds } = await issueAccessToken(issuer, client, undefined, scope, database.clock.now())
    if (client.hasSubscriber) {
      await database.transaction(client.organisationId, (tenant) => recordIssue(tenant, requester, { grantType, scope }))
    }
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      ...(scope.length > 0 && { scope: scope.join(' ') }),
    }
  },
})
`

const test = `import { describe, expect, it } from 'vitest'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const grantType = 'urn:gatehouse:grant:{{kebab}}'

describe('the grant of {{aWords}}', () => {
  it('issues a token for the client itself', async () => {
    const app = await givenApplication(service(), { grantTypes: [grantType], redirectUris: [], scopes: ['orders:read'] })
    expect(await app.token({ grant_type: grantType })).toMatchObject({ status: 200, body: { scope: 'orders:read' } })
  })

  it('is refused to a client that is not registered for it', async () => {
    const app = await givenApplication(service())
    expect(await app.token({ grant_type: grantType })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })
})
`
