import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { updateUser } from '../../src/accounts/queries.ts'
import { systemActor } from '../../src/activity/actor.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/ids.ts'
import { createOrganisationRecords } from '../../src/provisioning/create-organisation.ts'
import { type Answer, HttpClient } from './http-client.ts'
import type { Mailbox } from './mailbox.ts'
import { quickHashing } from './password-hashing.ts'

const password = 'correct horse battery'

let passwordHash: Promise<string> | undefined
const hashOfPassword = () => (passwordHash ??= quickHashing.hash(password))

/** A signed-in user. */
export class SignedInUser extends HttpClient {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly cookie: string
  readonly csrfToken: string
  readonly sessionId: string

  constructor(origin: string, login: Answer, account: { email: string; password: string }) {
    const cookie = cookieOf(login)
    super(origin, { cookie, 'x-csrf-token': login.body.csrfToken })
    this.id = login.body.user.id
    this.email = account.email
    this.password = account.password
    this.cookie = cookie
    this.csrfToken = login.body.csrfToken
    this.sessionId = login.body.session.id
  }
}

export interface TestOrganisation {
  id: string
  slug: string
  name: string
  owner: SignedInUser
}

/** Arranges tests: it creates organisations as a first start does, and everything else through the API. */
export class Given {
  readonly #anonymous: HttpClient
  readonly #mailbox: Mailbox
  readonly #database: Database

  constructor(anonymous: HttpClient, mailbox: Mailbox, database: Database) {
    this.#anonymous = anonymous
    this.#mailbox = mailbox
    this.#database = database
  }

  /** A new organisation with its owner, whose address is verified, signed in. */
  async organisation({ status = 'active' }: { status?: 'active' | 'trial' } = {}): Promise<TestOrganisation> {
    const slug = `org-${unique()}`
    const input = { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail: `owner@${slug}.test` }
    const passwordHash = await hashOfPassword()
    const id = newId('org', this.#database.clock.now())
    await this.#database.transaction(id, async (tenant) => {
      const { owner } = await createOrganisationRecords(tenant, systemActor, input, { status, passwordHash })
      await updateUser(tenant, owner.id, { emailVerifiedAt: tenant.now })
    })
    return { id, slug, name: input.name, owner: await this.signIn(input.ownerEmail) }
  }

  /** Sets a password by the newest link that was mailed to the address under this subject. */
  async setPassword(email: string, newPassword: string, subject = ''): Promise<void> {
    const token = await this.#mailbox.tokenTo(email, subject)
    expect(await this.#anonymous.post('/v1/auth/password/reset', { token, password: newPassword })).toMatchObject({ status: 200 })
  }

  async signIn(email: string, withPassword = password): Promise<SignedInUser> {
    const login = await this.#anonymous.post('/v1/auth/login', { email, password: withPassword })
    expect(login).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    return new SignedInUser(this.#anonymous.origin, login, { email, password: withPassword })
  }

  /** A role of the caller's organisation that holds these permissions. */
  async role(
    admin: HttpClient,
    { permissions = [], ...fields }: { permissions?: string[]; slug?: string; name?: string; isDefault?: boolean } = {},
  ) {
    const { body } = await admin.get('/v1/admin/permissions')
    const permissionIds = permissions.map((slug) => body.data.find((permission: { slug: string }) => permission.slug === slug).id)
    const slug = `role-${unique()}`
    const created = await admin.post('/v1/admin/roles', { name: `Role ${slug}`, slug, permissionIds, ...fields })
    expect(created).toMatchObject({ status: 201 })
    return created.body as { id: string; slug: string; name: string }
  }

  /** A user of the caller's organisation, created by them. */
  async user(admin: HttpClient, fields: Record<string, unknown> = {}) {
    const email = `user-${unique()}@example.test`
    const created = await admin.post('/v1/admin/users', { email, firstName: 'Test', lastName: 'User', password, ...fields })
    expect(created).toMatchObject({ status: 201 })
    return created.body as { id: string; email: string; name: string; roles: { id: string; slug: string }[] }
  }

  /** A signed-in user of the caller's organisation who holds exactly these permissions. */
  async userWith(admin: HttpClient, permissions: string[]): Promise<SignedInUser> {
    const role = await this.role(admin, { permissions })
    const user = await this.user(admin, { roleIds: [role.id] })
    return this.signIn(user.email)
  }
}

/** Eight characters that no other test uses. */
export const unique = () => randomBytes(4).toString('hex')

/** The session cookie that a response sets, as a request sends it. */
export function cookieOf(answer: Answer): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('svc_session='))
  if (!cookie) throw new Error('The answer sets no session cookie')
  return cookie.split(';')[0] as string
}
