import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { systemProgram } from '../support/system-program.ts'

const page = await readFile('docs/organisation-export.md', 'utf8')
const password = 'correct horse battery'

/** The commands of a section, and what it says that they print. */
function section(title: string): { commands: string; printed: string }[] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  const steps = text.matchAll(/^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)
  return [...steps].map(([, commands = '', printed = '']) => ({ commands, printed }))
}

/** What differs from one run to the next. */
const withoutNames = (text: string) =>
  text
    .replaceAll(/org_\w+/g, 'org_1')
    .replaceAll(/the key [\w-]{43}/g, 'the key K')
    .replaceAll(/\d+ rows/g, 'n rows')

let [former, present]: ProcessHome[] = []
let programs: string
beforeAll(async () => {
  former = await processHome()
  present = await processHome()
  programs = join(former.folder, 'programs')
  await mkdir(programs)
  await writeFile(join(programs, 'gatehouse'), `#!/bin/sh\nexec "${process.execPath}" "${builtService}" "$@"\n`, { mode: 0o755 })
  for (const [home, port] of [
    [former, 4_000],
    [present, 4_001],
  ] as const) {
    Object.assign(home.environment, { SECRET_KEY: randomBytes(32).toString('base64'), PUBLIC_URL: `http://localhost:${port}` })
  }
  const first = { BOOTSTRAP_ORGANISATION_SLUG: 'acme', BOOTSTRAP_OWNER_EMAIL: 'anna@acme.test', BOOTSTRAP_OWNER_PASSWORD: password }
  const service = await (await ServiceProcess.start({ ...former.environment, ...first })).ready()
  try {
    await fill(service)
  } finally {
    await service.end()
  }
})
afterAll(async () => {
  await former?.remove()
  await present?.remove()
})

/** What the page moves. */
async function fill(service: ServiceProcess): Promise<void> {
  const { body: keys } = await service.anonymous.get('/oauth2/jwks.json')
  await writeFile(join((former as ProcessHome).folder, 'former.jwks.json'), JSON.stringify(keys))
  const signedIn = await service.anonymous.post('/v1/auth/login', { email: 'anna@acme.test', password })
  const owner = new SignedInUser(service.origin, signedIn, { email: 'anna@acme.test', password })
  for (const [path, body] of [
    [
      '/v1/admin/clients',
      { name: 'Shop', clientType: 'confidential', grantTypes: ['client_credentials'], scopes: ['users:read'], redirectUris: [] },
    ],
    ['/v1/admin/api-keys', { name: 'Pipeline', permissions: ['users:read'] }],
    ['/v1/admin/webhooks', { url: 'https://hooks.acme.test/in', events: ['user.created'] }],
  ] as const) {
    expect([path, await owner.post(path, body)]).toMatchObject([path, { status: 201 }])
  }
}

/** Runs the commands where the files are, at the one installation or the other. */
async function run(commands: string, home = former as ProcessHome): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: (former as ProcessHome).folder,
    env: { PATH: `${programs}:${process.env.PATH}`, ...home.environment },
  })
  return withoutNames(stdout)
}
const lines = (text: string) => text.trimEnd().split('\n')

describe('the page about moving an organisation', () => {
  it('takes one to another installation, with its secrets', async () => {
    const [pair, exported, imported, openssl] = section('With secrets')
    if (!pair || !exported || !imported || !openssl) throw new Error('The page has other sections')

    expect(await run(pair.commands, present)).toBe(pair.printed)
    expect(await run(exported.commands)).toBe(withoutNames(exported.printed))
    const [dryRun = '', forGood = ''] = lines(imported.commands)
    // A dry run says the same of what would be.
    const wouldBe = withoutNames(imported.printed).replace('Imported', 'Would import').replace('What remains', 'What would remain')
    expect(await run(dryRun, present)).toBe(wouldBe)
    expect(await run(forGood, present)).toBe(withoutNames(imported.printed))
    if (systemProgram('openssl'))
      await run(`${openssl.commands}gatehouse organisation export acme x.jsonl --with-secrets --recipient new.public.pem`)
  })

  it('takes one without them, and says what remains to be done', async () => {
    const [without] = section('Without secrets')
    const [exported = '', imported = ''] = lines(without?.commands ?? '')
    const another = await processHome()
    Object.assign(another.environment, { SECRET_KEY: randomBytes(32).toString('base64'), PUBLIC_URL: 'http://localhost:4001' })
    try {
      await run(exported)
      expect(await run(imported, another)).toBe(withoutNames(without?.printed ?? ''))
    } finally {
      await another.remove()
    }
  })

  it('lists what a file has', async () => {
    const [list] = section('The format')
    if (systemProgram('jq')) expect(await run((list?.commands ?? '').replace('acme.jsonl', 'plain.jsonl'))).toBe('anna@acme.test\n')
  })
})
