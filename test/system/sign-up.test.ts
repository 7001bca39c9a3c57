import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { SIGNUP: 'open', TRUST_PROXY: '127.0.0.1' } })
const password = 'a long enough secret'

/** A caller from an address that no other test uses. */
const elsewhere = () => service().anonymous.with({ 'x-forwarded-for': `198.51.${byte()}.${byte()}` })
const byte = () => Number.parseInt(unique().slice(0, 2), 16)

const application = (fields: Record<string, unknown> = {}) => {
  const slug = `org-${unique()}`
  return { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail: `owner@${slug}.test`, ...fields }
}
const signUp = (by: HttpClient, fields: Record<string, unknown> = {}) => by.post('/v1/organisations', application(fields))
const confirm = (token: string) => service().anonymous.post('/v1/auth/password/reset', { token, password })
const signIn = (email: string) => service().anonymous.post('/v1/auth/login', { email, password })
const statusOf = async (id: string) => (await service().operator.get(`/v1/system/organisations/${id}`)).status

describe('a sign-up', () => {
  it('creates a trial organisation, whose owner confirms the address by the mailed link and signs in', async () => {
    const input = application({ ownerFirstName: 'Hank', ownerLastName: 'Scorpio' })

    const created = await elsewhere().post('/v1/organisations', input)

    expect(created).toMatchObject({
      status: 201,
      body: { organisation: { slug: input.slug, status: 'trial' }, owner: { email: input.ownerEmail, name: 'Hank Scorpio' } },
    })
    const token = await service().mailbox.tokenTo(input.ownerEmail)
    expect(await signIn(input.ownerEmail)).toMatchObject({ status: 401 })
    expect(await confirm(token)).toMatchObject({ status: 200 })
    expect(await signIn(input.ownerEmail)).toMatchObject({ status: 200, body: { user: { email: input.ownerEmail } } })
    const owner = await service().given.signIn(input.ownerEmail, password)
    expect((await owner.get('/v1/me/profile')).body).toMatchObject({ email: input.ownerEmail, emailVerified: true })
  })

  it('writes an audit entry without an actor', async () => {
    const input = application()
    const created = await elsewhere().post('/v1/organisations', input)
    await confirm(await service().mailbox.tokenTo(input.ownerEmail))
    const owner = await service().given.signIn(input.ownerEmail, password)

    const { data } = (await owner.get('/v1/admin/audit-logs?action=organisation.created')).body

    expect(data).toMatchObject([
      { actorType: 'user', actorId: null, targetId: created.body.organisation.id, ipAddress: expect.stringMatching(/^198\.51\./) },
    ])
  })

  it('mails no text that the stranger has written', async () => {
    const ownerEmail = `victim-${unique()}@example.test`
    await signUp(elsewhere(), { name: `Buy gold ${unique()}`, ownerEmail, ownerFirstName: 'Buy', ownerLastName: 'gold now' })

    const { subject, text, html } = await service().mailbox.mailTo(ownerEmail)

    for (const part of [subject, text, html]) expect(part).not.toMatch(/gold/i)
    expect(text).toContain('http://gatehouse.test/password/reset?token=')
  })

  it.each([
    ['en', 'Confirm your new organisation', 'Someone has set up an organisation at gatehouse.test'],
    ['de', 'Bestätigen Sie Ihre neue Organisation', 'bei gatehouse.test wurde eine Organisation angelegt'],
  ])('mails in the language of the request (%s)', async (language, subject, sentence) => {
    const input = application()
    await elsewhere().post('/v1/organisations', input, { headers: { 'accept-language': language } })

    const mail = await service().mailbox.mailTo(input.ownerEmail)

    expect(mail).toMatchObject({ language, subject })
    expect(mail.text).toContain(sentence)
  })
})

