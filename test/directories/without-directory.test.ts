import { describe, expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { givenDirectory, person } from '../support/directories.ts'
import { givenApplication } from '../support/oauth.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService } from '../support/service.ts'

describe('an organisation without a directory', () => {
  it('costs the statements that it costs with one, and its sign-ins and tokens none of directories', async () => {
    const engine = recordingEngine(await freshEngine())
    const service = await startTestService({ engine })
    try {
      const during = async (work: () => Promise<unknown>): Promise<string[]> => {
        await service.settled()
        engine.statements.length = 0
        await work()
        return engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
      }
      const measured = async (hasDirectory: boolean) => {
        const app = await givenApplication(service, { requireConsent: false })
        const { organisation } = app
        const { owner } = organisation
        const user = await service.given.user(owner)
        if (hasDirectory) {
          const { scim, address } = await givenDirectory(service, { organisation })
          expect((await scim.post('/Users', person(address()))).status).toBe(201)
        }
        const role = await service.given.role(owner)
        const { body: team } = await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })
        const { access_token, refresh_token } = await app.signIn({ scope: 'openid offline_access' })
        const path = `/v1/admin/users/${user.id}`
        return {
          signIn: await during(() => service.given.signIn(user.email)),
          session: await during(() => owner.get('/v1/auth/csrf')),
          profile: await during(() => owner.get('/v1/me/profile')),
          refresh: await during(() => app.refresh(refresh_token)),
          introspect: await during(() => app.introspect(access_token)),
          userInfo: await during(() => app.userInfo(access_token)),
          listUsers: await during(() => owner.get('/v1/admin/users?limit=20')),
          readUser: await during(() => owner.get(path)),
          changeUser: await during(() => owner.patch(path, { firstName: 'Other' })),
          assignRole: await during(() => owner.post(`${path}/roles`, { roleId: role.id })),
          joinTeam: await during(() => owner.post(`/v1/admin/teams/${team.id}/members`, { userId: user.id })),
          leaveTeam: await during(() => owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: user.id })),
          createUser: await during(() => service.given.user(owner)),
          block: await during(() => owner.patch(path, { blockedAt: service.clock.now().toISOString() })),
        }
      }
      // The first time, some statements prepare what later ones find.
      await measured(false)
      const without = await measured(false)
      const counts = (of: Record<string, string[]>) => Object.fromEntries(Object.entries(of).map(([name, texts]) => [name, texts.length]))
      expect(counts(without)).toEqual(counts(await measured(true)))
      const { signIn, session, profile, refresh, introspect, userInfo, listUsers } = without
      for (const text of [signIn, session, profile, refresh, introspect, userInfo, listUsers].flat())
        expect(text).not.toMatch(/\bdirector(?:ies|y_\w+)\b/)
    } finally {
      await service.stop()
    }
  })
})
