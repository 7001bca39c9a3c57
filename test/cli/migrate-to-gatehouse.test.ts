import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { runCommand } from '../support/command.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestClock } from '../support/test-clock.ts'

const fixture = (name: string) => new URL(`migrations/${name}`, import.meta.url).pathname
// None of the hashes was made by what verifies them: by Python's hashlib, by libxcrypt, and of the test vectors of Argon2.
const password = 'Grüße aus Köln 7'

let home: ProcessHome
const gatehouse = (line: string) => runCommand(home.environment, line)
const done = async (line: string) => {
  const result = await gatehouse(`${line} --json`)
  expect(result).toMatchObject({ status: 0 })
  return JSON.parse(result.stdout)
}
const started = async () => {
  const service = await (await ServiceProcess.start(home.environment)).ready()
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  return service
}
/** What a document shows, without what differs each time. */
const settled = (text: string) => text.replaceAll(/cli_\w+/g, 'cli_…').replaceAll(/secret \S+/g, 'secret …')

/** Runs the commands of a document that come before the import itself. */
async function prepareAsDocumented(document: string, files: Record<string, string>): Promise<void> {
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(document) ?? []
  const lines = commands.trim().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const words = line.replaceAll(/\S+\.(?:nd)?json/g, (name) => fixture(files[name] ?? name))
    expect(await gatehouse(words.replace(/^gatehouse /, ''))).toMatchObject({ status: 0 })
  }
}

beforeAll(async () => {
  home = await processHome()
})
afterAll(() => home.remove())

