import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type Platform, platform } from '../support/platforms.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const page = await readFile('docs/configuration-as-code.md', 'utf8')
const section = page.slice(page.indexOf('## In CI without a secret'))
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1] ?? ''
const workflow = parse(block('yaml'))
const job = workflow.jobs.identity

let url: string
let folder: string
let github: Platform
let apiKeyId: string
/** What the stand-in of GitHub was asked. */
const asked: { audience: string | null; permit: string | undefined }[] = []
let requestUrl: string

beforeAll(async () => {
  const home = await processHome()
  folder = home.folder
  github = await platform('github')
  const account = { email: 'owner@acme.test', password: 'correct horse battery' }
  const environment = { OAUTH_EXTENSIONS: 'federated_credentials' }
  const first = { BOOTSTRAP_OWNER_EMAIL: account.email, BOOTSTRAP_OWNER_PASSWORD: account.password }
  const service = await (await ServiceProcess.start({ ...home.environment, ...environment, ...first })).ready()
  // Its usual PUBLIC_URL, which is whom the tokens are for.
  url = `http://localhost:${new URL(service.origin).port}`
  const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
  // As the page shows it, but for the platform, which is the stand-in.
  const body = JSON.parse(block('json'))
  const [credential] = body.federatedCredentials
  const federatedCredentials = [{ ...credential, issuer: github.issuer }]
  const created = await owner.post('/v1/admin/api-keys', { ...body, federatedCredentials })
  expect(created).toMatchObject({ status: 201 })
  apiKeyId = created.body.id

  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://stand-in')
    const audience = searchParams.get('audience')
    asked.push({ audience, permit: request.headers.authorization })
    const value = await github.token(audience ?? '', new Date(), { claims: { sub: credential.subject } })
    response.end(JSON.stringify({ count: 1, value }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  requestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?api-version=2.0`
  return async () => {
    server.close()
    await service.end()
    await home.remove()
  }
})

const document = () => join(folder, 'organisation.yaml')
const token = async (audience = url) => github.token(audience, new Date(), { claims: { sub: 'repo:acme/identity:ref:refs/heads/main' } })
const plan = (environment: Record<string, string>, options = '') =>
  runCommand({ GATEHOUSE_API_KEY_ID: apiKeyId, ...environment }, `diff -f ${document()} --federated --url ${url} ${options}`)

describe('the workflow without a secret', () => {
  it('holds none, and its steps run in a job of the platform', async () => {
    expect(block('yaml')).not.toMatch(/secrets\./)
    await writeFile(document(), 'organisation: acme\nteams:\n  europe:\n    name: Europe\n')
    const environment = {
      GATEHOUSE_API_KEY_ID: apiKeyId,
      ACTIONS_ID_TOKEN_REQUEST_URL: requestUrl,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'permit',
    }
    const steps: string[] = job.steps.flatMap(({ run }: { run?: string }) => (run?.startsWith('gatehouse ') ? [run] : []))
    expect(steps).toHaveLength(2)
    for (const step of steps) {
      const line = step.replace('gatehouse ', '').replace('organisation.yaml', document()).replace('"$URL"', url)
      expect(await runCommand(environment, line)).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringContaining('+ teams.europe'),
      })
    }
    expect(asked).toEqual([
      { audience: url, permit: 'Bearer permit' },
      { audience: url, permit: 'Bearer permit' },
    ])
    expect(await plan({}, `--token-file ${join(folder, 'none')}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be read'),
    })
  })

  it('works alike with the variable of GitLab, and with a file', async () => {
    expect(await plan({ GATEHOUSE_ID_TOKEN: await token() })).toMatchObject({ status: 0, stderr: '' })
    const file = join(folder, 'token')
    await writeFile(file, `${await token()}\n`)
    expect(await plan({}, `--token-file ${file}`)).toMatchObject({ status: 0, stderr: '' })
    const named = await runCommand({}, `diff -f ${document()} --federated --token-file ${file} --api-key-id ${apiKeyId} --url ${url}`)
    expect(named).toMatchObject({ status: 0, stderr: '' })
  })

  it('says what is missing', async () => {
    expect(await plan({})).toMatchObject({ status: 1, stderr: expect.stringContaining('finds no token of a platform') })
    expect(await plan({ GITHUB_ACTIONS: 'true' })).toMatchObject({ status: 1, stderr: expect.stringContaining('id-token: write') })
    expect(await plan({ GATEHOUSE_API_KEY_ID: '' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('GATEHOUSE_API_KEY_ID is not set'),
    })
    expect(await plan({ GATEHOUSE_ID_TOKEN: await token('https://elsewhere.example.test') })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The token cannot be exchanged for this API key'),
    })
    expect(await runCommand({}, `diff -f ${document()} --federated`)).toMatchObject({ status: 1, stderr: expect.stringContaining('--url') })
    expect(await runCommand({}, `diff -f ${document()} --url ${url} --api-key-id x`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('go with --federated'),
    })
  })
})
