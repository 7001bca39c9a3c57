import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
let slug: string
beforeAll(async () => {
  home = await processHome()
  const service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
  slug = (await owner.get('/v1/admin/organisation')).body.slug
  const client = { name: 'Portal', clientType: 'confidential', redirectUris: ['https://portal.example.test/callback'] }
  await owner.post('/v1/admin/clients', client)
  await owner.post('/v1/admin/api-keys', { name: 'Nightly import', permissions: ['users:read'] })
  await service.end()
})
afterAll(() => home.remove())

const run = (line: string | readonly string[]) => runCommand(home.environment, line)
const file = (name: string) => join(home.folder, name)
async function written(name: string, text: string): Promise<string> {
  await writeFile(file(name), text)
  return file(name)
}
const good = `organisation: acme
settings:
  sessionLifetime: 7200
  signInPolicy:
    emailCode: allowed
roles:
  support:
    name: Support
    permissions: [users:read]
teams:
  europe:
    name: Europe
clients:
  portal:
    name: Customer portal
    clientType: confidential
  jobs:
    name: Jobs
    clientType: confidential
    grantTypes: [client_credentials]
`

describe('gatehouse export --config', () => {
  it('writes a document that changes nothing', async () => {
    const { status, stdout, stderr } = await run(`export --config --organisation ${slug}`)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(parse(stdout)).toMatchObject({ organisation: slug, clients: { portal: { name: 'Portal', clientType: 'confidential' } } })
    expect(stdout).not.toMatch(/\b(?:org|rol|cli|usr|tem)_\w+/)
    const path = await written('exported.yaml', stdout)
    expect(await run(`diff -f ${path} --prune`)).toEqual({ status: 0, stdout: `${slug} is as the document says\n`, stderr: '' })
    expect(await run(`plan -f ${path} --prune`)).toMatchObject({ status: 0, stdout: `${slug} is as the document says\n` })
  })

  it('stores the keys that it writes, so that a client which is renamed remains the same', async () => {
    const exported = await written('before-renaming.yaml', (await run(`export --config --organisation ${slug}`)).stdout)
    const rename = async (from: string, to: string) =>
      expect(await run(['client', 'update', from, '--organisation', slug, '--name', to])).toMatchObject({ status: 0 })
    await rename('Portal', 'Gateway')

    const { stdout } = await run(`plan -f ${exported} --prune`)

    expect(stdout).toContain(`${slug}: 0 to create, 1 to update, 0 to delete\n\n~ clients.portal\n    name: "Gateway" → "Portal"`)
    await rename('Gateway', 'Portal')
  })

  it('says what is wrong', async () => {
    expect(await run('export --config --organisation unknown')).toMatchObject({ status: 1, stderr: expect.stringContaining('"unknown"') })
    expect(await run(`export --organisation ${slug}`)).toEqual(await run(`export --config --organisation ${slug}`))
  })
})

