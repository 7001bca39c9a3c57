import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemCaller } from '../../src/access/caller.ts'
import { record } from '../../src/activity/record.ts'
import { kinds } from '../../src/cli/records/kinds.ts'
import { presentOrganisation } from '../../src/organisations/present-organisation.ts'
import { getOwnOrganisation } from '../../src/organisations/queries.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { removeUnconfirmedOrganisations } from '../../src/provisioning/remove-unconfirmed.ts'
import { describedRoutes } from '../http/described.ts'
import { allCommands, runCommand } from '../support/command.ts'
import { databaseKind, dropDatabase, freshPostgresUrl } from '../support/database.ts'
import { unique } from '../support/given.ts'
import { startTestService, type TestService } from '../support/service.ts'

interface SignedUp {
  id: string
  slug: string
  ownerId: string
}

let service: TestService
let folder: string
let databaseUrl: string | undefined
const secretKey = randomBytes(32)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-unconfirmed-'))
  databaseUrl = databaseKind() === 'postgres' ? await freshPostgresUrl() : undefined
  service = await startTestService({
    // The time is moved by more than the retention: what is cancelled stays all the same.
    environment: { SIGNUP: 'open', RATE_LIMIT: 'off', ORGANISATION_RETENTION_DAYS: '365' },
    secretKey,
    ...(databaseUrl && { engine: openPostgres(databaseUrl, { poolSize: 10 }) }),
  })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
  if (databaseUrl) await dropDatabase(databaseUrl)
})

async function signUp(): Promise<SignedUp> {
  const slug = `org-${unique()}`
  const body = { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail: `owner@${slug}.test` }
  const { status, body: created } = await service.anonymous.post('/v1/organisations', body)
  expect(status).toBe(201)
  return { id: created.organisation.id, slug, ownerId: created.owner.id }
}

const organisationIds = async () =>
  new Set((await service.database.system().selectFrom('organisations').select('id').execute()).map(({ id }) => id))

/** Lets the time of confirmation pass, and the sweep run. @returns which organisations are left */
async function afterTheSweep(): Promise<Set<string>> {
  const forgotten = await signUp()
  service.clock.advance({ days: 7, hours: 1 })
  await removeUnconfirmedOrganisations({ onUnconfirmedRemoved: () => {} }).run(service.database)
  const left = await organisationIds()
  expect(left).not.toContain(forgotten.id)
  return left
}

/** Acts of the operator upon an organisation by the system API, each with its body. */
const routes: Record<string, (organisation: SignedUp) => { path?: string; body?: object }> = {
  'DELETE /v1/system/organisations/{id}': () => ({}),
  'PATCH /v1/system/organisations/{id}/activate': () => ({}),
  'PATCH /v1/system/organisations/{id}/suspend': () => ({ body: { reason: 'Invoice overdue' } }),
  'POST /v1/system/organisations/{id}/users/{userId}/recover': () => ({ body: { passwordLink: true } }),
  'POST /v1/system/organisations/{id}/restore': () => ({}),
}
/** Those that an unconfirmed organisation, whose only user is its owner, has nothing for. */
const needAnotherUser = ['POST /v1/system/organisations/{id}/transfer-ownership', 'POST /v1/system/organisations/{id}/users/{userId}/erase']

