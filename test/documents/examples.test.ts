/**
 * Every example of every help, and every shell block of the documents, is run as printed, on one installation that begins with nothing. What
 * cannot be run here is listed with the test that runs it, or the reason. Afterwards the service starts on what the examples have left.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { allCommands, helpOf, runCommand } from '../support/command.ts'
import { cookieOf } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

/** Examples of help that are not run here, by how they begin, with the test that runs them, or the reason why none can. */
const examplesElsewhere: Readonly<Record<string, string>> = {
  'DATABASE_URL=postgres://gatehouse:…@localhost/gatehouse gatehouse serve': 'test/operations/start.test.ts: it runs until it is stopped',
  'gatehouse serve --seed': 'test/cli/serve-seed.test.ts: it runs until it is stopped',
  'gatehouse test-mode': 'test/test-mode and test/kit/testing.test.ts: it runs until it is stopped',
  'gatehouse create ': 'test/cli/create.test.ts: it makes a folder where it is run',
  'gatehouse doctor': 'test/doctor: it looks for a service at PUBLIC_URL',
  'gatehouse verify isolation': 'test/cli/verify.test.ts: it takes a minute',
  'gatehouse database': 'test/cli/database-backup.test.ts and test/cli/database-move.test.ts: it takes databases of its own',
  'gatehouse connection refresh': 'test/connections: the identity provider of the example does not exist',
  'gatehouse setup-link activate': 'test/setup-links: the visitor of a link finishes it',
  'gatehouse domain verify': 'test/domains: the domain of the example has no record',
  'gatehouse directory delete-token': 'test/cli/records.test.ts: the token of the example does not exist',
  'gatehouse organisation import': 'test/documents/organisation-export.test.ts: it is run in another installation',
  'gatehouse webhooks listen': 'test/webhooks/listen.test.ts: it runs until it is stopped',
  'gatehouse webhooks verify': 'test/cli/webhooks.test.ts: the signature of an example is of no secret',
}

/** Shell blocks of the documents, in whichever folder, that are not run here, by file and first line. */
const blocksElsewhere: Readonly<Record<string, string>> = {
  'README.md: npm ci && npm start': 'test/operations/npm-start.test.ts',
  'README.md: npm ci && npm test': 'it runs this test',
  'README.md: docker run': 'there is no Docker in the tests',
  'SECURITY.md: docker run': 'there is no Docker in the tests',
  'docs/api-keys.md: ': 'test/documents/readme.test.ts',
  'docs/api-tour.md: ': 'test/documents/readme.test.ts',
  'docs/configuration-as-code.md: ': 'test/documents/configuration-as-code.test.ts',
  'docs/integrating.md: ': 'test/documents/snippets.test.ts',
  'docs/automatic-clients.md: OAUTH_EXTENSIONS': 'it is a line of a configuration: test/oauth/client-documents.test.ts',
  'docs/connections.md: curl': 'test/connections: the identity provider of the example does not exist',
  'docs/high-assurance.md: curl': 'test/oauth/fapi2.test.ts: the key of the example is not whole',
  'docs/kit/README.md: ':
    'test/operations/package.test.ts and test/kit/packed.test.ts pack and install, test/cli/create.test.ts makes the application',
  'docs/mutual-tls.md: ': 'test/oauth/mutual-tls.test.ts and test/oauth/mutual-tls-proxy.test.ts: they need a proxy and certificates',
  'docs/oauth.md: curl': 'test/admin/clients.test.ts: it continues a session',
  'docs/migrating-from-auth0.md: ': 'test/cli/migrate-to-gatehouse.test.ts',
  'docs/migrating-from-keycloak.md: ': 'test/cli/migrate-to-gatehouse.test.ts',
  'docs/mcp.md: OAUTH_EXTENSIONS': 'it is a configuration: test/documents/mcp.test.ts',
  'docs/monitoring.md: OTEL_': 'it needs a collector: test/operations/tracing.test.ts',
  'docs/operations.md: pg_': 'test/operations/database-role.test.ts: they need a server of the operating system',
  'docs/operations.md: KEY=': 'test/system: the ids of the example do not exist',
  'docs/organisation-export.md: ': 'test/documents/organisation-export.test.ts',
  'docs/passwords.md: npm run passwords:import': 'it needs the list of a gigabyte: test/auth/breached-passwords.test.ts',
  'docs/from-first-look-to-production.md: ': 'test/documents/first-look-to-production.test.ts, and test/operations/package.test.ts',
  'docs/protect-an-api.md: ': 'test/documents/protect-an-api.test.ts',
  'docs/privacy.md: printf': 'test/system: the ids of the example do not exist',
  'docs/reliability.md: npm run bench:faults': 'it measures',
  'docs/high-availability.md: ': 'test/operations/patroni.test.ts: it needs packages of the system',
  'docs/webhooks.md: ': 'test/documents/webhooks.test.ts and test/webhooks/listen.test.ts',
}

