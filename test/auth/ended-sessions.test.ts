import { describe, expect, it } from 'vitest'
import { removeEndedSessions } from '../../src/sessions/remove-ended-sessions.ts'
import type { SignedInUser } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const ninetyDays = 90 * 86_400

/** A user whose session lasts for ninety days, unless the settings say otherwise, and the id of that session. */
async function signedIn(settings: object = {}): Promise<{ user: SignedInUser; id: string }> {
  const { owner } = await service().given.organisation()
  const changes = { sessionLifetime: ninetyDays, sessionIdleTimeout: ninetyDays, ...settings }
  expect(await owner.patch('/v1/admin/organisation', changes)).toMatchObject({ status: 200 })
  const user = await service().given.signIn(owner.email)
  const { data } = (await user.get('/v1/me/sessions')).body
  return { user, id: data.find(({ current }: { current: boolean }) => current).id }
}

/** Which of the sessions are stored once the task has run. */
async function stored(...ids: string[]): Promise<string[]> {
  await removeEndedSessions.run(service().database)
  const rows = await service().database.system().selectFrom('sessions').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id).sort()
}

describe('a session that could last for ninety days', () => {
  const ends: Record<string, { settings?: object; end?: (user: SignedInUser) => Promise<unknown> }> = {
    'its user has signed out': { end: (user) => user.post('/v1/auth/logout') },
    'its user has ended it from another one': { end: async ({ email }) => (await service().given.signIn(email)).delete('/v1/me/sessions') },
    'it was idle for too long': { settings: { sessionIdleTimeout: 60 } },
    'it has expired': { settings: { sessionLifetime: 60 } },
  }
  it.each(Object.entries(ends))('is removed a day after %s', async (_, { settings, end }) => {
    const [stays, ended] = [await signedIn(), await signedIn(settings)]
    await service().settled()
    await end?.(ended.user)
    service().clock.advance({ minutes: 2 })
    expect((await ended.user.get('/v1/me/profile')).status).toBe(401)

    service().clock.advance({ hours: 23 })
    expect(await stored(stays.id, ended.id)).toEqual([stays.id, ended.id].sort())
    service().clock.advance({ hours: 1 })
    expect(await stored(stays.id, ended.id)).toEqual([stays.id])
    expect((await stays.user.get('/v1/me/profile')).status).toBe(200)
  })
})

describe('a session with the shortest idle timeout', () => {
  it('lasts for as long as it is used, and ends a minute after that', async () => {
    const { user } = await signedIn({ sessionIdleTimeout: 60 })
    const used = async () => {
      const { status } = await user.get('/v1/me/profile')
      await service().settled()
      return status
    }
    for (const second of Array.from({ length: 9 }, (_, index) => (index + 1) * 20)) {
      service().clock.advance({ seconds: 20 })
      expect({ second, status: await used() }).toEqual({ second, status: 200 })
    }

    service().clock.advance({ seconds: 61 })
    expect(await used()).toBe(401)
  })
})
