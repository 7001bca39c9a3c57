import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindingVariables, boundTokens, dpopProof } from '../support/bound-tokens.ts'
import { freePort } from '../support/free-port.ts'
import { codeIn, needsGo, needsPython, run } from '../support/languages.ts'
import { givenApplication, type TestApplication } from '../support/oauth.ts'
import { startTestService, type TestService } from '../support/service.ts'

const page = await readFile('docs/protect-an-api.md', 'utf8')

/** The credentials in a request to an API, and whether it must accept them. */
interface Presented {
  what: string
  authorization: string
  isAllowed: boolean
}

let service: TestService
let folder: string
let application: TestApplication
let presented: Presented[]

beforeAll(async () => {
  const port = await freePort()
  service = await startTestService({ environment: { ...bindingVariables(), PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` } })
  // Inside the project, so that the TypeScript code finds its packages.
  await mkdir('coverage', { recursive: true })
  folder = await mkdtemp(join('coverage', 'protect-'))
  application = await givenApplication(service, { scopes: ['reports'] })
  const { organisation } = application
  const bystander = await service.given.userWith(organisation.owner, ['roles:read'])
  const scope = 'openid offline_access reports'
  const good = await application.signIn({ scope })
  const neighbour = await givenApplication(service, { organisation, scopes: ['reports'] })
  const stranger = await givenApplication(service, { scopes: ['reports'] })
  const [head, claims, signature = ''] = good.access_token.split('.')
  const forged = `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const bearer = (token: string) => `Bearer ${token}`
  const bound = await boundTokens(service, application, async () => {
    const { code, verifier } = await application.code({ scope })
    return { grant_type: 'authorization_code', code, redirect_uri: application.redirectUri, code_verifier: verifier }
  })
  presented = [
    { what: 'a token of a user who has the permission', authorization: bearer(good.access_token), isAllowed: true },
    {
      what: 'a user without the permission',
      authorization: bearer((await application.signIn({ scope }, bystander)).access_token),
      isAllowed: false,
    },
    {
      what: 'a token without the scope',
      authorization: bearer((await application.signIn({ scope: 'openid' })).access_token),
      isAllowed: false,
    },
    { what: 'a token of another application', authorization: bearer((await neighbour.signIn({ scope })).access_token), isAllowed: false },
    { what: 'a token of another organisation', authorization: bearer((await stranger.signIn({ scope })).access_token), isAllowed: false },
    { what: 'an ID token', authorization: bearer(good.id_token), isAllowed: false },
    { what: 'a refresh token', authorization: bearer(good.refresh_token), isAllowed: false },
    { what: 'a forged signature', authorization: bearer(forged), isAllowed: false },
    ...Object.entries(bound).map(([to, token]) => ({
      what: `a token that is bound to ${to}`,
      authorization: bearer(token),
      isAllowed: false,
    })),
    { what: 'another scheme', authorization: `Basic ${good.access_token}`, isAllowed: false },
    { what: 'nothing', authorization: '', isAllowed: false },
  ]
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const expected = () => presented.map(({ what, isAllowed }) => [what, isAllowed ? application.organisation.owner.id : false])
const [scope, permission] = ['reports', 'users:read']

describe('the five commands of docs/protect-an-api.md', () => {
  it('lead from nothing to 200, and to 401 and 403 as they say', async () => {
    const { owner } = await service.given.organisation()
    const port = await freePort()
    await writeFile(join(folder, 'api.mjs'), codeIn(page, 'js'))
    const script = codeIn(page, 'sh')
      .replaceAll('http://localhost:3000', service.origin)
      .replaceAll('http://localhost:4000', `http://127.0.0.1:${port}`)
      .replaceAll('owner@acme.test', owner.email)
      .replace(/^printf .*; read -r PASSWORD$/m, `PASSWORD='${owner.password}'; trap 'kill $!' EXIT; export PORT=${port}`)
    const further = [
      `curl -sS -i http://127.0.0.1:${port}/reports`,
      `OTHER=$(curl -sS "$URL/oauth2/token" -u "$(field clientId <<<"$CLIENT"):$(field clientSecret <<<"$CLIENT")" -d grant_type=client_credentials -d scope=status | field access_token)`,
      `curl -sS -i http://127.0.0.1:${port}/reports -H "Authorization: Bearer $OTHER"`,
      // A proof of a key, made for this request alone.
      `BOUND=$(curl -sS "$URL/oauth2/token" -u "$(field clientId <<<"$CLIENT"):$(field clientSecret <<<"$CLIENT")" -H "DPoP: ${await dpopProof(service)}" -d grant_type=client_credentials -d scope=reports | field access_token)`,
      `curl -sS -i http://127.0.0.1:${port}/reports -H "Authorization: Bearer $BOUND"`,
    ].join('\n')
    const path = `${dirname(process.execPath)}:${process.env.PATH}`
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${script}\n${further}`], {
      cwd: folder,
      env: { ...process.env, PATH: path },
    })

    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\nthe reports\n/)
    expect([...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual(['200', '401', '403', '401'])
  })
})

describe('the code of docs/protect-an-api.md', () => {
  it('accepts exactly the right tokens in TypeScript', async () => {
    const file = join(process.cwd(), folder, 'protect.ts')
    await writeFile(file, codeIn(page, 'ts'))
    const { protect } = await import(/* @vite-ignore */ file)
    const check = protect({ issuer: service.origin, organisation: application.organisation.id, clientIds: [application.id] })

    const outcomes = presented.map(async ({ what, authorization }) => [
      what,
      await check(authorization, scope, permission).catch(() => false),
    ])

    expect(await Promise.all(outcomes)).toEqual(expected())
  })

  it('accepts exactly the right tokens in Python', needsPython, async () => {
    const api = await givenApplication(service, { organisation: application.organisation })
    const asked = JSON.stringify({
      issuer: service.origin,
      api: [api.id, api.secret],
      clients: [application.id],
      headers: presented.map(({ authorization }) => authorization),
    })
    const program = `${codeIn(page, 'python')}
import sys
asked = json.loads(sys.argv[1])
def outcome(header):
    try:
        return check(asked["issuer"], asked["api"], asked["clients"], header, "${scope}", "${permission}")
    except PermissionError:
        return False
print(json.dumps([outcome(header) for header in asked["headers"]]))`

    const { stdout } = await run('python3', ['-c', program, asked])

    const outcomes: unknown[] = JSON.parse(stdout)
    expect(presented.map(({ what }, index) => [what, outcomes[index]])).toEqual(expected())
  })

  it('accepts exactly the right tokens in Go', needsGo, async () => {
    const project = join(folder, 'go')
    await mkdir(project)
    await writeFile(join(project, 'go.mod'), 'module api\n\ngo 1.19\n')
    await writeFile(join(project, 'api.go'), codeIn(page, 'go').replace('package api', 'package main'))
    await writeFile(
      join(project, 'main.go'),
      `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var asked struct {
		Issuer, Organisation, Client string
		Headers                      []string
	}
	json.Unmarshal([]byte(os.Args[1]), &asked)
	api := API{Issuer: asked.Issuer, Organisation: asked.Organisation, ClientIDs: map[string]bool{asked.Client: true}}
	outcomes := []any{}
	for _, header := range asked.Headers {
		user, err := api.Check(header, "${scope}", "${permission}")
		if err != nil {
			outcomes = append(outcomes, false)
		} else {
			outcomes = append(outcomes, user)
		}
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
`,
    )
    const asked = JSON.stringify({
      issuer: service.origin,
      organisation: application.organisation.id,
      client: application.id,
      headers: presented.map(({ authorization }) => authorization),
    })

    const { stdout } = await run('go', ['run', '.', asked], { cwd: project })

    const outcomes: unknown[] = JSON.parse(stdout)
    expect(presented.map(({ what }, index) => [what, outcomes[index]])).toEqual(expected())
  })
})