describe('gatehouse diff, plan and apply', () => {
  it('shows each change before and after, carries it out by the plan, and finds nothing then', async () => {
    const path = await written('organisation.yaml', good)
    const planned = await run(`plan -f ${path} --out ${file('plan.json')}`)
    expect({ ...planned, stdout: planned.stdout.split('\n') }).toMatchObject({ status: 0, stderr: '' })
    expect(planned.stdout).toContain('3 to create, 2 to update, 0 to delete')
    expect(planned.stdout).toMatch(/~ settings\n {4}sessionLifetime: \d+ → 7200\n {4}signInPolicy\.emailCode: "off" → "allowed"/)
    expect(planned.stdout).toMatch(/~ clients\.portal\n {4}name: "Portal" → "Customer portal"\n/)
    expect(planned.stdout).toMatch(/\+ roles\.support\n {4}name: "Support"\n {4}permissions: \["users:read"\]/)
    expect(planned.stdout).toContain('→ Applies to sessions that start from now on')
    expect(await run(`diff -f ${path}`)).toMatchObject({ status: 1, stdout: expect.stringContaining('3 to create') })

    const applied = await run(`apply --plan ${file('plan.json')} --json`)
    expect({ status: applied.status, stderr: applied.stderr }).toEqual({ status: 0, stderr: '' })
    const { secrets } = JSON.parse(applied.stdout)
    expect(secrets).toEqual([{ section: 'clients', object: 'jobs', secret: expect.any(String) }])
    expect(await readFile(file('plan.json'), 'utf8')).not.toContain(secrets[0].secret)
    expect(await run(`diff -f ${path}`)).toMatchObject({ status: 0 })
    expect(await run(`apply --plan ${file('plan.json')}`)).toMatchObject({ status: 1, stderr: expect.stringContaining('make a new plan') })
  })

  it('keeps the key of a client whose name has changed', async () => {
    const { stdout } = await run(`export --config --organisation ${slug} --json`)
    expect(JSON.parse(stdout).clients).toMatchObject({ portal: { name: 'Customer portal' }, jobs: { name: 'Jobs' } })
  })

  it('takes connections, webhooks and names of API keys, and secrets from the environment alone', async () => {
    const text = `organisation: ${slug}
settings:
  signInPolicy:
    password: disabled
    passkeys: 'off'
    emailCode: 'off'
connections:
  workforce:
    name: Workforce
    provider: oidc
    configuration:
      issuer: https://login.example.test
      clientId: gatehouse
    secret: \${WORKFORCE_SECRET}
    roleMappings:
      - { claim: groups, value: helpers, role: support }
    teamMappings:
      - { claim: groups, value: emea, team: europe }
webhooks:
  orders:
    url: https://hooks.example.test/orders
    events: [user.created, user.deleted]
    client: portal
apiKeys:
  - Nightly import
`
    const path = await written('others.yaml', text)
    expect(await run(`plan -f ${path}`)).toMatchObject({ status: 1, stderr: expect.stringContaining('WORKFORCE_SECRET is not set') })
    // They are not for a provider that the author of a document names.
    const own = { METRICS_TOKEN: 'a-token-for-the-metrics-of-the-service', GATEHOUSE_API_KEY: 'ak_of_another' }
    for (const variable of Object.keys(own)) {
      const carrying = await written('carrying.yaml', text.replace('WORKFORCE_SECRET', variable))
      expect(await runCommand({ ...home.environment, ...own }, `plan -f ${carrying}`)).toMatchObject({
        status: 1,
        stderr: `connections.workforce.secret: the variable ${variable} is Gatehouse's own: name another one\n`,
      })
    }
    const environment = { ...home.environment, WORKFORCE_SECRET: 'first-secret' }
    const planned = await runCommand(environment, `plan -f ${path} --out ${file('plan.json')}`)
    expect(planned).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining(`secret: "(new)"  (from \${WORKFORCE_SECRET})`),
    })
    expect(planned.stdout + (await readFile(file('plan.json'), 'utf8'))).not.toContain('first-secret')
    const applied = await runCommand(environment, `apply --plan ${file('plan.json')} --json`)
    expect(applied).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(applied.stdout).secrets).toEqual([
      { section: 'webhooks', object: 'orders', secret: expect.stringMatching(/^whsec_/) },
    ])
    expect(await runCommand(environment, `diff -f ${path} --prune`)).toMatchObject({ status: 0 })
    const changed = await runCommand({ ...environment, WORKFORCE_SECRET: 'second' }, `diff -f ${path}`)
    expect(changed).toMatchObject({ status: 1, stdout: expect.stringContaining('secret: "(stored)" → "(new)"') })

    const { stdout } = await run(`export --config --organisation ${slug}`)
    expect(parse(stdout)).toMatchObject({
      connections: { workforce: { roleMappings: [{ claim: 'groups', value: 'helpers', role: 'support' }] } },
      webhooks: { orders: { client: 'portal', isActive: true } },
      apiKeys: ['Nightly import'],
    })
    expect(stdout).not.toMatch(/secret:|\b(?:org|rol|cli|usr|tem|con|wh|key)_\w{20}/)
    const exported = await written('exported.yaml', stdout)
    expect(await run(`plan -f ${exported} --prune`)).toMatchObject({ status: 0, stdout: `${slug} is as the document says\n` })
  })

  it('ends the only way to sign in after the settings have another, and never before', async () => {
    const inactive = 'connections:\n  workforce:\n    name: Workforce\n    provider: oidc\n    isActive: false\n'
    const refused = await written('refused.yaml', `organisation: ${slug}\n${inactive}`)
    expect(await run(`apply -f ${refused} --yes`)).toMatchObject({ status: 1, stderr: expect.stringContaining('connections.workforce: ') })
    const path = await written('allowed.yaml', `organisation: ${slug}\nsettings:\n  signInPolicy:\n    password: allowed\n${inactive}`)
    expect(await run(`apply -f ${path} --yes`)).toMatchObject({ status: 0, stderr: '' })
  })

  it('refuses a secret in the document, an API key that it would have to make, and what cannot be changed', async () => {
    const provider = (rest: string) => `organisation: ${slug}\nconnections:\n  workforce:\n    name: Workforce\n    provider: ${rest}`
    for (const [text, message] of [
      [provider('oidc\n    secret: hunter2\n'), 'mistake.yaml:6: connections.workforce.secret: A secret is never in a document'],
      [provider('google\n'), 'mistake.yaml:5: connections.workforce.provider: Cannot be changed'],
      [`organisation: ${slug}\napiKeys: [Nightly import, Other]\n`, 'There is no API key of this name'],
      [
        `organisation: ${slug}\nwebhooks:\n  x:\n    url: https://x.example.test/\n    events: ['*']\n    client: none\n`,
        'Client not found',
      ],
    ] as const) {
      const { status, stderr } = await run(`apply --yes -f ${await written('mistake.yaml', text)}`)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
      expect(stderr).not.toContain('hunter2')
    }
  })

  it('takes directories with their mappings by slugs, and no token', async () => {
    const document = (rest: string) => `organisation: ${slug}
connections:
  workforce:
    name: Workforce
    provider: oidc
directories:
  entra:
    name: Entra ID
    userMatch: externalId
    connection: workforce
    groupMappings:
      - group: { displayName: Support }
        roles: [support]
        teams: [europe]
${rest}`
    const path = await written('directories.yaml', document(''))
    expect(await run(`plan -f ${path}`)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('+ directories.entra') })
    expect(await run(`apply -f ${path} --yes`)).toMatchObject({ status: 0, stderr: '' })
    const { stdout } = await run(`export --config --organisation ${slug}`)
    expect(parse(stdout).directories).toEqual({
      entra: {
        name: 'Entra ID',
        isActive: true,
        userMatch: 'externalId',
        connection: 'workforce',
        emailChanges: 'verified_domains',
        deletes: 'block',
        groups: 'teams',
        groupMappings: [{ group: { displayName: 'Support' }, roles: ['support'], teams: ['europe'] }],
      },
    })
    const exported = await written('exported.yaml', stdout)
    expect(await run(`plan -f ${exported} --prune`)).toMatchObject({ status: 0, stdout: `${slug} is as the document says\n` })

    const renamed = await written(
      'directories.yaml',
      `organisation: ${slug}\ndirectories:\n  entra:\n    name: Microsoft Entra\n    isActive: false\n`,
    )
    expect(await run(`plan -f ${renamed}`)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/~ directories\.entra\n {4}isActive: true → false\n {4}name: "Entra ID" → "Microsoft Entra"/),
    })
    for (const [rest, message] of [
      ['    tokens: [scim_hunter2]\n', 'mistake.yaml:15: directories.entra.tokens: A token is shown once, and no document has it'],
      ['  other:\n    name: Other\n    connection: nothing\n', 'mistake.yaml:17: directories.other.connection: Connection not found'],
      [
        '  other:\n    name: Other\n    groupMappings: [{ group: { displayName: A }, roles: [nothing] }]\n',
        'mistake.yaml:17: directories.other.groupMappings.0.roles.0: Role not found',
      ],
      [
        '  other:\n    name: Other\n    groupMappings: [{ group: {}, roles: [support] }]\n',
        'Name the group by displayName or by externalId',
      ],
    ] as const) {
      const { status, stderr } = await run(`apply --yes -f ${await written('mistake.yaml', document(rest))}`)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
      expect(stderr).not.toContain('hunter2')
    }
    const pruned = await written('directories.yaml', `organisation: ${slug}\ndirectories: {}\n`)
    expect(await run(`apply -f ${pruned} --prune --yes`)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('- directories.entra'),
    })
  })

  it('says who changed it when', async () => {
    const path = await written(
      'drift.json',
      JSON.stringify({ organisation: slug, clients: { portal: { name: 'Portal', clientType: 'confidential' } } }),
    )
    const { status, stdout } = await run(`diff -f ${path}`)
    expect(status).toBe(1)
    expect(stdout).toMatch(/name: "Customer portal" → "Portal" {2}\(client\.updated by cli at \d{4}-/)
  })

  it('undoes everything when one change is refused, and names its place', async () => {
    const path = await written(
      'refused.yaml',
      `organisation: ${slug}\nteams:\n  asia:\n    name: Asia\nroles:\n  odd:\n    name: Odd\n    permissions:\n      - users:read\n      - nothing:ever\n`,
    )
    for (const line of [`plan -f ${path}`, `apply -f ${path} --yes`]) {
      const { status, stderr } = await run(line)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/refused\.yaml:10: roles\.odd\.permissions\.1: /) })
    }
    const { stdout } = await run(`export --config --organisation ${slug} --json`)
    expect(JSON.parse(stdout).teams).not.toHaveProperty('asia')
  })

  it('ends what the document does not name only with --prune, in its sections only', async () => {
    const path = await written('prune.yaml', `organisation: ${slug}\nteams: {}\nconnections: {}\nwebhooks: {}\napiKeys: []\n`)
    expect(await run(`diff -f ${path}`)).toMatchObject({ status: 0 })
    expect(await run(`apply -f ${path} --prune --dry-run`)).toMatchObject({ status: 0, stdout: expect.stringContaining('4 to delete') })
    expect(await run(`plan -f ${path} --prune --out ${file('prune.json')}`)).toMatchObject({ status: 0 })
    for (const line of [`apply -f ${path} --prune`, `apply --plan ${file('prune.json')}`])
      expect(await run(line)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`${slug} loses 4 objects, which the document does not name: teams.europe`),
      })
    expect(await run(`apply -f ${path} --prune --yes`)).toMatchObject({ status: 0, stdout: expect.stringContaining('- teams.europe') })
    const { stdout } = await run(`export --config --organisation ${slug} --json`)
    expect(JSON.parse(stdout)).toMatchObject({
      teams: {},
      connections: {},
      webhooks: {},
      apiKeys: [],
      roles: { support: {}, owner: {} },
      clients: { jobs: {} },
    })
  })

  it.each([
    ['settings:\n  sessionLifetime: soon\n', 'mistake.yaml:2: settings.sessionLifetime: '],
    ['roles:\n  a:\n    name: A\n  a:\n    name: B\n', 'mistake.yaml:4: '],
    ['organisation: acme\nusers: {}\n', 'mistake.yaml:'],
    ['clients:\n  x:\n    name: X\n    id: cli_01kahm3z9n4v7f2t8q6w5r1y0x\n', 'mistake.yaml:2: clients.x'],
    ['- settings\n', 'mistake.yaml:1: a document is an object'],
    ['organisation: acme\n---\nroles: {}\n', 'mistake.yaml:2: a second document begins here: give each a file of its own\n'],
    ['__proto__:\n  organisation: acme\n', 'mistake.yaml:1: __proto__ cannot be a name\n'],
    ['roles:\n  a:\n    name: A\n  __proto__:\n    name: B\n', 'mistake.yaml:4: __proto__ cannot be a name\n'],
    [`a: &a [x,x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(11)}]\nc: [${'*b,'.repeat(11)}]\n`, 'mistake.yaml: Excessive alias count'],
  ])('names file and line of a mistake in %j', async (text, message) => {
    expect(await run(`plan --organisation acme -f ${await written('mistake.yaml', text)}`)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  it('knows that the service sends text messages, so that a second factor may be required by them alone', async () => {
    const path = await written('sms.yaml', `organisation: ${slug}\nsettings:\n  requireMfa: true\n  allowedMfaMethods: [sms]\n`)
    const { stdout, stderr } = await run(`plan -f ${path}`)
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('requireMfa: false → true'), stderr: '' })
  })

  it('merges files, and names both places of a conflict', async () => {
    const one = await written('one.yaml', `organisation: ${slug}\nroles:\n  support:\n    name: Support\n`)
    const two = await written('two.yaml', 'teams:\n  emea:\n    name: EMEA\n')
    expect(await run(`plan -f ${one} -f ${two}`)).toMatchObject({ status: 0, stdout: expect.stringContaining('+ teams.emea') })
    const three = await written('three.yaml', 'roles:\n  other:\n    name: Other\n  support:\n    name: Helpers\n')
    expect(await run(`plan -f ${one} -f ${three}`)).toMatchObject({
      status: 1,
      stderr: `${three}:4: roles.support is also in ${one}:3\n`,
    })
  })

  it('is told what to do', async () => {
    const path = file('organisation.yaml')
    expect(await run(`apply -f ${path}`)).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --yes to apply') })
    expect(await run('plan')).toMatchObject({ status: 2, stderr: expect.stringContaining('--file is missing') })
    expect(await run(`plan -f ${file('two.yaml')}`)).toMatchObject({ status: 2, stderr: expect.stringContaining('--organisation') })
    expect(await run('plan -f nowhere.yaml')).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no such file') })
  })
})

