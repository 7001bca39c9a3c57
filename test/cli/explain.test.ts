import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
let clientId: string
let twinId: string
beforeAll(async () => {
  home = await processHome()
  const service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
  const client = {
    name: 'Portal',
    clientType: 'confidential',
    redirectUris: ['https://portal.example.test/callback'],
    scopes: ['orders:read'],
  }
  clientId = (await owner.post('/v1/admin/clients', client)).body.id
  const twins = [
    { ...client, name: 'Twin' },
    { ...client, name: 'twin' },
  ]
  for (const twin of twins) twinId = (await owner.post('/v1/admin/clients', twin)).body.id
  await owner.post('/v1/admin/users', { email: 'anna@acme.test', firstName: 'Anna', lastName: 'Lang', sendWelcomeMail: false })
  await service.end()
})
afterAll(() => home.remove())
const explain = (line: string | readonly string[]) =>
  runCommand(home.environment, ['explain', ...(typeof line === 'string' ? line.split(' ') : line)])

describe('gatehouse explain user', () => {
  it('says what gives a permission, and what would', async () => {
    expect((await explain('user owner@acme.test users:delete')).stdout).toMatch(
      /^owner@acme\.test may use users:delete\n {2}the role owner gives it, assigned \S+Z/,
    )
    expect((await explain('user anna@acme.test users:delete')).stdout).toMatch(
      /^anna@acme\.test may not use users:delete\n {2}roles that would give it: .*owner/,
    )
    expect(JSON.parse((await explain('user anna@acme.test users:delete --json')).stdout)).toMatchObject({ allowed: false, because: [] })
  })

  it.each([
    ['user nobody@acme.test users:delete', 1, 'There is no user "nobody@acme.test"'],
    ['user owner@acme.test nothing:ever', 1, 'There is no permission "nothing:ever"'],
    ['user owner@acme.test users:raed', 1, 'There is no permission "users:raed": did you mean users:read?'],
    ['user owner@acme.test', 2, "'permission'"],
  ])('says what is wrong with %s', async (line, status, message) => {
    expect(await explain(line)).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('gatehouse explain client', () => {
  it('says what would be issued', async () => {
    const { stdout, ...rest } = await explain(['client', clientId, 'anna@acme.test', '--scope', 'openid email orders:read'])
    expect(rest).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${clientId} would be issued tokens for anna@acme\\.test\nscope: openid email orders:read\n`))
    expect(stdout).toMatch(/^ID token\n(.*\n)*email +anna@acme\.test$/m)
  })

  it('says each check that would refuse', async () => {
    const { status, stdout } = await explain(['client', clientId, 'anna@acme.test', '--scope', 'openid orders:write'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('would not be issued tokens') })
    expect(stdout).toMatch(
      /^ {2}refused by authorize, invalid_scope: .*orders:write \(scope: expected \[.*"orders:read"\], received "orders:write"\)$/m,
    )
    const { stdout: json } = await explain(['client', clientId, 'anna@acme.test', '--scope', 'x', '--json'])
    expect(JSON.parse(json)).toMatchObject({ allowed: false, accessToken: null, refusals: [{ error: 'invalid_scope' }] })
  })

  it('says what is wrong', async () => {
    expect(await explain('client cli_unknown anna@acme.test')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no active application "cli_unknown": give its client_id\n',
    })
    const create = 'organisation create --name Globex --slug globex --email it@globex.test --owner-email hank@globex.test'
    await runCommand(home.environment, create)
    expect(await explain(`client ${clientId} hank@globex.test`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `The application ${clientId} is of another organisation: of acme, and hank@globex.test of globex\n`,
    })
    expect(await explain('client')).toMatchObject({ status: 2, stderr: expect.stringContaining("'client'") })
  })
})

describe('gatehouse explain sign-in', () => {
  it('says each step, what is in the way, and what would mend it', async () => {
    const { status, stdout } = await explain('sign-in anna@acme.test --client portal')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^anna@acme\.test cannot sign in\n {2}ok {2}account-found: /)
    expect(stdout).toMatch(
      /^by password: is refused\n( {2}ok .*\n)* {2}no {2}no-password-set: The user has set no password\n {6}Mail the user a link that sets one$/m,
    )
    expect(await explain(`sign-in anna@acme.test --client ${twinId}`)).toMatchObject({ status: 0 })
    const { stdout: json } = await explain('sign-in owner@acme.test --permission users:delete --json')
    expect(JSON.parse(json)).toMatchObject({ allowed: true, organisationId: expect.stringMatching(/^org_/) })
    expect((await explain('sign-in nobody@acme.test --client portal')).stdout).toMatch(
      /^nobody@acme\.test cannot sign in\n {2}no {2}no-account: .*\n {6}Check how the address is written/,
    )
  })

  it.each([
    ['sign-in anna', 1, '"anna" is not an e-mail address'],
    ['sign-in anna@acme.test --client Prtal', 1, 'There is no application "Prtal" in the organisation of the user: did you mean Portal?'],
    ['sign-in anna@acme.test --client Twin', 1, 'There are 2 applications named "Twin": give the id'],
    ['sign-in anna@acme.test --connection okta', 1, 'There is no connection "okta" in the organisation of the user'],
    ['sign-in anna@acme.test --permission users:raed', 1, 'did you mean users:read?'],
  ])('says what is wrong with %s', async (line, status, message) => {
    expect(await explain(line)).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('gatehouse explain assertion', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const written = async (assertion: string) => {
    const file = join(home.folder, 'assertion.txt')
    await writeFile(file, assertion)
    return ['assertion', '--file', file]
  }

  it('says each check, in the organisation of the application that it names', async () => {
    const line = await written(`${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ iss: 'https://idp.test', client_id: clientId })}.c2ln\n`)
    const { status, stdout } = await explain(line)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^The assertion is refused\n {2}ok {2}client_id: cli_/)
    expect(stdout).toMatch(/^ {2}no {2}assertion_type\n {6}invalid_grant: expected oauth-id-jag\+jwt, received JWT\n/m)
    expect(stdout).toMatch(/^ {2}-- {2}assertion_subject$/m)
    const { stdout: json } = await explain([...line, '--json'])
    expect(JSON.parse(json)).toMatchObject({ allowed: false, clientId, connectionId: null })
  })

  it('says what is wrong', async () => {
    const unnamed = await written('no assertion')
    expect(await explain(unnamed)).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining('give --organisation') })
    expect((await explain([...unnamed, '--organisation', 'acme'])).stdout).toMatch(/^The assertion is refused\n {2}no {2}client_id\n/)
    expect(await explain([...unnamed, '--organisation', 'acme', '--client', 'cli_unknown'])).toMatchObject({ status: 1, stdout: '' })
    expect(await explain(await written(''))).toMatchObject({ status: 2, stderr: expect.stringContaining('--file is wrong') })
    expect(await explain('assertion --file /nowhere/assertion.txt')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('which cannot be read: there is no such file (ENOENT)'),
    })
    expect(await explain('assertion')).toMatchObject({ status: 2, stderr: expect.stringContaining('--file') })
  })
})