describe('gatehouse import keycloak', () => {
  it('brings users with passwords and second factors, roles, groups, clients and identity providers', { timeout: 60_000 }, async () => {
    const document = await readFile('docs/migrating-from-keycloak.md', 'utf8')
    await prepareAsDocumented(document, { 'realm.json': 'keycloak-realm.json' })
    const file = fixture('keycloak-realm.json')
    const rehearsed = await gatehouse(`import keycloak ${file} --organisation acme --dry-run`)
    expect(rehearsed).toMatchObject({ status: 0, stderr: 'Nothing was changed: this was a dry run\n' })
    expect(await gatehouse('user find anna@keycloak.test')).toMatchObject({ status: 1 })

    const { stdout, status } = await gatehouse(`import keycloak ${file} --organisation acme`)

    expect(status).toBe(0)
    expect(settled(stdout)).toBe(settled(rehearsed.stdout))
    expect(document).toContain(settled(stdout))
    const clientId = /client orders-web is (\w+)/.exec(stdout)?.[1] ?? ''
    expect(await done('user find anna@keycloak.test')).toMatchObject({
      firstName: 'Anna',
      phone: '+49 221 1',
      createdAt: '2020-01-01T10:00:00.000Z',
      emailVerifiedAt: expect.any(String),
    })
    expect(await done('user find bo@keycloak.test')).toMatchObject({ firstName: 'bo', lastName: '-', emailVerifiedAt: null })

    const service = await started()
    const login = (email: string, typed: string) => service.anonymous.post('/v1/auth/login', { email, password: typed })
    const challenged = await login('anna@keycloak.test', password)
    expect(challenged.body).toMatchObject({ status: 'mfa_required' })
    // The bytes of Keycloak's text, in Base32.
    const code = new Authenticator('JBITEZBYOJIGWVTUGBWVS52YMM2W4QT2', new TestClock()).code()
    expect((await service.anonymous.post('/v1/auth/login/mfa', { mfaToken: challenged.body.mfaToken, code })).status).toBe(200)
    expect((await login('bo@keycloak.test', 'password')).body).toMatchObject({ status: 'authenticated' })
    expect((await login('cara@keycloak.test', 'password')).status).toBe(401)

    const token = await fetch(`${service.origin}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:3mVd0aT7qWb1Zk9xRc5nLp8sYf2uHj4e`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    expect(token.status).toBe(200)
    expect(await service.end()).toBe(0)

    const again = await done(`import keycloak ${file} --organisation acme --resume`)
    expect(again).toMatchObject({ users: { created: 0, existing: 3 }, clients: [] })
  })

  it('keeps apart what has the same slug, and says which roles and teams are here already', { timeout: 60_000 }, async () => {
    const named = (name: string, more: object) => ({ username: name, email: `${name}@clash.test`, ...more })
    const alias = (name: string) => ({ alias: name, providerId: 'github', config: { clientId: name } })
    const realm = {
      realm: 'clash',
      roles: { realm: [{ name: 'orders-admin' }, { name: 'Admin' }], client: { orders: [{ name: 'admin' }] } },
      groups: [{ name: 'a', subGroups: [{ name: 'b' }] }, { name: 'a-b' }, { name: 'Sales' }],
      identityProviders: [alias('x_y'), alias('x-y')],
      users: [
        named('realm-role', { realmRoles: ['orders-admin'], groups: ['/a/b'] }),
        named('client-role', { clientRoles: { orders: ['admin'] }, groups: ['/a-b', '/Sales'] }),
        named('boss', { realmRoles: ['Admin'] }),
      ],
    }
    const file = join(home.folder, 'clash.json')
    await writeFile(file, JSON.stringify(realm))

    const rehearsed = await gatehouse(`import keycloak ${file} --organisation acme --dry-run`)
    const { status, stdout, stderr } = await gatehouse(`import keycloak ${file} --organisation acme`)

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: rehearsed.stdout, stderr: '' })
    expect(stdout).toContain('Created 3 of 3 users in acme\ntaken    2 × roles: as roles without permissions here\ntaken    3 × groups: ')
    expect(stdout).toContain(
      'changed  1 × roles: those who have them get the role of the same slug that is here already, with its permissions (Admin)\n',
    )
    expect(stdout).toContain('changed  1 × groups: their members join the team of the same slug that is here already (Sales)\n')
    const exported = join(home.folder, 'clash.jsonl')
    await done(`organisation export acme ${exported}`)
    const tables = (await readFile(exported, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const rowsOf = (table: string): Record<string, string>[] => tables.filter((one) => one.table === table).flatMap(({ rows }) => rows)
    const slugs = (table: string, links: string, of: string, user: string) => {
      const id = rowsOf('users').find(({ email }) => email === `${user}@clash.test`)?.id
      const linked = rowsOf(links).filter(({ userId }) => userId === id)
      return linked.map((link) => rowsOf(table).find((row) => row.id === link[of])?.slug).sort()
    }
    const rolesOf = (user: string) => slugs('roles', 'user_roles', 'roleId', user)
    const teamsOf = (user: string) => slugs('teams', 'team_members', 'teamId', user)
    expect(rolesOf('realm-role')).toEqual(['orders-admin'])
    expect(rolesOf('client-role')).toEqual(['orders-admin-2'])
    expect(rolesOf('boss')).toEqual(['admin'])
    expect(teamsOf('realm-role')).toEqual(['a-b'])
    expect(teamsOf('client-role')).toEqual(['a-b-2', 'sales'])
    expect(
      rowsOf('connections')
        .map(({ slug }) => slug)
        .filter((slug) => slug?.startsWith('x')),
    ).toEqual(['x-y', 'x-y-2'])
  })

  it('refuses what is no realm', async () => {
    expect(await gatehouse(`import keycloak ${fixture('auth0-users.ndjson')} --organisation acme`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is no JSON'),
    })
    expect(await gatehouse('import keycloak realm.json')).toMatchObject({ status: 2 })
  })
})

describe('gatehouse import auth0', () => {
  it('brings users with the passwords of all of its forms', { timeout: 60_000 }, async () => {
    const document = await readFile('docs/migrating-from-auth0.md', 'utf8')
    await prepareAsDocumented(document, { 'users.ndjson': 'auth0-users.ndjson', 'hashes.ndjson': 'auth0-hashes.ndjson' })
    const files = `${fixture('auth0-users.ndjson')} --password-hashes ${fixture('auth0-hashes.ndjson')}`

    const { stdout, status } = await gatehouse(`import auth0 ${files} --organisation globex`)

    expect(status).toBe(0)
    expect(document).toContain(stdout)
    expect(await done('user find cara@auth0.test')).toMatchObject({ firstName: 'cara', lastName: '-' })

    const service = await started()
    const login = (email: string) => service.anonymous.post('/v1/auth/login', { email, password })
    expect((await login('anna@auth0.test')).body).toMatchObject({ status: 'authenticated' })
    expect((await login('bo@auth0.test')).status).toBe(403)
    expect((await login('dora@auth0.test')).body).toMatchObject({ status: 'mfa_required' })
    for (const email of ['cara@auth0.test', 'ed@auth0.test']) expect((await login(email)).status).toBe(401)
    expect(await service.end()).toBe(0)
  })
})