/** The examples in the order in which they are run, each once. Those that end something come last. */
const first = [
  /^gatehouse organisation recipient-key /,
  /^gatehouse organisation create /,
  /^gatehouse user create /,
  /^gatehouse role create /,
  /^gatehouse [a-z-]+ create /,
  /^gatehouse export /,
]
/** What others need. */
const later = /^gatehouse (?!user )[a-z-]+ (?:delete|revoke|end) /
const last = [/^openssl rand /, /^gatehouse secret-key rotate /, /^gatehouse organisation (?:delete|restore) /]
const placeOf = (line: string) => {
  const [begins, ends] = [first, last].map((patterns) => patterns.findIndex((pattern) => pattern.test(line)))
  if (begins !== undefined && begins >= 0) return begins - first.length
  if (ends !== undefined && ends >= 0) return ends + 1
  return later.test(line) ? 0.5 : 0
}

const examples = (await allCommands()).flatMap(({ command }) => {
  const [, lines = ''] = /\nExamples?:\n([\s\S]*)$/.exec(helpOf(command)) ?? []
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
})
const isElsewhere = (table: Readonly<Record<string, string>>, text: string) =>
  Object.keys(table).some((beginning) => text.startsWith(beginning))

/** The shell blocks of a document. An indented one is part of a list. */
const blocksOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^( *)```(?:sh|bash)\n([\s\S]*?)^ *```/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
const blocks = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md').sort()].flatMap((file) =>
  blocksOf(file).map((block) => ({
    key: `${file}: ${block
      .trim()
      .split('\n')
      .find((line) => line !== 'umask 077')}`,
    block,
  })),
)
const blocksHere = new Map(blocks.filter(({ key }) => !isElsewhere(blocksElsewhere, key)).map(({ key, block }) => [key, block]))

const registration = [...blocksHere.keys()].find((key) => key.startsWith('docs/permissions.md: curl')) ?? ''

let home: ProcessHome
let environment: Record<string, string>
let clientId: string
let entryId: string

beforeAll(async () => {
  home = await processHome()
  await mkdir(join(home.folder, 'bin'))
  await writeFile(join(home.folder, 'bin/gatehouse'), `#!/bin/sh\nexec '${process.execPath}' '${builtService}' "$@"\n`)
  await chmod(join(home.folder, 'bin/gatehouse'), 0o755)
  environment = {
    ...home.environment,
    PATH: `${join(home.folder, 'bin')}:${process.env.PATH}`,
    HOME: home.folder,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
})
afterAll(() => home.remove())

/** Runs lines as they are printed. */
function shell(script: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', script],
      { cwd: home.folder, env: environment },
      (_error, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    )
  })
}

const isOfRecords = (line: string) =>
  /^gatehouse (?:client|role|permission|team|invitation|api-key|connection|domain|audit|user (?:add|remove)-role) /.test(line)

