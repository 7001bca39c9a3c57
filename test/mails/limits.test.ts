import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { invite, mailAsMuchAsAllowed } from '../support/invite.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const someone = () => `someone-${unique()}@example.test`
const oneDay = 24 * 3_600

function expectRefusal(answer: Answer, code: string): void {
  expect(answer).toMatchObject({ status: 429, body: { code } })
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(oneDay - 600)
  expect(seconds).toBeLessThanOrEqual(oneDay)
}

describe('the mails that an organisation can cause to strangers', () => {
  it('are 200 a day while it is on trial, and refused ones leave nothing behind', async () => {
    const { owner, id } = await service().given.organisation({ status: 'trial' })
    const user = await service().given.user(owner)
    await owner.post('/v1/admin/users', { email: someone(), firstName: 'A', lastName: 'B' })
    const pending = await invite(service(), owner)
    const tenant = () => service().database.tenant(id)
    await mailAsMuchAsAllowed(service(), owner)
    const mails = await tenant().selectFrom('mails').select('id').execute()
    expect(mails).toHaveLength(200)
    const before = await owner.audit({ limit: 1 })

    const refused = [
      await owner.post('/v1/admin/invitations', { email: someone(), roleId: pending.roleId }),
      await owner.post(`/v1/admin/invitations/${pending.id}/resend`),
      await owner.post(`/v1/admin/users/${user.id}/password-reset`),
      await owner.post('/v1/admin/users', { email: someone(), firstName: 'A', lastName: 'B', password: 'a long enough secret' }),
    ]

    for (const answer of refused) expectRefusal(answer, 'too-many-mails')
    expect(await owner.audit({ limit: 1 })).toEqual(before)
    expect(await tenant().selectFrom('mails').select('id').execute()).toHaveLength(200)
    // The link that has been mailed still works.
    const accepted = { token: pending.token, firstName: 'Carol', lastName: 'Shaw', password: 'a long enough secret' }
    expect(await service().anonymous.post('/v1/auth/invitations/accept', accepted)).toMatchObject({ status: 201 })

    const other = await service().given.organisation({ status: 'trial' })
    await invite(service(), other.owner)
    await service().operator.patch(`/v1/system/organisations/${id}/activate`)
    await invite(service(), owner, { roleId: pending.roleId })
  })

  it('are five a day to one address, for all kinds and all callers together', async () => {
    const [one, two] = [await service().given.organisation(), await service().given.organisation()]
    const { id, email, roleId } = await invite(service(), one.owner)
    for (let n = 0; n < 3; n++) expect(await one.owner.post(`/v1/admin/invitations/${id}/resend`)).toMatchObject({ status: 200 })
    await invite(service(), two.owner, { email })

    expectRefusal(await one.owner.post(`/v1/admin/invitations/${id}/resend`), 'too-many-mails-to-address')
    expectRefusal(
      await two.owner.post('/v1/admin/users', { email, firstName: 'A', lastName: 'B', password: 'a long enough secret' }),
      'too-many-mails-to-address',
    )
    await invite(service(), one.owner, { roleId })

    service().clock.advance({ days: 1, seconds: 1 })
    const later = await service().given.signIn(one.owner.email)
    expect(await later.post(`/v1/admin/invitations/${id}/resend`)).toMatchObject({ status: 200 })
  })

  it('are not counted when nothing was mailed', async () => {
    const { owner } = await service().given.organisation()
    const { email, roleId } = await invite(service(), owner)
    for (let n = 0; n < 6; n++) {
      expect(await owner.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ body: { code: 'invitation-pending' } })
    }
    const { data } = (await owner.get('/v1/admin/invitations')).body

    expect(await owner.post(`/v1/admin/invitations/${data[0].id}/resend`)).toMatchObject({ status: 200 })
  })

  it('leave simultaneous creations and invitations of one address to be refused as duplicates', async () => {
    const { owner } = await service().given.organisation()
    const { roleId } = await invite(service(), owner)
    const requests = 12
    const simultaneously = (path: string, body: object) => Promise.all(Array.from({ length: requests }, () => owner.post(path, body)))
    const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

    const created = await simultaneously('/v1/admin/users', { email: someone(), firstName: 'A', lastName: 'B' })
    const invited = await simultaneously('/v1/admin/invitations', { email: someone(), roleId })

    expect(statusesOf(created)).toEqual([201, ...Array(requests - 1).fill(409)])
    expect(statusesOf(invited)).toEqual([201, ...Array(requests - 1).fill(400)])
  })

  it('do not count mails that a user requests or the operator causes', async () => {
    const { owner } = await service().given.organisation()
    const { id, email } = await service().given.user(owner)
    for (let n = 0; n < 4; n++) await owner.post(`/v1/admin/users/${id}/password-reset`)
    expect(await owner.post(`/v1/admin/users/${id}/password-reset`)).toMatchObject({ status: 429 })

    expect(await service().anonymous.post('/v1/auth/password/forgot', { email })).toMatchObject({ status: 202 })
    await service().settled()
    await service().mailbox.tokenTo(email, 'Choose a new password')
  })
})

describe('a name in a mail', () => {
  it('loses parts that look like an address, in the subject, the text and the HTML', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { name: `Prize ${unique()} https://evil.example/win` })
    await owner.patch('/v1/me/profile', { firstName: 'Eve evil.example', lastName: 'www.evil.example/a' })
    const { email } = await invite(service(), owner)
    const user = await service().given.user(owner, { firstName: 'Zoë', lastName: 'EVIL.example' })

    const mails = [await service().mailbox.mailTo(email), await service().mailbox.mailTo(user.email)]

    for (const { subject, text, html } of mails) {
      for (const part of [subject, text, html]) expect(part).not.toMatch(/evil/i)
      expect(text).toContain('http://gatehouse.test/')
    }
    expect(mails[0]?.subject).toMatch(/^Join Prize \w+$/)
    expect(mails[0]?.text).toMatch(/^Eve invites you to join Prize \w+\./m)
    expect(mails[1]?.text).toContain('Hello Zoë,')
  })
})
