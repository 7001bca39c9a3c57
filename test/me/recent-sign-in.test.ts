import { describe, expect, it } from 'vitest'
import type { UserCaller } from '../../src/access/caller.ts'
import { findSession } from '../../src/access/queries.ts'
import { requireFresh } from '../../src/access/require-fresh.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import type { SignedInUser } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUser() {
  const { owner } = await service().given.organisation()
  return service().given.userWith(owner, [])
}

/** Asks for a recent sign-in, as an operation does. @returns the refusal */
async function refusalFor(user: SignedInUser) {
  const { database } = service()
  const session = await findSession(database, hashSecret(user.cookie.replace('svc_session=', '')))
  if (!session) throw new Error('The session has ended')
  const { userId, provenAt, organisationId } = session
  return requireFresh(database, { organisationId, session: { userId, provenAt } } as UserCaller).then(
    () => undefined,
    ({ code, members }) => ({ code, ...members }),
  )
}

describe('a recent sign-in', () => {
  it('is at most fifteen minutes old', async () => {
    const user = await aUser()
    expect(await refusalFor(user)).toBeUndefined()

    service().clock.advance({ seconds: 840 })
    expect(await refusalFor(user)).toBeUndefined()

    service().clock.advance({ seconds: 61 })
    expect(await refusalFor(user)).toEqual({ code: 'recent-sign-in-required', methods: ['password'], maxAgeSeconds: 900 })
  })
})