describe("the owner's address of a sign-up", () => {
  it('is reserved only once it is confirmed: others may name it too, and the first to confirm gets it', async () => {
    const ownerEmail = `shared-${unique()}@example.test`
    const first = await signUp(elsewhere(), { ownerEmail })
    const firstToken = await service().mailbox.tokenTo(ownerEmail)
    const second = await signUp(elsewhere(), { ownerEmail })
    const secondToken = await service().mailbox.tokenTo(ownerEmail)
    expect([first.status, second.status]).toEqual([201, 201])

    // The address can also still be invited, or used for a new user.
    const { owner } = await service().given.organisation()
    const { id: roleId } = await service().given.role(owner)
    const invited = await owner.post('/v1/admin/invitations', { email: ownerEmail, roleId })
    expect(invited).toMatchObject({ status: 201 })

    expect(await confirm(secondToken)).toMatchObject({ status: 200 })
    expect(await confirm(firstToken)).toMatchObject({ status: 409, body: { code: 'email-taken' } })
    expect(await signUp(elsewhere(), { ownerEmail })).toMatchObject({ status: 409, body: { code: 'email-taken' } })
    const signedIn = await service().given.signIn(ownerEmail, password)
    expect((await signedIn.get('/v1/me/profile')).body.organisation.id).toBe(second.body.organisation.id)
  })

  it('goes to one of several who confirm it at once', async () => {
    const ownerEmail = `raced-${unique()}@example.test`
    const tokens: string[] = []
    for (let n = 0; n < 3; n++) {
      await signUp(elsewhere(), { ownerEmail })
      tokens.push(await service().mailbox.tokenTo(ownerEmail))
    }

    const answers = await Promise.all(tokens.map(confirm))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const users = await service().database.system().selectFrom('users').select('id').where('email', '=', ownerEmail).execute()
    expect(users).toHaveLength(1)
  })

  it('cannot request a password link or sign in before', async () => {
    const { ownerEmail, ...input } = application()
    await elsewhere().post('/v1/organisations', { ...input, ownerEmail })
    await service().mailbox.tokenTo(ownerEmail)

    await service().anonymous.post('/v1/auth/password/forgot', { email: ownerEmail })
    await service().settled()
    // Mails are sent in order: when this one arrives, all earlier ones have been sent.
    const { owner } = await service().given.organisation()
    const { email } = await service().given.user(owner)
    await service().anonymous.post('/v1/auth/password/forgot', { email })
    await service().mailbox.tokenTo(email, 'Choose a new password')

    expect(service().mailbox.mails.filter(({ to }) => to === ownerEmail)).toHaveLength(1)
  })
})

describe('an unconfirmed organisation', () => {
  it('is removed after seven days, and its names are free again; a confirmed one stays', async () => {
    const [left, confirmed] = [application(), application()]
    const { body: forgotten } = await elsewhere().post('/v1/organisations', left)
    const { body: kept } = await elsewhere().post('/v1/organisations', confirmed)
    const token = await service().mailbox.tokenTo(left.ownerEmail)
    await confirm(await service().mailbox.tokenTo(confirmed.ownerEmail))

    service().clock.advance({ days: 6, hours: 23 })
    expect(await statusOf(forgotten.organisation.id)).toBe(200)
    service().clock.advance({ hours: 2 })
    await expect.poll(() => statusOf(forgotten.organisation.id)).toBe(404)

    expect(await statusOf(kept.organisation.id)).toBe(200)
    expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'invalid-link' } })
    expect(await elsewhere().post('/v1/organisations', left)).toMatchObject({ status: 201 })
  })
})

describe('sign-ups', () => {
  it('are five an hour for an address', async () => {
    const somewhere = elsewhere()
    for (let n = 0; n < 5; n++) expect(await signUp(somewhere)).toMatchObject({ status: 201 })
    const input = application()

    const refused = await somewhere.post('/v1/organisations', input)

    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-sign-ups' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await elsewhere().post('/v1/organisations', input)).toMatchObject({ status: 201 })
    service().clock.advance({ hours: 1, seconds: 1 })
    expect(await signUp(somewhere)).toMatchObject({ status: 201 })
  })

  it('that are refused for a taken name do not count, but those for the address of a user do', async () => {
    const somewhere = elsewhere()
    const { slug, owner } = await service().given.organisation()
    for (let n = 0; n < 6; n++) {
      expect(await signUp(somewhere, { slug })).toMatchObject({ status: 409, body: { code: 'organisation-slug-taken' } })
    }
    for (let n = 0; n < 5; n++) {
      expect(await signUp(somewhere, { ownerEmail: owner.email })).toMatchObject({ status: 409, body: { code: 'email-taken' } })
    }
    expect(await signUp(somewhere)).toMatchObject({ status: 429 })
  })

  it('mail one address five times a day, for all callers together', async () => {
    const ownerEmail = `bombed-${unique()}@example.test`
    for (let n = 0; n < 5; n++) expect(await signUp(elsewhere(), { ownerEmail })).toMatchObject({ status: 201 })

    expect(await signUp(elsewhere(), { ownerEmail })).toMatchObject({ status: 429, body: { code: 'too-many-mails-to-address' } })
  })

  it('are 200 a day in all, without a limit for the operator', async () => {
    service().clock.advance({ days: 1, seconds: 1 })
    for (let n = 0; n < 200; n += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(elsewhere())))
      for (const { status } of answers) expect(status).toBe(201)
    }

    const refused = await signUp(elsewhere())

    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-sign-ups-in-all' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    const input = application({ name: `Globex ${unique()}` })
    const created = await service().operator.post('/v1/organisations', input)
    expect(created).toMatchObject({ status: 201, body: { owner: { email: input.ownerEmail } } })
    // An organisation of the operator gets a welcome mail, reserves its address at once and is never removed as unconfirmed.
    expect((await service().mailbox.mailTo(input.ownerEmail)).subject).toBe(`Welcome to ${input.name}`)
    expect(await service().operator.post('/v1/organisations', application({ ownerEmail: input.ownerEmail }))).toMatchObject({
      status: 409,
    })
    expect(await signUp(service().anonymous.with({ authorization: 'Bearer wrong' }))).toMatchObject({
      status: 401,
      body: { code: 'invalid-system-key' },
    })
  })
})
