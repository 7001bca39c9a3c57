/** The commands for records that are of one form, beside the service that runs. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allCommands, recordsOf, runCommand, startCommand } from '../support/command.ts'
import { SignedInUser, unique } from '../support/given.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
let service: ServiceProcess
let owner: SignedInUser
beforeAll(async () => {
  home = await processHome()
  service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
})
afterAll(async () => {
  await service.end()
  await home.remove()
})

/** With each part in single quotes as one word. */
const wordsOf = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
const gatehouse = (line: string, environment = home.environment) => runCommand(environment, wordsOf(line))
const inAcme = (line: string) => gatehouse(`${line} --organisation acme`)
const done = async (line: string) => {
  const result = await inAcme(`${line} --json`)
  expect(result).toMatchObject({ status: 0 })
  return JSON.parse(result.stdout)
}

describe('a command for records', () => {
  it('creates, changes, shows, lists and deletes as the API does, and stands in the audit log as the command', async () => {
    expect(await inAcme('role create --name Support --slug support --permission users:read roles:read')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Created support \(rol_\w+\)\n$/),
      stderr: '',
    })
    expect((await done('role update support --permission users:read')).permissions).toMatchObject([{ slug: 'users:read' }])
    expect((await inAcme('role show support')).stdout).toMatch(/^permissions +users:read$/m)
    expect((await inAcme('role list')).stdout).toMatch(/^SLUG +NAME +USER COUNT .*\n(?:.*\n)*support +Support +0 /)

    expect(await inAcme('role delete support')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('support is deleted: 0 users have it, of whom 0 lose permissions. This cannot be undone'),
    })
    expect(await inAcme('role delete support --reason unused --yes')).toEqual({ status: 0, stdout: 'Deleted support\n', stderr: '' })
    const { body } = await owner.get('/v1/admin/audit-logs?action=role.*&limit=3')
    const byCommand = { actorType: 'system', actorId: 'cli', metadata: { operatingSystemUser: userInfo().username } }
    expect(body.data).toMatchObject([
      { action: 'role.deleted', ...byCommand, metadata: { ...byCommand.metadata, reason: 'unused' } },
      { action: 'role.updated', ...byCommand },
      { action: 'role.created', ...byCommand, ipAddress: null, userAgent: null },
    ])
  })

  it('tries a change with --dry-run, and makes up nothing that is then said', async () => {
    const create = 'client create --name Tried --client-type confidential --redirect-uri https://tried.example/'
    const { stdout, ...tried } = await inAcme(`${create} --dry-run --json`)
    expect(tried).toEqual({ status: 0, stderr: 'Nothing was changed: this was a dry run\n' })
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, name: 'Tried' })
    expect(stdout).not.toMatch(/"(?:id|clientId|clientSecret)"/)
    expect(await inAcme('client show Tried')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^There is no client "Tried" in acme/),
    })
  })

  it('takes the names of records, finds the organisation of a user, and takes fields from a file', async () => {
    const file = join(home.folder, 'anna.json')
    await writeFile(file, JSON.stringify({ firstName: 'Anna', phone: '+44 20 7946 0000' }))
    await done('user create --email anna@acme.test --first-name A --last-name Bell --no-mail')
    await done("team create --name 'Night shift' --slug night-shift")
    expect((await inAcme('team add-member night-shift anna@acme.test')).stdout).toBe('anna@acme.test is a member of night-shift\n')
    expect((await gatehouse(`user update anna@acme.test --input ${file} --last-name Shaw`)).stdout).toBe('Changed anna@acme.test\n')
    expect(JSON.parse((await gatehouse('user show anna@acme.test --json')).stdout)).toMatchObject({
      name: 'Anna Shaw',
      phone: '+44 20 7946 0000',
      teams: [{ slug: 'night-shift' }],
    })
    expect(recordsOf(await inAcme('user list --team night-shift --json'))).toMatchObject([{ email: 'anna@acme.test' }])
    expect((await gatehouse('user delete anna@acme.test --reason gone')).stdout).toBe('Deleted anna@acme.test\n')
    expect((await gatehouse('user restore anna@acme.test')).stdout).toBe('Restored anna@acme.test\n')
  })

  it('ends one token of a directory, lists its requests, and tries one', async () => {
    await done("directory create --name 'Entra ID'")
    const { token, prefix } = await done("directory create-token 'Entra ID'")
    await done("directory create-token 'Entra ID'")
    const { id } = await done("directory show 'Entra ID'")
    const read = async () =>
      (await fetch(`${service.origin}/scim/v2/${id}/Users`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await read()).toBe(200)
    expect(recordsOf(await inAcme("directory list-requests 'Entra ID' --json"))).toMatchObject([
      { method: 'GET', path: '/Users', status: 200 },
    ])
    expect(await done(`directory try-request 'Entra ID' --method GET --path '/Users?filter=userName eq "none@acme.test"'`)).toMatchObject({
      response: { status: 200, body: { totalResults: 0 } },
      changesTotal: 0,
    })
    expect(await inAcme("directory delete-token 'Entra ID' scim_nothing --yes")).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no token "scim_nothing"'),
    })
    expect(await inAcme(`directory delete-token 'Entra ID' ${prefix}`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Entra ID has 2 tokens now'),
    })
    expect(await inAcme(`directory delete-token 'Entra ID' ${prefix} --yes`)).toEqual({
      status: 0,
      stdout: `Ended the token ${prefix}… of Entra ID\n`,
      stderr: '',
    })
    expect(await read()).toBe(401)
    expect((await done("directory show 'Entra ID'")).tokens).toHaveLength(1)
  })

  it('does in the name of the owner what takes a user', async () => {
    const { ownerId: id } = (await owner.get('/v1/admin/organisation')).body
    expect(await done('invitation create --email dora@acme.test --role member')).toMatchObject({ invitedById: id })
    expect(await inAcme('invitation revoke dora@acme.test')).toMatchObject({ status: 0 })
    expect(await done('api-key create --name Nightly --permission users:read')).toMatchObject({ createdById: id })
  })

  it('clears a field that has a choice of values', async () => {
    const environment = { ...home.environment, OAUTH_EXTENSIONS: 'jwt_introspection' }
    const algorithmAfter = async (line: string) => {
      const { stdout } = await gatehouse(`client ${line} --organisation acme --json`, environment)
      return JSON.parse(stdout).introspectionSignedResponseAlg
    }
    const [name, option] = [`Shop ${unique()}`, '--introspection-signed-response-alg']
    const client = '--client-type confidential --redirect-uri https://shop.acme.test/cb'
    expect(await algorithmAfter(`create --name '${name}' ${client} ${option} EdDSA`)).toBe('EdDSA')
    expect(await algorithmAfter(`update '${name}' ${option} ''`)).toBeNull()
  })

  it.each([
    ['role list', 2, '--organisation is missing'],
    ['role list --organisation acmee', 1, 'There is no organisation "acmee": did you mean acme?'],
    ['role show admni --organisation acme', 1, 'There is no role "admni" in acme: did you mean admin?'],
    ['role create --organisation acme --name X', 2, 'Missing: --slug'],
    ['role update admin --organisation acme', 2, 'Nothing to change is given'],
    ['role create --organisation acme --name X --slug x --permission users:raed', 1, 'There is no permission "users:raed": did you mean'],
    ['user list --organisation acme --limit some', 2, '--limit is "some" and must be a whole number above 0'],
    ['client create --organisation acme --name X --client-type public --redirect-uri nonsense', 2, '--redirect-uri is wrong: '],
    ['client create --organisation acme --name X --client-type odd', 2, 'Allowed choices are confidential, public'],
    ['role list --url http://id.example.test', 1, 'is not set'],
  ])('says what is wrong with %s', async (line, status, message) => {
    expect(await gatehouse(line)).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('each option of a command for records', () => {
  it('takes "" for null where its help says so', async () => {
    const options = (await allCommands()).flatMap(({ words, command }) => command.options.map((option) => ({ words, option })))
    const nullable = options.filter(({ option }) => option.description.includes('; "" for null'))
    expect(nullable.length).toBeGreaterThan(20)
    for (const { words, option } of nullable) {
      const parsed = option.parseArg ? option.parseArg('', option.defaultValue) : ''
      expect(`${words} ${option.long} ${[parsed].flat().join('')}`).toBe(`${words} ${option.long} `)
    }
  })
})

describe('a command for records with --url', () => {
  it('works by the API of a service, with an API key of the environment or a file', async () => {
    const permissions = ['roles:read', 'roles:create', 'roles:delete', 'organisation:read']
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Remote', permissions })).body
    // Nothing says where the database is.
    const remote = { GATEHOUSE_API_KEY: key, DATA_DIR: join(home.folder, 'nowhere') }
    const over = (line: string, environment: Record<string, string> = remote) => gatehouse(`${line} --url ${service.origin}`, environment)
    const file = join(home.folder, 'api-key')
    await writeFile(file, `${key}\n`)

    expect(await over('role create --name Far --slug far --permission roles:read')).toMatchObject({ status: 0, stderr: '' })
    expect(await over('role delete far --dry-run')).toMatchObject({
      status: 0,
      stdout: 'Would delete far\n',
      stderr: expect.stringContaining('The service rehearses nothing'),
    })
    const { GATEHOUSE_API_KEY: _, ...withoutKey } = remote
    expect(recordsOf(await over(`role list --search far --json --api-key-file ${file}`, withoutKey))).toMatchObject([{ slug: 'far' }])
    for (const unfit of [`${key}\n${key}`, `${key}…`]) {
      await writeFile(file, unfit)
      expect(await over('role list', { ...withoutKey, GATEHOUSE_API_KEY: unfit })).toEqual({
        status: 1,
        stdout: '',
        stderr: 'The variable GATEHOUSE_API_KEY is not usable and must hold an API key and nothing else\n',
      })
      expect(await over(`role list --api-key-file ${file}`, withoutKey)).toEqual({
        status: 1,
        stdout: '',
        stderr: `--api-key-file is "${file}" and must hold an API key and nothing else\n`,
      })
    }
    expect(await over('role list --search far --json', { ...withoutKey, GATEHOUSE_API_KEY: `${key}\n` })).toMatchObject({ status: 0 })
    expect(await over('role delete far --organisation other --yes')).toMatchObject({
      status: 1,
      stderr: 'The API key is of the organisation "acme", not of "other"\n',
    })
    expect(await over('role delete far --yes')).toMatchObject({ status: 0, stdout: 'Deleted far\n' })
    expect(await over('user list')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('users:read') })
  })
})

describe('a command for records with --url behind a proxy', () => {
  let relay: Relay
  beforeAll(async () => {
    relay = await startRelay(service.origin)
  })
  afterAll(() => relay?.stop())

  const keyWith = async (permissions: string[]) => ({
    GATEHOUSE_API_KEY: (await owner.post('/v1/admin/api-keys', { name: 'Remote', permissions })).body.key as string,
    DATA_DIR: join(home.folder, 'nowhere'),
  })

  it.each(['loses once', 'responds 504 once'] as const)(
    'makes a change once and prints its secret where the proxy %s',
    async (behaviour) => {
      const remote = await keyWith(['clients:create', 'clients:read', 'organisation:read'])
      relay.behaviour = behaviour
      const name = `Shop ${unique()}`
      const line = `client create --name '${name}' --client-type confidential --redirect-uri https://shop.acme.test/cb --url ${relay.url} --json`

      const created = await gatehouse(line, remote)

      expect(created).toMatchObject({ status: 0, stderr: '' })
      expect(JSON.parse(created.stdout)).toHaveProperty('clientSecret')
      const { body } = await owner.get(`/v1/admin/clients?q=${encodeURIComponent(name)}`)
      expect(body.data).toHaveLength(1)
    },
  )

  it('says of a deletion without a response that it may have been made', async () => {
    const remote = await keyWith(['teams:read', 'teams:delete', 'organisation:read'])
    const slug = unique()
    await owner.post('/v1/admin/teams', { name: 'Gone', slug })
    relay.behaviour = 'loses once'

    expect(await gatehouse(`team delete ${slug} --yes --url ${relay.url}`, remote)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/\. What was asked for may have been done: look before you repeat it\n$/),
    })
  })

  it('follows the audit log over a restart of the service', async () => {
    const remote = await keyWith(['audit:read', 'organisation:read'])
    const following = startCommand(remote, wordsOf(`audit list --follow --json --action team.* --url ${relay.url}`))
    const printed = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      following[stream].setEncoding('utf8').on('data', (text) => (printed[stream] += text))
    const add = (name: string) => owner.post('/v1/admin/teams', { name, slug: unique() })
    await add('At first')
    await expect.poll(() => printed.stdout).toContain('"At first"')

    relay.behaviour = 'is away'
    await expect.poll(() => printed.stderr).toMatch(/^.* cannot be reached: .*\nIt is asked again until it answers\n$/)
    await add('Meanwhile')
    relay.behaviour = 'passes back'

    await expect.poll(() => printed.stdout, { timeout: 40_000 }).toContain('"Meanwhile"')
    expect(printed.stderr).toMatch(/\nThe service answers again\n$/)
    expect(printed.stdout.split('\n').filter((line) => line.includes('"At first"'))).toHaveLength(1)
    following.kill('SIGINT')
    expect(await once(following, 'close')).toEqual([0, null])
  })
})
