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

/** The report of an import as its rehearsal has it. */
const rehearsal = (report: string) =>
  settled(report)
    .replace(/^Created/, 'Would create')
    .replaceAll(/^(?:taken {2}|changed|skipped)/gm, (verb) => ({ changed: 'change ', skipped: 'skip   ' })[verb] ?? 'take   ')
    .replaceAll(/^client (\S+) is cli_…(, with the new secret …)?$/gm, (_, name, secret) => {
      return `client ${name} would get a client_id of its own${secret ? ', and a new secret' : ''}`
    })

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
  it('brings users with passwords and second factors, roles, groups, clients and identity providers', async () => {
    const document = await readFile('docs/migrating-from-keycloak.md', 'utf8')
    await prepareAsDocumented(document, { 'realm.json': 'keycloak-realm.json' })
    const file = fixture('keycloak-realm.json')
    const rehearsed = await gatehouse(`import keycloak ${file} --organisation acme --dry-run`)
    expect(rehearsed).toMatchObject({ status: 0, stderr: 'Nothing was changed: this was a dry run\n' })
    expect(await gatehouse('user find anna@keycloak.test')).toMatchObject({ status: 1 })
    const { stdout: json } = await gatehouse(`import keycloak ${file} --organisation acme --dry-run --json`)
    expect(JSON.parse(json)).toMatchObject({ dryRun: true, clients: expect.arrayContaining([{ formerClientId: 'orders-web' }]) })
    expect(json).not.toMatch(/"(?:clientId|secret)"/)

    const { stdout, status } = await gatehouse(`import keycloak ${file} --organisation acme`)

    expect(status).toBe(0)
    expect(rehearsed.stdout).toBe(rehearsal(stdout))
    expect(rehearsed.stdout).not.toMatch(/cli_/)
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

  it('leaves out identity providers that cannot be created, and says so before anything is written', async () => {
    const alias = (name: string) => ({ alias: name, providerId: 'github', config: { clientId: name } })
    const unencrypted = { alias: 'plain', providerId: 'oidc', config: { clientId: 'x', issuer: 'http://login.example.test' } }
    const realm = { realm: 'many', identityProviders: [unencrypted, ...Array.from({ length: 51 }, (_, index) => alias(`many-${index}`))] }
    const file = join(home.folder, 'many.json')
    await writeFile(file, JSON.stringify(realm))

    const { report } = await done(`import keycloak ${file} --organisation acme --dry-run`)

    const left = report.filter(({ outcome }: { outcome: string }) => outcome === 'left')
    const unfit = left.filter(({ what }: { what: string }) => what === 'identity providers')
    expect(unfit).toMatchObject([
      { note: expect.stringMatching(/^configuration\.issuer: /), names: ['plain'] },
      { note: 'An organisation has at most 50 connections', names: expect.arrayContaining(['many-50']) },
    ])
  })

  it('keeps apart what has the same slug, and says which roles and teams are here already', async () => {
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

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(rehearsed.stdout).toBe(rehearsal(stdout))
    expect(stdout).toContain('Created 3 of 3 users in acme\ntaken    2 × roles: as roles without permissions here\ntaken    3 × groups: ')
    expect(stdout).toContain(
      'changed  1 × roles: not the built-in one of that name, but a role beside it, without permissions; --map-role NAME=SLUG joins them (Admin is admin-2)\n',
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
    expect(rolesOf('boss')).toEqual(['admin-2'])
    expect(teamsOf('realm-role')).toEqual(['a-b'])
    expect(teamsOf('client-role')).toEqual(['a-b-2', 'sales'])
    expect(
      rowsOf('connections')
        .map(({ slug }) => slug)
        .filter((slug) => slug?.startsWith('x')),
    ).toEqual(['x-y', 'x-y-2'])
  })

  it('gives no user a built-in role by its name, and joins roles only where --map-role says so', async () => {
    const named = (name: string, ...realmRoles: string[]) => ({ username: name, email: `${name}@rights.test`, realmRoles })
    const realm = {
      realm: 'rights',
      roles: { realm: [{ name: 'Admin' }, { name: 'Öwner' }, { name: 'member' }, { name: 'boss' }] },
      users: [named('admin', 'Admin'), named('owner', 'Öwner', 'member'), named('boss', 'boss')],
    }
    const file = join(home.folder, 'rights.json')
    await writeFile(file, JSON.stringify(realm))
    const line = `import keycloak ${file} --organisation acme`

    expect(await gatehouse(`${line} --map-role boss=owner`)).toMatchObject({
      status: 1,
      stderr: '--map-role: no import gives the owner role: transfer the ownership\n',
    })
    expect(await gatehouse(`${line} --map-role boss=chief`)).toMatchObject({ status: 1, stderr: '--map-role: there is no role chief\n' })
    expect(await gatehouse(`${line} --map-role boss`)).toMatchObject({ status: 2 })
    const { report } = await done(`${line} --map-role boss=admin`)
    expect(report).toContainEqual(
      expect.objectContaining({ what: 'roles', names: ['Admin is admin-2', 'Öwner is owner-2', 'member is member-2'] }),
    )
    expect(report).toContainEqual(
      expect.objectContaining({ note: 'those who have them get the role admin, as --map-role says', names: ['boss'] }),
    )
    const { report: again } = await done(`${line} --map-role boss=admin --resume`)
    expect(again).toContainEqual(expect.objectContaining({ names: ['Admin is admin-2', 'Öwner is owner-2', 'member is member-2'] }))

    const may = async (name: string) => (await done(`explain user ${name}@rights.test users:delete`)).allowed
    expect([await may('admin'), await may('owner'), await may('boss')]).toEqual([false, false, true])

    // The role beside the built-in one has permissions since: the next file does not give it either.
    await done('role update admin-2 --organisation acme --permission users:delete')
    const { report: granted } = await done(`${line} --map-role boss=admin --resume`)
    expect(granted).toContainEqual(expect.objectContaining({ names: ['Admin is admin-3', 'Öwner is owner-2', 'member is member-2'] }))
  })

  it('takes a client without the addresses that cannot be registered, and names what a realm has and nothing here stands for', async () => {
    const realm = {
      realm: 'much',
      clients: [
        {
          ...{ clientId: 'portal', publicClient: true, rootUrl: 'https://portal.much.test/' },
          redirectUris: ['/callback', 'https://portal.much.test/*', 'http://intranet.much.test/in', 'https://portal.much.test/callback'],
          attributes: { 'post.logout.redirect.uris': '/bye##relative##+' },
        },
        { clientId: 'stars', publicClient: true, redirectUris: ['https://stars.much.test/*'] },
        { clientId: 'lost', publicClient: true, redirectUris: ['/in'] },
        { clientId: 'machine', secret: '3mVd0aT7qWb1Zk9xRc5nLp8sYf2uHj4e', serviceAccountsEnabled: true, redirectUris: ['*'] },
      ],
      components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'corp', providerId: 'ldap' }] },
      ...{ smtpServer: { host: 'mail.much.test' }, passwordPolicy: 'length(12)', accessTokenLifespan: 300, loginTheme: 'much' },
      authenticationFlows: [{ alias: 'browser', builtIn: true }, { alias: 'browser with conditions' }],
      identityProviders: [{ alias: 'hub', providerId: 'github', config: { clientId: 'hub' } }],
    }
    const file = join(home.folder, 'much.json')
    await writeFile(file, JSON.stringify(realm))
    const user = { username: 'u', email: 'u@much.test' }
    await writeFile(file, JSON.stringify({ ...realm, users: [user] }))

    const { report, clients } = await done(`import keycloak ${file} --organisation acme`)

    const notes = (what: string) =>
      report.flatMap((line: { what: string; note: string; names: string[] }) =>
        line.what === what ? line.names.map((name) => `${name}: ${line.note}`) : [],
      )
    expect(notes('redirect URIs')).toEqual([
      'https://portal.much.test/callback of portal: relative ones are resolved by the root URL',
      'https://portal.much.test/* of portal: addresses are compared as they are, and none has a *: register each by itself',
      'https://stars.much.test/* of stars: addresses are compared as they are, and none has a *: register each by itself',
      '* of machine: addresses are compared as they are, and none has a *: register each by itself',
      'http://intranet.much.test/in of portal: Must be https; http is for loopback addresses',
      '/in of lost: they are relative, and the client has no root URL',
    ])
    expect(clients.map(({ formerClientId }: { formerClientId: string }) => formerClientId)).toEqual(['portal', 'stars', 'lost', 'machine'])
    expect(notes('clients')).toEqual([
      'portal: taken with a client_id of their own, which the application has to use',
      'machine: taken with a client_id of their own, which the application has to use',
      'stars: taken with a client_id of their own, deactivated: give them a redirect URI, then activate them',
      'lost: taken with a client_id of their own, deactivated: give them a redirect URI, then activate them',
    ])
    for (const what of ['user federation', 'mail server', 'password policy', 'lifetimes', 'authentication flows', 'themes'])
      expect([what, notes(what).length]).toEqual([what, 1])
    const exported = join(home.folder, 'much.jsonl')
    await done(`organisation export acme ${exported}`)
    const rows = (await readFile(exported, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .flatMap((text) => {
        const { table, rows } = JSON.parse(text)
        return table === 'clients' ? rows : []
      })
    const shown = (name: string) => {
      const { redirectUris, postLogoutRedirectUris, grantTypes, isActive } = rows.find((row: { name: string }) => row.name === name)
      return { redirectUris, postLogoutRedirectUris, grantTypes, isActive }
    }
    const grantTypes = ['authorization_code', 'refresh_token']
    const callback = 'https://portal.much.test/callback'
    expect(shown('portal')).toEqual({
      ...{
        redirectUris: [callback],
        postLogoutRedirectUris: ['https://portal.much.test/bye', 'https://portal.much.test/relative', callback],
      },
      ...{ grantTypes, isActive: true },
    })
    expect(shown('stars')).toEqual({ redirectUris: [], postLogoutRedirectUris: [], grantTypes, isActive: false })
    expect(shown('machine')).toMatchObject({ grantTypes: ['client_credentials'], isActive: true })

    const { report: again } = await done(`import keycloak ${file} --organisation acme --resume`)
    const left = again.filter(({ note }: { note: string }) => note.includes('is here already, and stays as it is'))
    expect(left.map(({ what, names }: { what: string; names: string[] }) => [what, ...names])).toEqual([
      ['clients', 'portal', 'stars', 'lost', 'machine'],
      ['identity providers', 'hub'],
    ])
  })

  it('reports roles and groups of users that the file does not have, and finds a group with a slash in its name', async () => {
    const file = join(home.folder, 'apart.json')
    const held = {
      realmRoles: ['Sales', 'offline_access', 'default-roles-apart'],
      clientRoles: { shop: ['buyer'], account: ['view-profile'] },
    }
    const users = [{ username: 'u', email: 'u@apart.test', firstName: ' ', groups: ['/R&D~/Labs/Inner', '/Gone'], ...held }]
    await writeFile(file, JSON.stringify({ realm: 'apart', users, groups: [{ name: 'R&D/Labs', subGroups: [{ name: 'Inner' }] }] }))

    const { report } = await done(`import keycloak ${file} --organisation acme`)

    const note = 'the file does not have them: export the realm and its users into one file'
    expect(report).toEqual(
      expect.arrayContaining([
        { outcome: 'left', what: 'roles of users', count: 2, note, names: ['Sales', 'shop: buyer'] },
        { outcome: 'left', what: 'groups of users', count: 1, note, names: ['/Gone'] },
      ]),
    )
    const { stdout } = await gatehouse('team list-members r-d-labs-inner --organisation acme')
    expect(stdout).toContain('u@apart.test')
  })

  it('reports roles of groups and in composite roles that the file does not have', async () => {
    const file = join(home.folder, 'parts.json')
    const roles = {
      realm: [
        { name: 'Lead', composites: { realm: ['Clerk', 'Auditor', 'offline_access'], client: { shop: ['buyer'] } } },
        { name: 'default-roles-parts', composites: { realm: ['uma_authorization', 'Guest'], client: { account: ['view-profile'] } } },
        { name: 'Clerk' },
      ],
    }
    const subGroups = [{ name: 'North', clientRoles: { shop: ['seller'], account: ['view-profile'] } }]
    const groups = [{ name: 'Sales', realmRoles: ['Clerk', 'Trader', 'offline_access'], subGroups }]
    await writeFile(file, JSON.stringify({ realm: 'parts', roles, groups, users: [] }))

    const { report } = await done(`import keycloak ${file} --organisation acme`)

    const note = 'the file does not have them: export the realm and its users into one file'
    expect(report.filter(({ outcome }: { outcome: string }) => outcome === 'left')).toEqual([
      {
        outcome: 'left',
        what: 'roles in composite roles',
        count: 3,
        note,
        names: ['Auditor in Lead', 'shop: buyer in Lead', 'Guest in default-roles-parts'],
      },
      { outcome: 'left', what: 'roles of groups', count: 2, note, names: ['Trader of Sales', 'shop: seller of Sales / North'] },
    ])
  })

  it('names the user whose time of creation is none', async () => {
    const file = join(home.folder, 'time.json')
    await writeFile(file, JSON.stringify({ realm: 'time', users: [{ username: 'u', email: 'u@time.test', createdTimestamp: 1e20 }] }))
    expect(await gatehouse(`import keycloak ${file} --organisation acme`)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^user 1 \(u\): createdAt: .*\nNothing was written: 1 mistake in 1 user\n/),
    })
  })

  it.each([
    ['a list of realms', '[{"realm": "one"}]', 'is a list, as an export of all realms is: `kc.sh export --realm NAME` exports one'],
    ['no realm', '{"id": "one"}', 'is not the export of a realm: realm is missing'],
    [
      'wrong',
      '{"realm": "one", "users": [{"username": "u", "attributes": {"a": "b"}}]}',
      'is not the export of a realm: users.0.attributes.a: it is not a list',
    ],
  ])('says in words that a document is %s', async (_what, text, said) => {
    const file = join(home.folder, 'document.json')
    await writeFile(file, text)
    expect(await gatehouse(`import keycloak ${file} --organisation acme`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(new RegExp(`document\\.json ${said.replaceAll(/[.[\]]/g, '\\$&')}\n$`)),
    })
  })

  it('refuses what is no realm', async () => {
    expect(await gatehouse(`import keycloak ${fixture('auth0-users.ndjson')} --organisation acme`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not JSON'),
    })
    expect(await gatehouse('import keycloak realm.json')).toMatchObject({ status: 2 })
  })
})