/** The same by a command. */
const commands: Record<string, (organisation: SignedUp) => string | Promise<string>> = {
  apply: async ({ slug }) =>
    `-f ${await file(
      `${slug}.yaml`,
      `organisation: ${slug}
roles:
  support:
    name: Support
`,
    )} --yes`,
  create: ({ slug }) => `machine-to-machine ${join(folder, slug)} --organisation ${slug}`,
  'import auth0': async ({ slug }) => `${await file(`${slug}.json`, JSON.stringify([{ email: `a@${slug}.test` }]))} --organisation ${slug}`,
  'import keycloak': async ({ slug }) =>
    `${await file(`${slug}.realm.json`, '{"realm":"r","roles":{"realm":[{"name":"wiki"}]}}')} --organisation ${slug}`,
  'import users': async ({ slug }) =>
    `${await file(`${slug}.csv`, `email,firstName,lastName\na@${slug}.test,A,B\n`)} --organisation ${slug}`,
  'organisation activate': ({ slug }) => slug,
  'role create': ({ slug }) => `--organisation ${slug} --name Support --slug support`,
  'organisation delete': ({ slug }) => `${slug} --yes`,
  'organisation restore': async ({ id, slug }) => {
    await service.operator.delete(`/v1/system/organisations/${id}`)
    return slug
  },
  'organisation suspend': ({ slug }) => `${slug} --reason overdue --yes`,
  'user create': ({ slug }) => `--organisation ${slug} --email new@${slug}.test --first-name Ann --last-name Other`,
  'user password-link': ({ ownerId }) => `${ownerId} --yes`,
}
/** Commands for records: each is one call of the API, like `role create`, whose entry in the audit log confirms the organisation. */
const likeRoleCreate = Object.entries(kinds).flatMap(([word, { commands: ofKind }]) =>
  ofKind.flatMap(({ does, verb }) => (does === 'change' ? [`${word} ${verb}`] : [])),
)
/** Commands that change nothing of an unconfirmed organisation, and why. */
const changeNothing: Record<string, string> = {
  'database move': 'the whole installation',
  'database restore': 'the whole installation',
  'keys rotate': 'the whole installation',
  'migrate up': 'the whole installation',
  'secret-key rotate': 'the whole installation',
  'organisation create': 'another organisation, which did not sign up',
  'organisation import': 'another organisation, with the entry of its import',
  'user block': 'never the owner, who is the only user',
  'user unblock': 'never the owner, who is the only user',
  'user reset-mfa': 'the owner has never signed in, so there is no second factor',
  'user sessions end': 'the owner has never signed in, so there is no session',
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('an organisation that signed up and whose owner has not used the link', () => {
  it('is removed after seven days, and the log says so', async () => {
    const { id, slug } = await signUp()

    service.clock.advance({ days: 7, hours: 1 })
    // A sweep that began before that, and ended after it, has found nothing: the next one comes later.
    const isThere = async () => {
      service.clock.advance({ hours: 1 })
      return (await organisationIds()).has(id)
    }
    await expect.poll(isThere, { interval: 1_000 }).toBe(false)

    // The log says so once it is done.
    const removals = () => service.logLines.map((line) => JSON.parse(line)).filter(({ organisationId }) => organisationId === id)
    await expect.poll(removals).toMatchObject([{ slug, msg: 'removed an organisation that was never confirmed' }])
  })

  it('and cannot be removed holds no other one up', async () => {
    const [stuck, other] = [await signUp(), await signUp()]
    const asOwner = (text: string) => service.engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner('create table stays (id text references organisations (id))')
    await asOwner(`insert into stays values ('${stuck.id}')`)
    service.clock.advance({ days: 7, hours: 1 })

    const sweep = removeUnconfirmedOrganisations({ onUnconfirmedRemoved: () => {} })
    await expect(sweep.run(service.database)).rejects.toThrow(`the unconfirmed organisation ${stuck.id} cannot be removed`)
    expect(await organisationIds()).not.toContain(other.id)
    await asOwner('drop table stays')
    await sweep.run(service.database)
    expect(await organisationIds()).not.toContain(stuck.id)
  })

  it('is removed whatever the operator has done with the whole installation', async () => {
    const { id } = await signUp()
    const created = await service.operator.post('/v1/system/permissions', {
      slug: 'moons:read',
      name: 'Read moons',
      description: 'All',
      category: 'custom',
    })
    const deleted = await service.operator.delete(`/v1/system/permissions/${created.body.id}`)
    const rotated = await service.operator.post('/v1/system/signing-keys/rotate', {})
    expect([created, deleted, rotated]).toMatchObject([{ status: 201 }, { status: 204 }, { status: 200 }])

    expect(await afterTheSweep()).not.toContain(id)
  })

  it.runIf(databaseKind() === 'postgres')('stays when the operator is doing something to it at this moment', async () => {
    const { id } = await signUp()
    service.clock.advance({ days: 7, hours: 1 })
    const sweep = removeUnconfirmedOrganisations({ onUnconfirmedRemoved: () => {} })

    await service.database.transaction(id, async (tenant) => {
      const organisation = presentOrganisation(await getOwnOrganisation(tenant))
      await record(tenant, systemCaller(id, 'cli').actor, { action: 'organisation.exported', organisation })
      await sweep.run(service.database)
    })
    await sweep.run(service.database)

    expect(await organisationIds()).toContain(id)
  })

  it('stays when the operator has done anything to it by the system API', async () => {
    const all = (await describedRoutes(service.anonymous)).filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/v1/system/organisations/{id}'),
    )
    expect(all.map(({ name }) => name).sort()).toEqual([...Object.keys(routes), ...needAnotherUser].sort())
    const acted: Record<string, string> = {}
    for (const { name, method, path } of all) {
      const act = routes[name]
      if (!act) continue
      const organisation = await signUp()
      if (path.endsWith('/restore')) await service.operator.delete(`/v1/system/organisations/${organisation.id}`)
      const { body } = act(organisation)
      const filled = path.replace('{id}', organisation.id).replace('{userId}', organisation.ownerId)
      expect([name, (await service.operator.request(method, filled, { body })).status]).toEqual([
        name,
        expect.toSatisfy((status) => status < 300),
      ])
      acted[name] = organisation.id
    }
    const activated = acted['PATCH /v1/system/organisations/{id}/activate'] as string
    await service.operator.patch(`/v1/system/organisations/${activated}/suspend`, { reason: 'Invoice overdue' })

    const left = await afterTheSweep()

    expect(Object.entries(acted).filter(([, id]) => !left.has(id))).toEqual([])
  })

  it('stays when it has a user besides its owner', async () => {
    const { id } = await signUp()
    // As by a release that left no entry.
    await service.database.tenant(id).insertInto('users').values(anotherUser(id)).execute()

    expect(await afterTheSweep()).toContain(id)
  })

  it.runIf(databaseKind() === 'postgres')('stays when the operator has done anything to it by a command', async () => {
    const changing = (await allCommands()).filter(({ command }) => command.options.some(({ long }) => long === '--dry-run'))
    const known = new Set([...Object.keys(commands), ...likeRoleCreate, ...Object.keys(changeNothing)])
    expect(changing.map(({ words }) => words).sort()).toEqual([...known].sort())
    const environment = { DATABASE_URL: databaseUrl as string, DATA_DIR: join(folder, 'data'), SECRET_KEY: secretKey.toString('base64') }
    const acted: Record<string, string> = {}
    for (const [words, lineOf] of Object.entries(commands)) {
      const organisation = await signUp()
      const result = await runCommand(environment, `${words} ${await lineOf(organisation)}`)
      expect([words, result]).toMatchObject([words, { status: 0 }])
      acted[words] = organisation.id
    }

    const left = await afterTheSweep()

    expect(Object.entries(acted).filter(([, id]) => !left.has(id))).toEqual([])
  })
})

function anotherUser(organisationId: string) {
  const now = service.clock.now()
  const email = `other-${unique()}@example.test`
  return { organisationId, id: `usr_${unique()}`, email, firstName: 'A', lastName: 'B', createdAt: now, updatedAt: now }
}