describe('the same over the API', () => {
  let service: ServiceProcess
  let remote: Record<string, string>
  beforeAll(async () => {
    service = await (await ServiceProcess.start(home.environment)).ready()
    const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
    const permissions = (await owner.get('/v1/admin/permissions')).body.data.map((one: { slug: string }) => one.slug)
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Pipeline', permissions })).body
    // Nothing says where the database is.
    remote = { GATEHOUSE_API_KEY: key, DATA_DIR: file('nowhere') }
    return async () => void (await service.end())
  })
  const over = (line: string) => runCommand(remote, `${line} --url ${service.origin}`)

  it('exports, plans, applies the plan and finds nothing then', async () => {
    const exported = await over(`export --config --organisation ${slug}`)
    expect(exported).toMatchObject({ status: 0, stderr: '' })
    const path = await written('remote.yaml', `organisation: ${slug}\nteams:\n  remote:\n    name: Remote\n`)
    expect(await over(`diff -f ${await written('exported.yaml', exported.stdout)} --prune`)).toMatchObject({ status: 0 })
    expect(await over(`plan -f ${path} --out ${file('remote.json')}`)).toMatchObject({
      status: 0,
      stdout: `${slug}: 1 to create, 0 to update, 0 to delete\n\n+ teams.remote\n    name: "Remote"\n`,
    })
    expect(await over(`apply -f ${path} --dry-run`)).toMatchObject({ status: 0, stdout: expect.stringContaining('1 to create') })
    expect(await over(`apply --plan ${file('remote.json')}`)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('1 created'),
    })
    expect(await over(`diff -f ${path}`)).toMatchObject({ status: 0, stdout: `${slug} is as the document says\n` })
    for (const line of ['', ' --dry-run'])
      expect(await over(`apply --plan ${file('remote.json')}${line}`)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('make a new plan'),
      })
    await written('remote.yaml', `organisation: ${slug}\nteams:\n  remote:\n    name: Far away\n`)
    expect(await over(`diff -f ${path}`)).toMatchObject({ status: 1, stdout: expect.stringContaining('(team.created by Pipeline at ') })
  })

  it('says what is wrong', async () => {
    const path = await written('remote.yaml', `organisation: ${slug}\nroles:\n  odd:\n    name: Odd\n    permissions: [nothing:ever]\n`)
    expect(await over(`apply -f ${path} --yes`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/remote\.yaml:5: roles\.odd\.permissions\.0: /),
    })
    expect(await over(`plan -f ${path} --organisation other`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not of "other"'),
    })
    expect(await runCommand({}, `plan -f ${path} --url ${service.origin}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('GATEHOUSE_API_KEY is not set'),
    })
    expect(await runCommand(remote, `plan -f ${path} --url http://id.example.test`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('must be an https address'),
    })
    const wrong = await runCommand({ GATEHOUSE_API_KEY: 'ak_wrong' }, `plan -f ${path} --url ${service.origin}`)
    expect(wrong).toMatchObject({ status: 1, stdout: '' })
    expect(wrong.stderr).not.toContain('ak_wrong')
  })
})
