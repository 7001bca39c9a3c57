import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRoutes } from '../http/described.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
let unknown: Seen[]
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  // How often each may be asked for is told by tests of its own.
  service = await startTestService({ engine, environment: { RATE_LIMIT: 'off', SIGNUP: 'open' } })
  await anOrganisation()
  unknown = await seenOf(() => `nobody-${unique()}@example.test`)
})
afterAll(() => service?.stop())

const anOrganisation = async () => {
  const organisation = await service.given.organisation()
  await organisation.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
  return organisation
}

/** Sends the form of a page. */
const onPage =
  (path: string, fields: Record<string, string> = {}) =>
  async (email: string) =>
    new PageVisitor(service.origin).submit(path, { email, ...fields })

/** What a stranger can ask with an address. */
const questions: Record<string, (email: string) => Promise<Answer>> = {
  'POST /v1/auth/login': (email) => service.anonymous.post('/v1/auth/login', { email, password: 'a wrong one' }),
  'POST /v1/auth/email-code': (email) => service.anonymous.post('/v1/auth/email-code', { email }),
  'POST /v1/auth/identify': (email) => service.anonymous.post('/v1/auth/identify', { email }),
  'POST /v1/auth/password/forgot': (email) => service.anonymous.post('/v1/auth/password/forgot', { email }),
  '/login': onPage('/login', { password: 'a wrong one' }),
  '/login/email': onPage('/login/email'),
  '/login/sso': onPage('/login/sso'),
  '/password/forgot': onPage('/password/forgot'),
}

interface Seen {
  question: string
  status: number
  headers: string[]
  body: string
  statements: string[]
}

/** Without what differs between any two responses, and the address. */
const withoutValues = (text: string, email: string) =>
  [email, encodeURIComponent(email)]
    .reduce((left, form) => left.replaceAll(form, '<address>'), text)
    .replace(/"(flowToken|requestId)":"[^"]*"/g, '"$1":""')
    .replace(/(name="(form|flow)Token" value|nonce)="[^"]*"/g, '$1=""')
    .replace(/&quot;challenge&quot;:&quot;[^&]*/g, '')
    .replace(/req_\w+/g, '')

const valuesThatDiffer = new Set(['date', 'x-request-id', 'content-length', 'set-cookie', 'location'])

async function seenOf(addressOf: () => string): Promise<Seen[]> {
  const seen: Seen[] = []
  for (const [question, ask] of Object.entries(questions)) {
    const email = addressOf()
    // A link that was mailed just now is mailed again, by another statement in place of one.
    service.clock.advance({ minutes: 11 })
    await service.settled()
    engine.statements.length = 0
    const { status, headers, body } = await ask(email)
    await service.settled()
    const statements = engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
    seen.push({
      question,
      status,
      headers: [...headers].map(([name, value]) => (valuesThatDiffer.has(name) ? name : `${name}: ${value}`)),
      body: withoutValues(typeof body === 'string' ? body : JSON.stringify(body), email),
      statements,
    })
  }
  return seen
}

/** Users of all kinds: by their addresses. */
const users: Record<string, (organisation: TestOrganisation) => Promise<string>> = {
  'an owner': async ({ owner }) => owner.email,
  'a user with a password': async ({ owner }) => (await service.given.user(owner)).email,
  'a user without a password': async ({ owner }) => (await service.given.user(owner, { password: undefined })).email,
  async 'a user with a second factor'({ owner }) {
    const { email } = await service.given.user(owner)
    await enrolAuthenticator(await service.given.signIn(email), service.clock)
    return email
  },
  async 'a blocked user'({ owner }) {
    const { id, email } = await service.given.user(owner)
    const blockedAt = service.clock.now().toISOString()
    expect(await owner.patch(`/v1/admin/users/${id}`, { blockedAt })).toMatchObject({ status: 200 })
    return email
  },
  async 'a deleted user'({ owner }) {
    const { id, email } = await service.given.user(owner)
    expect(await owner.delete(`/v1/admin/users/${id}`)).toMatchObject({ status: 204 })
    return email
  },
  async 'an invited person'({ owner }) {
    const email = `invited-${unique()}@example.test`
    const { id: roleId } = await service.given.role(owner)
    expect(await owner.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
    return email
  },
  async 'the owner of a sign-up'() {
    const [slug, ownerEmail] = [`org-${unique()}`, `founder-${unique()}@example.test`]
    const body = { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail }
    expect(await service.anonymous.post('/v1/organisations', body)).toMatchObject({ status: 201 })
    return ownerEmail
  },
  async 'a user of a suspended organisation'({ id, owner }) {
    const { email } = await service.given.user(owner)
    const suspended = await service.operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
    expect(suspended).toMatchObject({ status: 200 })
    return email
  },
  async 'a user of a cancelled organisation'({ id, owner }) {
    const { email } = await service.given.user(owner)
    expect(await service.operator.delete(`/v1/system/organisations/${id}`)).toMatchObject({ status: 204 })
    return email
  },
}

describe('whether an address belongs to a user', () => {
  it.each(Object.keys(users))('is not told by any response to a stranger, nor by the work that it takes: %s', async (kind) => {
    const email = (await users[kind]?.(await anOrganisation())) ?? ''
    expect(await seenOf(() => email)).toEqual(unknown)
  })

  it('is asked by every route that takes the address of a stranger', async () => {
    const open = (await describedRoutes(service.anonymous)).filter(({ path, operation }) => {
      const isOpen = (operation.security ?? []).every((scheme) => Object.keys(scheme).length === 0)
      return isOpen && path.startsWith('/v1/') && JSON.stringify(operation.requestBody ?? {}).includes('"email":')
    })
    const ofContract = { 'POST /v1/organisations': '409 for the address of a user, as for a slug that is taken; limited' }
    const asked = Object.keys(questions).filter((question) => question.startsWith('POST '))
    expect(open.map(({ name }) => name).sort()).toEqual([...asked, ...Object.keys(ofContract)].sort())
  })
})