describe('gatehouse import auth0', () => {
  it('refuses lines that are no users of Auth0', async () => {
    await gatehouse('organisation create --name Other --slug other --email it@other.test --owner-email owner@other.test')
    const file = join(home.folder, 'others.ndjson')
    await writeFile(file, '{"realm": "acme", "users": []}\n')
    expect(await gatehouse(`import auth0 ${file} --organisation other`)).toMatchObject({
      status: 1,
      stdout: 'line 1: it is no user of Auth0: it has neither user_id nor email\nNothing was written: 1 mistake in 1 user\n',
    })
  })

  it('brings users with the passwords of all of its forms', async () => {
    const document = await readFile('docs/migrating-from-auth0.md', 'utf8')
    await prepareAsDocumented(document, { 'users.ndjson': 'auth0-users.ndjson', 'hashes.ndjson': 'auth0-hashes.ndjson' })
    const files = `${fixture('auth0-users.ndjson')} --password-hashes ${fixture('auth0-hashes.ndjson')}`

    const { stdout, status } = await gatehouse(`import auth0 ${files} --organisation globex`)

    expect(status).toBe(0)
    expect(document).toContain(stdout)
    expect(await done('user find cara@auth0.test')).toMatchObject({ firstName: 'cara', lastName: '-' })
    expect(await done('user find anna@auth0.test')).toMatchObject({
      createdAt: '2020-01-01T10:00:00.000Z',
      emailVerifiedAt: expect.any(String),
      metadata: { user_metadata: { colour: 'blue' }, app_metadata: { plan: 'gold' } },
    })
    for (const name of ['bo', 'dora']) expect(await done(`user find ${name}@auth0.test`)).toMatchObject({ emailVerifiedAt: null })

    // Known by the id, whatever the address is.
    const moved = join(home.folder, 'moved.ndjson')
    const users = [
      { user_id: 'auth0|5f7c8ec7c33c6c004bbafe82', email: 'anna.berg@auth0.test' },
      { user_id: 'auth0|8', email: 'fay@auth0.test', username: 'fay' },
    ]
    await writeFile(moved, users.map((user) => `${JSON.stringify(user)}\n`).join(''))
    const resumed = await done(`import auth0 ${moved} --organisation globex --resume`)
    expect(resumed).toMatchObject({ users: { created: 1, existing: 1 } })
    expect(await done('user find fay@auth0.test')).toMatchObject({ metadata: { username: 'fay' } })
    expect(await gatehouse('user find anna.berg@auth0.test')).toMatchObject({ status: 1 })

    const service = await started()
    const login = (email: string) => service.anonymous.post('/v1/auth/login', { email, password })
    expect((await login('anna@auth0.test')).body).toMatchObject({ status: 'authenticated' })
    expect((await login('bo@auth0.test')).status).toBe(403)
    expect((await login('dora@auth0.test')).body).toMatchObject({ status: 'mfa_required' })
    for (const email of ['cara@auth0.test', 'ed@auth0.test']) expect((await login(email)).status).toBe(401)
    expect(await service.end()).toBe(0)
  })
})
