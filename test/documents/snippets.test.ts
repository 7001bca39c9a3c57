import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Framework, privateKeyFileOf, registrationOf, type Snippet } from '../../console/src/pages/applications/snippets/framework.ts'
import { frameworks, snippetsOf } from '../../console/src/pages/applications/snippets/frameworks.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { clientKey } from '../support/client-keys.ts'
import { freePort } from '../support/free-port.ts'
import type { TestOrganisation } from '../support/given.ts'
import { needsAuthlib, needsGo, needsPython, pythonWithAuthlib, run } from '../support/languages.ts'

const { browser, service } = useBrowserAndService({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt,par,dpop' } })

const sessionSecret = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY'
let folder: string
const endings: (() => unknown)[] = []
beforeAll(async () => {
  // Inside the project, so that the programs find its packages.
  await mkdir('coverage', { recursive: true })
  folder = resolve(await mkdtemp(join('coverage', 'snippets-')))
})
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const framework = (id: string): Framework => {
  const found = frameworks.find((one) => one.id === id)
  if (!found) throw new Error(`There is no framework ${id}`)
  return found
}

interface Shown {
  organisation: TestOrganisation
  snippets: Snippet[]
  environment: string | undefined
  clientId: string
  /** The file with the private key, as the browser saves it. */
  keyFile: Snippet | undefined
}

/** Registers an application as the wizard does, and gives what it shows then. */
async function shown({ kinds, idTokenSignedResponseAlg, ...one }: Framework, redirectUri?: string, kind = kinds[0]): Promise<Shown> {
  if (kind === undefined) throw new Error('A framework is for some kind of application')
  const organisation = await service().given.organisation()
  const key = one.hasKeyFile && (await clientKey('ES256', 'made-in-the-browser'))
  const { status, body } = await organisation.owner.post('/v1/admin/clients', {
    name: 'Portal',
    ...registrationOf[kind],
    ...(redirectUri && { redirectUris: [redirectUri] }),
    ...(key && { jwks: { keys: [{ ...key.publicKey, use: 'sig', alg: key.alg }] } }),
    ...(idTokenSignedResponseAlg && { idTokenSignedResponseAlg }),
  })
  expect(status).toBe(201)
  const { clientId, clientSecret } = body as { clientId: string; clientSecret: string }
  const values = { issuer: service().origin, clientId, redirectUri: redirectUri ?? '' }
  return {
    organisation,
    snippets: snippetsOf({ kinds, ...one }, values),
    environment: one.environment?.({ clientSecret, sessionSecret }),
    clientId,
    keyFile: key && {
      file: privateKeyFileOf(values),
      language: 'json',
      code: JSON.stringify({ ...key.whole, use: 'sig', alg: key.alg }),
    },
  }
}

/** Stores the files as they are shown, in a folder of their own. */
async function stored({ snippets, environment = '', keyFile }: Pick<Shown, 'snippets'> & Partial<Shown>): Promise<string> {
  const home = await mkdtemp(join(folder, 'app-'))
  await writeFile(join(home, '.env'), environment)
  for (const { file, code } of [...snippets, ...(keyFile ? [keyFile] : [])]) await writeFile(join(home, basename(file)), code)
  return home
}

/** Starts a program, which ends with the test. */
function start(home: string, command: string, ...parameters: string[]) {
  const child = spawn(command, parameters, { cwd: home, env: process.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  endings.push(() => {
    child.kill()
    return ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return { child, ended, output: () => output }
}

/** Follows redirects as a browser does in which the owner is signed in, with the cookies of each origin. */
async function follow(address: string, { owner }: TestOrganisation): Promise<string> {
  const cookies = new Map([[service().origin, new Map([owner.cookie.split('=') as [string, string]])]])
  for (let next = new URL(address); ; ) {
    const jar = cookies.get(next.origin) ?? new Map<string, string>()
    cookies.set(next.origin, jar)
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return response.text()
    next = new URL(location, next)
  }
}

const until = async (isReached: () => Promise<boolean> | boolean) => {
  while (!(await isReached())) await new Promise((done) => setTimeout(done, 25))
}
const listens = (origin: string) =>
  until(() =>
    fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => false,
    ),
  )

const greeting = ({ owner }: TestOrganisation) => new RegExp(`^Hello .+ \\(${owner.email}, ${owner.id}\\)`, 'm')

describe('the snippet of a web application signs a user in, as it is shown', () => {
  it.each(['openid-client', 'passport', 'openid-client-high-assurance'])('for %s', async (id) => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const { organisation, ...files } = await shown(framework(id), `${origin}/callback`)
    const home = await stored(files)
    const program = start(home, process.execPath, '--env-file=.env', files.snippets[0]?.file ?? '')
    await Promise.race([listens(origin), program.ended])

    expect(await follow(`${origin}/`, organisation), program.output()).toMatch(greeting(organisation))
  })

  it('for openid-client, and turns away a response that was not asked for', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const { organisation, ...files } = await shown(framework('openid-client'), `${origin}/callback`)
    const program = start(await stored(files), process.execPath, '--env-file=.env', 'app.mjs')
    await Promise.race([listens(origin), program.ended])

    const response = await fetch(`${origin}/callback?code=stolen&state=other&iss=${encodeURIComponent(service().origin)}`)

    expect(response.status).toBe(400)
    expect(await follow(`${origin}/login`, organisation)).toMatch(greeting(organisation))
  })

  it('for Authlib', needsAuthlib, async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const { organisation, ...files } = await shown(framework('authlib'), `${origin}/callback`)
    const command = /flask --app.*/.exec(files.snippets[0]?.code ?? '')?.[0] ?? ''
    const program = start(await stored(files), 'bash', '-c', `set -a; . ./.env; exec ${pythonWithAuthlib} -m ${command}`)
    await Promise.race([listens(origin), program.ended])

    expect(JSON.parse(await follow(`${origin}/`, organisation)), program.output()).toMatchObject({ sub: organisation.owner.id })
  })

  it('for curl, pasted into a shell', async () => {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`
    const { organisation, ...files } = await shown(framework('curl'), redirectUri)
    const answer = await signInByCurl(files, organisation)

    expect(answer).toMatchObject({ token_type: 'Bearer', scope: 'openid profile email' })
  })
})

async function signInByCurl(files: Pick<Shown, 'snippets' | 'environment'>, organisation: TestOrganisation): Promise<unknown> {
  const program = start(await stored(files), 'bash', '-c', '. ./.env; . ./sign-in.sh')
  await until(() => program.output().includes('/oauth2/authorize?') && program.output().endsWith('\n'))
  const [address = ''] = /http\S*authorize\S*/.exec(program.output()) ?? []
  const { headers } = await fetch(address, { redirect: 'manual', headers: { cookie: organisation.owner.cookie } })
  program.child.stdin.end(`${headers.get('location')}\n`)
  await program.ended
  return JSON.parse(program.output().slice(program.output().indexOf('{')))
}

describe('the snippet of a public client signs a user in, as it is shown', () => {
  it('for oidc-client-ts in a browser', async () => {
    const files = new Map<string, string>()
    const server = createServer((request, response) => {
      const script = files.get(request.url ?? '')
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
      response.end(script ?? page)
    })
    const page = `<!doctype html><title>App</title><script type="importmap">{"imports":{"oidc-client-ts":"/oidc-client-ts.js","jwt-decode":"/jwt-decode.js"}}</script><script type="module" src="/main.js"></script>`
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    endings.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    const { organisation, snippets } = await shown(framework('oidc-client-ts'), `${origin}/callback`)
    files.set('/main.js', snippets[0]?.code ?? '')
    files.set('/oidc-client-ts.js', await readFile('node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js', 'utf8'))
    files.set('/jwt-decode.js', await readFile('node_modules/jwt-decode/build/esm/index.js', 'utf8'))

    const context = await browser().newContext()
    endings.push(() => context.close())
    const { owner } = organisation
    const [name = '', value = ''] = owner.cookie.split('=')
    await context.addCookies([{ name, value, url: service().origin }])
    const tab = await context.newPage()
    await tab.goto(origin)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByText('Hello').waitFor()

    expect(await tab.locator('body').textContent()).toMatch(greeting(organisation))
    expect(tab.url()).toBe(`${origin}/`)
  })

  it('for oauth4webapi on the command line, at any port', async () => {
    const { organisation, ...files } = await shown(framework('oauth4webapi'), 'http://127.0.0.1/callback')
    const program = start(await stored(files), process.execPath, 'sign-in.mjs')
    await Promise.race([until(() => program.output().endsWith('\n')), program.ended])

    const [address = ''] = /http\S+/.exec(program.output()) ?? []
    expect(await follow(address, organisation), program.output()).toBe('You can close this window.')

    await program.ended
    expect(program.output()).toMatch(greeting(organisation))
  })

  it('for curl, pasted into a shell', async () => {
    const { organisation, ...files } = await shown(framework('curl-public'), 'http://127.0.0.1/callback')

    expect(await signInByCurl(files, organisation)).toMatchObject({ token_type: 'Bearer' })
  })
})

describe('the snippet of a service gets a token, as it is shown', () => {
  it('for openid-client', async () => {
    const { environment, snippets } = await shown(framework('openid-client-service'))
    const home = await stored({ environment, snippets })

    const { stdout } = await run(process.execPath, ['--env-file=.env', 'service.mjs'], { cwd: home })

    expect(stdout).toMatch(/^eyJ\S+ expires in 3600 seconds$/m)
  })

  it('for Authlib', needsAuthlib, async () => {
    const home = await stored(await shown(framework('authlib-service')))

    const { stdout } = await run('bash', ['-c', `set -a; . ./.env; ${pythonWithAuthlib} service.py`], { cwd: home })

    expect(stdout).toMatch(/^eyJ\S+ expires in \d+ seconds$/m)
  })

  it('for curl', async () => {
    const home = await stored(await shown(framework('curl-service')))

    const { stdout } = await run('bash', ['-c', '. ./.env; . ./token.sh'], { cwd: home })

    expect(JSON.parse(stdout)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  })
})

describe('the registration of each kind', () => {
  it('is the one of the table in docs/oauth.md', async () => {
    const rows = [...(await readFile('docs/oauth.md', 'utf8')).matchAll(/^\| an? .+ \| `(\w+)` \| (.+) \| (.+) \|$/gm)]
    const inDocument = rows.map(([, clientType, grants = '', authentication = '']) => ({
      clientType,
      grantTypes: [...grants.matchAll(/`(\w+)`/g)].map(([, grant]) => grant),
      tokenEndpointAuthMethod: /`(\w+)`/.exec(authentication)?.[1],
    }))
    const { web, browser: singlePage, native, service: machine } = registrationOf
    expect(native).toEqual(singlePage)
    expect(inDocument).toEqual([web, native, machine])
  })
})

/** Checks a file by a real parser of its language where one is here, and by its shape otherwise. */
const parsers: Record<string, (file: string, code: string) => Promise<void> | void> = {
  js: async (file) => void (await run(process.execPath, ['--check', file])),
  async ts(file, code) {
    await writeFile(`${file}.mjs`, stripTypeScriptTypes(code))
    await run(process.execPath, ['--check', `${file}.mjs`])
  },
  sh: async (file) => void (await run('bash', ['-n', file])),
  async python(file) {
    if (!needsPython.skip) await run('python3', ['-m', 'py_compile', file])
  },
  async go(file) {
    if (!needsGo.skip) expect((await run('gofmt', ['-l', file])).stdout).toBe('')
  },
  java: (_file, code) => expectNested(code),
  csharp: (_file, code) => expectNested(code),
  yaml(_file, code) {
    let depth = 0
    let opens = true
    for (const line of codeLines(code)) {
      const [, indent = '', value] = /^( *)[\w-]+:(?: (\S.*))?$/.exec(line) ?? []
      expect(line).toMatch(/^( *)[\w-]+:( \S.*)?$/)
      expect(indent.length % 2).toBe(0)
      if (opens) expect(indent.length).toBe(depth)
      else expect(indent.length).toBeLessThan(depth)
      depth = indent.length + (value === undefined ? 2 : 1)
      opens = value === undefined
    }
  },
  toml(_file, code) {
    for (const line of codeLines(code)) {
      const [, value = ''] = /^\w+ = (.+)$/.exec(line) ?? []
      expect(() => JSON.parse(value), line).not.toThrow()
    }
  },
  ini(_file, code) {
    for (const line of codeLines(code)) expect(line).toMatch(/^(\[[\w.]+\]|\w+ = \S.*)$/)
  },
  apache(_file, code) {
    for (const line of codeLines(code)) expect(line).toMatch(/^( {2})?[A-Z]\w+ (\S+|"[^"]+")$|^ {2}Require valid-user$|^<\/?Location.*>$/)
    expect(code.match(/<Location/g)?.length).toBe(code.match(/<\/Location/g)?.length)
  },
}

const codeLines = (code: string) => code.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Every bracket is closed by its like, outside of texts and comments. */
function expectNested(code: string): void {
  const plain = code.replaceAll(/"(\\.|[^"\\])*"/g, '_').replaceAll(/\/\/.*$/gm, '')
  const open: string[] = []
  for (const [character] of plain.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(character)) open.push(character)
    else expect(`${open.pop()}${character}`).toMatch(/^(\(\)|\[\]|\{\})$/)
  }
  expect(open).toEqual([])
  for (const line of plain.split('\n').map((text) => text.trim()))
    expect(line).toMatch(/^$|[;{}(),]$|^[.@]|^return \w+$|^[\w.]+$|^builder\.Services$/)
}

describe.each(frameworks.map((one) => [one.id, one] as const))('what is shown for %s', (_id, one) => {
  const values = { issuer: 'https://id.example.com', clientId: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x', redirectUri: one.redirectUri ?? '' }
  const snippets = snippetsOf(one, values)
  const environment = one.environment?.({ clientSecret: 'the-secret-itself', sessionSecret })

  it('is code of its language', async () => {
    const home = await stored({ snippets, environment })
    for (const { file, language, code } of snippets) {
      const parse = parsers[language]
      if (!parse) throw new Error(`${file} is ${language}, which is not checked`)
      await parse(join(home, basename(file)), code)
    }
  })

  it('names the service and the application, and the secret in .env alone', () => {
    const all = snippets.map(({ code }) => code).join('\n')
    expect(all).toContain(values.issuer)
    expect(all).toContain(values.clientId)
    expect(all).not.toContain('the-secret-itself')
    const hasSecret = one.kinds.some((kind) => registrationOf[kind].tokenEndpointAuthMethod === 'client_secret_basic')
    expect(environment?.includes('the-secret-itself') ?? false).toBe(hasSecret)
    expect(all.includes(privateKeyFileOf(values))).toBe(one.hasKeyFile ?? false)
    for (const line of environment?.trim().split('\n') ?? []) {
      const name = /^(?:export )?(\w+)=/.exec(line)?.[1] ?? ''
      // Auth.js and oauth2-proxy read their own variables by themselves.
      expect(all.includes(name) || /^(AUTH_SECRET|OAUTH2_PROXY_\w+)$/.test(name), name).toBe(true)
    }
  })

  it('is code of its language for a service in development, too', async () => {
    const local = snippetsOf(one, { ...values, issuer: 'http://localhost:3000', redirectUri: "http://localhost:9/it's/back" })
    const home = await stored({ snippets: local, environment })
    for (const { file, language, code } of local) await parsers[language]?.(join(home, basename(file)), code)
  })
})
