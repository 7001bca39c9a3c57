import { describe, expect, it } from 'vitest'
import { removeExpiredRequests } from '../../src/connections/remove-expired-requests.ts'
import { secondsAfter } from '../../src/platform/clock.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('sign-ins under way at an identity provider', () => {
  it('are removed once they have expired', async () => {
    const { id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const { now } = tenant
    await tenant
      .insertInto('connections')
      .values({
        ...{ id: `con_${id}`, slug: 'acme', name: 'Acme', type: 'oidc', provider: 'oidc' },
        ...{ configuration: '{}', createdAt: now, updatedAt: now },
      })
      .execute()
    const request = { connectionId: `con_${id}`, purpose: 'sign_in', verifierEncrypted: 'v', browserHash: 'b', returnTo: '/' } as const
    await tenant
      .insertInto('federationRequests')
      .values([
        { ...request, stateHash: 'open', expiresAt: secondsAfter(now, 600) },
        { ...request, stateHash: 'used', expiresAt: secondsAfter(now, 600), usedAt: now },
        { ...request, stateHash: 'expired', expiresAt: secondsAfter(now, -1) },
      ])
      .execute()

    await removeExpiredRequests.run(service().database)

    const left = await tenant.selectFrom('federationRequests').select('stateHash').orderBy('stateHash').execute()
    expect(left.map(({ stateHash }) => stateHash)).toEqual(['open', 'used'])
  })
})
