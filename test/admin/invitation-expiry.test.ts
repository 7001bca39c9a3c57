import { describe, expect, it } from 'vitest'
import { markExpiredInvitations } from '../../src/invitations/expire-invitations.ts'
import type { TestOrganisation } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'

// Its own file, since it moves the clock of the service.
const service = useService({ ofItsOwn: true })

/** An organisation with an invitation that expired yesterday. The owner has signed in again since. */
async function givenExpired() {
  const organisation = await service().given.organisation()
  const invitation = await invite(service(), organisation.owner, { expiresInDays: 1 })
  service().clock.advance({ days: 2 })
  return { organisation, invitation, owner: await service().given.signIn(organisation.owner.email) }
}

const storedStatuses = async ({ id }: TestOrganisation) =>
  (await service().database.tenant(id).selectFrom('invitations').select('status').orderBy('id').execute()).map(({ status }) => status)

describe('an expired invitation', () => {
  it('is shown as expired at once, before the task has marked it', async () => {
    const { owner, invitation } = await givenExpired()

    expect((await owner.get('/v1/admin/invitations')).body.data).toMatchObject([{ id: invitation.id, status: 'expired' }])
    expect((await owner.get(`/v1/admin/invitations/${invitation.id}`)).body.status).toBe('expired')
  })

  it('is found by status=expired from that moment on, and by no other status', async () => {
    const { owner, invitation } = await givenExpired()
    const pending = await invite(service(), owner)
    const accepted = await invite(service(), owner)
    await service().anonymous.post('/v1/auth/invitations/accept', acceptance(accepted.token))
    const found = async (query: string): Promise<string[]> => {
      const { body } = await owner.get(`/v1/admin/invitations?${query}`)
      expect(body.total).toBe(body.data.length)
      return body.data.map(({ id }: { id: string }) => id)
    }

    for (const _ of ['before the task has marked it', 'afterwards']) {
      expect(await found('status=expired')).toEqual([invitation.id])
      expect(await found('status=pending')).toEqual([pending.id])
      expect(await found('status=accepted&sort=-email&limit=5')).toEqual([accepted.id])
      expect(await found(`status=pending&q=${encodeURIComponent(pending.email)}`)).toEqual([pending.id])
      expect(await found(`status=pending&q=${encodeURIComponent(invitation.email)}`)).toEqual([])
      await markExpiredInvitations.run(service().database)
    }
    expect((await owner.get('/v1/admin/invitations?status=cancelled')).status).toBe(400)
    const other = await service().given.organisation()
    expect((await other.owner.get('/v1/admin/invitations?status=expired')).body.total).toBe(0)
  })

  it('is marked by the task, and no other invitation is', async () => {
    const { organisation, owner } = await givenExpired()
    const pending = await invite(service(), owner)
    const accepted = await invite(service(), owner)
    await service().anonymous.post('/v1/auth/invitations/accept', acceptance(accepted.token))

    expect(await markExpiredInvitations.run(service().database)).toBe(false)

    expect(await storedStatuses(organisation)).toEqual(['expired', 'pending', 'accepted'])
    expect((await owner.get(`/v1/admin/invitations/${pending.id}`)).body.status).toBe('pending')
  })

  it('can neither be accepted, nor resent, nor cancelled', async () => {
    const { owner, invitation } = await givenExpired()

    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(invitation.token))).toMatchObject({
      status: 400,
      body: { detail: 'Invalid or expired invitation' },
    })
    expect(await owner.post(`/v1/admin/invitations/${invitation.id}/resend`)).toMatchObject({ status: 400 })
    expect(await owner.delete(`/v1/admin/invitations/${invitation.id}`)).toMatchObject({ status: 400 })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
  })

  it('does not prevent a new one to the same address', async () => {
    const { organisation, owner, invitation } = await givenExpired()

    const again = await owner.post('/v1/admin/invitations', { email: invitation.email, roleId: invitation.roleId })

    expect(again).toMatchObject({ status: 201, body: { status: 'pending' } })
    expect(await storedStatuses(organisation)).toEqual(['expired', 'pending'])
  })
})
