/** `gatehouse create` */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const extensions = 'resource_indicators,client_metadata_documents,device,step_up'
let home: ProcessHome
let service: ServiceProcess
let owner: SignedInUser
beforeAll(async () => {
  home = await processHome()
  home.environment.OAUTH_EXTENSIONS = extensions
  service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
})
afterAll(async () => {
  await service.end()
  await home.remove()
})

const place = (name: string) => join(home.folder, name)
const create = (line: string, environment = home.environment) => runCommand(environment, `create ${line} --organisation acme`)
/** The settings that a copy starts with. */
const settingsIn = async (folder: string) =>
  Object.fromEntries(
    (await readFile(join(folder, '.env'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ) as Record<string, string>

describe('gatehouse create', () => {
  const examples = ['cli-device', 'machine-to-machine', 'mcp-server', 'spa-and-api', 'step-up', 'web-express', 'web-hono', 'webhooks']

  it.each(examples)('copies %s with settings that are complete, and registers it', async (example) => {
    const folder = place(example)
    const { status, stdout, stderr } = await create(`${example} ${folder}`)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { gatehouse } = JSON.parse(await readFile(`examples/${example}/package.json`, 'utf8'))
    const needs = `The service needs OAUTH_EXTENSIONS=${gatehouse.extensions.join(',')}\n`
    expect(stdout).toContain('npm install && npm start')
    expect(stdout.includes(needs)).toBe(gatehouse.extensions.length > 0)
    expect(stdout).toContain(gatehouse.then)
    expect(await readdir(folder)).toEqual([...(await readdir(`examples/${example}`)), '.env'].sort())
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600)
    const settings = await settingsIn(folder)
    expect(Object.keys(settings).join()).toBe(
      [...(await readFile(`examples/${example}/.env.example`, 'utf8')).matchAll(/^(\w+)=/gm)].map(([, name]) => name).join(),
    )
    for (const value of Object.values(settings)) expect(value).toMatch(/^(?:http:\/\/localhost:3000|[\w+/=-]{30,})$/)
    for (const [name, value] of Object.entries(settings)) if (name.endsWith('SECRET')) expect(stdout).not.toContain(value)
    // It says how to make the same by hand.
    const readme = await readFile(`examples/${example}/README.md`, 'utf8')
    expect(readme).toContain(`gatehouse create ${example} --organisation acme`)
    for (const name of Object.keys(settings)) expect(readme).toContain(`\n${name}=`)
    for (const name of gatehouse.extensions) expect(readme).toContain(name)
  })

  it('makes a client that gets tokens at once', async () => {
    const { stdout } = await create(`machine-to-machine ${place('stock')} --json`)
    const settings = await settingsIn(place('stock'))
    expect(JSON.parse(stdout)).toEqual({
      example: 'machine-to-machine',
      folder: place('stock'),
      organisation: 'acme',
      ids: [{ section: 'clients', object: 'stock', id: settings.CLIENT_ID }],
      needs: [],
    })
    const response = await fetch(`${service.origin}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${settings.CLIENT_ID}:${settings.CLIENT_SECRET}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'stock:read' }),
    })
    expect(await response.json()).toMatchObject({ scope: 'stock:read', access_token: expect.any(String) })
  })

  it('fills an empty folder, which stays the one that it is', async () => {
    await mkdir(place('here'))
    const { ino } = await stat(place('here'))
    expect(await create(`web-hono ${place('here')}`)).toMatchObject({ status: 0 })
    expect((await stat(place('here'))).ino).toBe(ino)
    expect(Object.keys(await settingsIn(place('here')))).toHaveLength(4)
    expect((await stat(join(place('here'), '.env'))).mode & 0o777).toBe(0o600)
    expect((await readdir(home.folder)).filter((name) => name.startsWith('here'))).toEqual(['here'])
  })

  it('works over the API, with a key, and writes the address that tokens name, however that of the API was typed', async () => {
    const permissions = ['clients:read', 'clients:create', 'clients:update', 'organisation:read', 'webhooks:read']
    const { body } = await owner.post('/v1/admin/api-keys', { name: 'Examples', permissions })
    const remote = { GATEHOUSE_API_KEY: body.key }
    const done = await create(`web-express ${place('shop')} --url ${service.origin}/`, remote)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const discovered = await fetch(`${service.origin}/.well-known/openid-configuration`)
    const { issuer } = (await discovered.json()) as { issuer: string }
    expect((await settingsIn(place('shop'))).GATEHOUSE_URL).toBe(issuer)
    expect(issuer).not.toBe(service.origin)
  })

  it('names every extension that it needs, and that its own environment has to name them, too', async () => {
    const without = { ...home.environment, OAUTH_EXTENSIONS: 'resource_indicators' }
    const needs = (names: string) => `needs OAUTH_EXTENSIONS to hold ${names}: set it for the service, and for this command as well\n`
    expect(await create(`cli-device ${place('off')}`, without)).toMatchObject({ status: 1, stderr: `cli-device ${needs('device')}` })
    expect(await create(`mcp-server ${place('off')}`, without)).toMatchObject({
      status: 1,
      stderr: `mcp-server ${needs('resource_indicators,client_metadata_documents')}`,
    })
    expect(await readdir(home.folder)).not.toContain('off')
  })

  it('changes nothing with --dry-run', async () => {
    const before = (await owner.get('/v1/admin/clients?limit=100')).body
    const { status, stdout } = await create(`web-hono ${place('dry')} --dry-run`)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Would copy web-hono to') })
    expect((await owner.get('/v1/admin/clients?limit=100')).body).toEqual(before)
    expect(await readdir(home.folder)).not.toContain('dry')
  })

  it('refuses what it cannot do, and leaves no folder and no client behind', async () => {
    await mkdir(place('used'))
    await writeFile(join(place('used'), 'mine.txt'), 'mine')
    const [folders, clients] = [await readdir(home.folder), (await owner.get('/v1/admin/clients?limit=100')).body]
    const refused: [string, number, string][] = [
      [`unknown ${place('x')}`, 2, 'must be one of cli-device, machine-to-machine'],
      [`web-hono ${place('used')}`, 1, `${place('used')} is not empty`],
      [`web-hono ${join(place('used'), 'mine.txt')}`, 1, 'it is a file'],
      // Its secret is in the first copy.
      [`web-express ${join(place('used'), 'web-express')}`, 1, 'acme has clients.web-express already'],
      [`mcp-server ${place('notes')}`, 1, 'Identifier already in use'],
      [`web-hono ${join(place('missing'), 'deep')}`, 1, 'cannot be made'],
    ]
    for (const [line, status, reason] of refused) {
      const result = await create(line)
      expect([line, result.status, result.stderr]).toEqual([line, status, expect.stringContaining(reason)])
    }
    const elsewhere = await runCommand(home.environment, `create web-hono ${place('x')} --organisation unknown`)
    expect(elsewhere).toMatchObject({ status: 1, stderr: expect.stringContaining('"unknown"') })
    expect(await readdir(home.folder)).toEqual(folders)
    expect(await readdir(place('used'))).toEqual(['mine.txt'])
    expect((await owner.get('/v1/admin/clients?limit=100')).body).toEqual(clients)
  })
})