/** Runs an example. One that names no file, and of which a shell does no more than split it into words, needs no process. */
async function runExample(line: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  if (/[|<>$*]|\.(?:backup|csv|html|jsonl?|jwk|key|ndjson|txt|yaml)\b|acme\/|^(?!gatehouse )/.test(line)) return shell(line)
  const { stdout: words } = await shell(`printf '%s\\0' ${line}`)
  return runCommand({ ...home.environment, SECRET_KEY: environment.SECRET_KEY ?? '' }, words.split('\0').slice(1, -1))
}

/** Runs a block of the documents, and removes it from those that are left. */
async function block(key: string): Promise<string> {
  const script = blocksHere.get(key)
  if (script === undefined) throw new Error(`There is no block ${key}`)
  blocksHere.delete(key)
  const { status, stdout, stderr } = await shell(script)
  expect({ key, status, stderr }).toEqual({ key, status: 0, stderr: '' })
  return stdout
}

async function startedService(): Promise<ServiceProcess> {
  const { SECRET_KEY = '', SYSTEM_API_KEY = '' } = environment
  return (await ServiceProcess.start({ ...home.environment, SECRET_KEY, SYSTEM_API_KEY })).ready()
}

describe('the examples, on one installation', () => {
  it('lead from nothing to an owner who signs in', async () => {
    await block('docs/operations.md: echo "SECRET_KEY=$(openssl rand -base64 32)" > environment')
    const written = await readFile(join(home.folder, 'environment'), 'utf8')
    for (const [, name = '', value = ''] of written.matchAll(/^(\w+)=(.+)$/gm)) environment[name] = value
    expect(environment).toMatchObject({ SECRET_KEY: expect.stringMatching(/^\S{44}$/), SYSTEM_API_KEY: expect.stringMatching(/^\w{64}$/) })
    await block('docs/upgrading.md: gatehouse config check')
    const made = await block(
      'docs/operations.md: gatehouse organisation create --name Acme --slug acme --email it@acme.test --owner-email olive@acme.test',
    )
    const link = /^http\S+$/m.exec(made)?.[0]

    const service = await startedService()
    const password = 'correct horse battery'
    const reset = { token: new URL(link ?? '').searchParams.get('token'), password }
    expect(await service.anonymous.post('/v1/auth/password/reset', reset)).toMatchObject({ status: 200 })
    const login = await service.anonymous.post('/v1/auth/login', { email: 'olive@acme.test', password })
    const owner = service.anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
    for (const email of ['owner@acme.test', 'anna@acme.test'])
      await owner.post('/v1/admin/users', { email, firstName: 'A', lastName: 'B', sendWelcomeMail: false })
    clientId = (await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'confidential', redirectUris: ['https://a.example/'] }))
      .body.clientId
    entryId = (await owner.audit({ limit: 1 }))[0].id
    environment.URL = service.origin
    expect(JSON.parse(await block(registration))).toMatchObject({ slug: 'reports:read' })
    expect(await service.end()).toBe(0)
  })

  it('find the files that they name', async () => {
    const assertion = [{ typ: 'oauth-id-jag+jwt', alg: 'ES256' }, { client_id: clientId }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    await Promise.all([
      writeFile(join(home.folder, 'assertion.txt'), `${assertion.join('.')}.bm9uZQ`),
      ...['keycloak-realm.json:realm.json', 'auth0-users.ndjson:users.ndjson', 'auth0-hashes.ndjson:hashes.ndjson']
        .map((pair) => pair.split(':') as [string, string])
        .map(([from, to]) => copyFile(join('test/cli/migrations', from), join(home.folder, to))),
      writeFile(join(home.folder, 'users.jsonl'), '{"email":"ada@acme.test","firstName":"Ada","lastName":"B"}\n'),
      writeFile(join(home.folder, 'connection.json'), JSON.stringify({ name: 'Entra', slug: 'entra', provider: 'oidc', isActive: false })),
      writeFile(join(home.folder, 'users.csv'), 'email,given_name,family_name,nickname\nbob@acme.test,Bob,B,bobby\n'),
      mkdir(join(home.folder, 'acme')).then(() => writeFile(join(home.folder, 'acme/teams.yaml'), 'teams: {}\n')),
      mkdir(join(home.folder, '.zfunc')),
      mkdir(join(home.folder, '.config/fish/completions'), { recursive: true }),
      expect
        .soft(
          shell(
            'gatehouse organisation create --name Staging --slug acme-staging --email staging@acme.test --owner-email staging@acme.test',
          ),
        )
        .resolves.toMatchObject({ status: 0, stderr: '' }),
    ])
  })

  /** Of the help of some commands, in their order. */
  async function succeed(isMeant: (line: string) => boolean): Promise<void> {
    const run = [...new Set(examples)]
      .filter((line) => isMeant(line) && !isElsewhere(examplesElsewhere, line) && placeOf(line) < 1)
      .sort((left, right) => placeOf(left) - placeOf(right))
    for (const line of run) {
      const { status, stderr } = await runExample(
        line.replace('cli_01kahm3z9n4v7f2t8q6w5r1y0x', clientId).replace('aud_01kahm3z9n4v7f2t8q6w5r1y0x', entryId),
      )
      // It ends with 1 where there are differences.
      const isRight = status === 0 || (status === 1 && line.startsWith('gatehouse diff '))
      const noticed = stderr.replace('Nothing was changed: this was a dry run\n', '').replace(/^There are more: .*\n/, '')
      expect([line, isRight ? 0 : status, noticed]).toEqual([line, 0, ''])
    }
  }
  it('of the help of commands for records succeed as printed', async () => {
    await succeed(isOfRecords)
    await block('docs/cli.md: gatehouse role create --organisation acme --name Billing --slug billing --permission users:read')
  })

  it('of every other help succeed as printed', () => succeed((line) => !isOfRecords(line)))

  it('register an MCP server while the extensions that it needs are on', async () => {
    const without = environment
    environment = { ...without, OAUTH_EXTENSIONS: 'resource_indicators,client_metadata_documents' }
    await block("docs/mcp.md: gatehouse resource-server create --organisation acme --input - <<'JSON'")
    await block(
      'docs/mcp.md: gatehouse client create --organisation acme --name "Notes server" --client-type confidential --grant-type client_credentials',
    )
    environment = without
  })

  it('that end something leave an installation that starts with what they have left', async () => {
    await block('docs/operations.md: gatehouse user reset-mfa owner@acme.test --reason "Ticket 4711, identity checked by phone" --yes')
    await block('docs/operations.md: openssl rand -base64 32 > new.key')
    expect(await block('docs/operations.md: gatehouse secret-key rotate --new-key-file new.key')).toContain(
      'Set SECRET_KEY to what new.key holds',
    )
    environment.SECRET_KEY = (await readFile(join(home.folder, 'new.key'), 'utf8')).trim()

    const service = await startedService()
    expect((await service.anonymous.get('/oauth2/jwks.json')).body.keys.length).toBeGreaterThan(0)
    expect(await service.anonymous.post('/v1/auth/login', { email: 'olive@acme.test', password: 'correct horse battery' })).toMatchObject({
      status: 200,
    })
    expect(await service.end()).toBe(0)

    // An organisation that is deleted can be restored.
    for (const line of examples.filter((one) => /^gatehouse organisation (?:delete|restore) /.test(one)))
      expect([line, (await shell(line)).status]).toEqual([line, 0])
  })

  it('are all run, or listed with the reason', () => {
    expect([...blocksHere.keys()]).toEqual([])
    for (const beginning of Object.keys(examplesElsewhere))
      expect([beginning, examples.some((line) => line.startsWith(beginning))]).toEqual([beginning, true])
    for (const beginning of Object.keys(blocksElsewhere))
      expect([beginning, blocks.some(({ key }) => key.startsWith(beginning))]).toEqual([beginning, true])
  })
})
