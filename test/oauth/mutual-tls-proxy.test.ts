import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { Agent, fetch as fetchBy } from 'undici'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type TestCertificate, testCertificate } from '../support/certificates.ts'
import { freePort } from '../support/free-port.ts'
import { run as runProgram } from '../support/languages.ts'
import { needs } from '../support/needs.ts'
import { givenApplication, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'
import { runSystemServer, systemProgram } from '../support/system-program.ts'

const guide = new URL('../../docs/mutual-tls.md', import.meta.url)
const callback = 'https://portal.example.test/callback'
const subjectDn = 'CN=portal.acme.test,O=Acme,C=DE'

let [authority, server, own, stranger] = [] as unknown as [TestCertificate, TestCertificate, TestCertificate, TestCertificate]
beforeAll(async () => {
  authority = await testCertificate({ subject: { CN: 'Authority' }, isAuthority: true })
  const hosts = ['id.example.com', 'mtls.id.example.com'].map((value) => ({ type: 2 as const, value }))
  server = await testCertificate({ by: authority, subject: { CN: 'id.example.com' }, alternativeNames: hosts })
  own = await testCertificate({ by: authority })
  // Of the same names, but of no authority.
  stranger = await testCertificate()
})

interface Proxy {
  name: 'nginx' | 'haproxy'
  certificateHeader: string
  /** The ports of the two addresses. */
  ports: { usual: number; alias: number }
  /** The configuration around the block of the guide, and how it is started. */
  around(file: string): string
  parameters(folder: string): string[]
}

const nginxPort = await freePort()
const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    certificateHeader: 'x-ssl-client-cert',
    ports: { usual: nginxPort, alias: nginxPort },
    around(file) {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path FOLDER/${name};\n`).join('')
      return `daemon off;\npid FOLDER/nginx.pid;\nerror_log FOLDER/error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary}${file}}\n`
    },
    parameters: (folder) => ['-p', folder, '-c', `${folder}/proxy.conf`],
  },
  {
    name: 'haproxy',
    certificateHeader: 'client-cert',
    ports: { usual: await freePort(), alias: await freePort() },
    around: (file) => `defaults\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n${file}`,
    parameters: (folder) => ['-db', '-f', `${folder}/proxy.conf`],
  },
]

/** The commands of the guide that send the certificate of a client in the header of the proxy, as they are printed. */
async function forgingCommands({ certificateHeader }: Proxy): Promise<string> {
  const blocks = [...(await readFile(guide, 'utf8')).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return blocks.find((block) => block.toLowerCase().includes(`-h "${certificateHeader}: `)) ?? ''
}

/** The block of the guide, with the ports and the files of the test. */
async function blockOf({ name, ports }: Proxy, servicePort: number): Promise<string> {
  const [, block = ''] = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(await readFile(guide, 'utf8')) ?? []
  return block
    .replaceAll('*:443', `127.0.0.1:${ports.usual}`)
    .replaceAll('*:8443', `127.0.0.1:${ports.alias}`)
    .replaceAll('10.0.0.1:3000', `127.0.0.1:${servicePort}`)
    .replaceAll('/etc/ssl/', 'FOLDER/')
}

for (const proxy of proxies) {
  const { name, certificateHeader, ports } = proxy
  const servicePort = await freePort()
  const issuer = `https://id.example.com:${ports.usual}`
  const alias = `https://mtls.id.example.com:${ports.alias}`
  const service = useService({
    environment: {
      ...{ PORT: String(servicePort), PUBLIC_URL: issuer, TRUST_PROXY: 'loopback', OAUTH_EXTENSIONS: 'mtls,par,dpop' },
      ...{ MTLS_CERTIFICATE_HEADER: certificateHeader, MTLS_VERIFIED_HEADER: 'x-ssl-client-verify', MTLS_PUBLIC_URL: alias },
    },
  })
  const program = systemProgram(name)

  async function run({ passesOn = false } = {}) {
    const block = await blockOf(proxy, servicePort)
    const ofTheHeaders = new RegExp(`^.*(?:${certificateHeader}|x-ssl-client-verify).*\\n`, 'gim')
    const files = {
      'proxy.conf': proxy.around(passesOn ? block.replaceAll(ofTheHeaders, '') : block),
      ...{ 'id.pem': `${server.cert}\n${server.key}`, 'id.key': server.key, 'clients.pem': authority.cert },
    }
    const { stop } = await runSystemServer(program as string, files, { port: ports.alias, parameters: proxy.parameters })
    onTestFinished(stop)
  }

  /** What a program sends through the proxy, over connections with a certificate or without one. */
  function connectionsWith(certificate: TestCertificate | undefined) {
    const { cert, key } = certificate ?? {}
    const lookup = (_: string, { all }: { all?: boolean }, answer: (error: null, ...found: unknown[]) => void) =>
      all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4)
    const dispatcher = new Agent({ connect: { ca: authority.cert, lookup, ...(cert && key && { cert, key }) } as never })
    onTestFinished(() => dispatcher.destroy())
    return (async (url: string, options: object) => fetchBy(url, { ...options, dispatcher } as never)) as unknown as client.CustomFetch
  }

  const configure = (id: string, certificate: TestCertificate | undefined) =>
    client.discovery(new URL(issuer), id, { use_mtls_endpoint_aliases: true }, client.TlsClientAuth(), {
      [client.customFetch]: connectionsWith(certificate),
    })
  const named = (registration: Registration = {}) =>
    givenApplication(service(), {
      ...{ redirectUris: [callback], grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] },
      ...{ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn }, certificateBoundAccessTokens: true, ...registration },
    })

  describe(`behind ${name}, as the guide configures it`, () => {
    it('openid-client gets tokens for itself and signs a user in by the aliases', needs(name, program !== undefined), async () => {
      await run()
      const app = await named()
      const { owner } = app.organisation
      const config = await configure(app.id, own)
      const bound = { cnf: { 'x5t#S256': own.thumbprint } }
      const { access_token: forItself } = await client.clientCredentialsGrant(config)
      expect(await client.tokenIntrospection(config, forItself)).toMatchObject({ active: true, ...bound })

      const verifier = client.randomPKCECodeVerifier()
      const expectedState = client.randomState()
      const address = await client.buildAuthorizationUrlWithPAR(config, {
        ...{ redirect_uri: callback, scope: 'openid offline_access', state: expectedState },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      })
      expect(address.origin).toBe(issuer)
      const opened = await owner.get(`${address.pathname}${address.search}`)
      const back = new URL(opened.headers.get('location') ?? '')
      const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState })
      expect(await client.fetchUserInfo(config, tokens.access_token, owner.id)).toMatchObject({ sub: owner.id })
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true, ...bound })

      // The same token over a connection without the certificate, or with another one.
      for (const certificate of [undefined, stranger]) {
        const thief = await configure(app.id, certificate)
        await expect(client.fetchUserInfo(thief, refreshed.access_token, owner.id)).rejects.toMatchObject({ status: 401 })
      }
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      const proven = await client.clientCredentialsGrant(config, undefined, { DPoP })
      expect(proven.token_type).toBe('dpop')
      await client.tokenRevocation(config, refreshed.access_token)
      expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
    })

    it(
      'takes a self-signed certificate by its key alone, and believes no header of a client',
      needs(name, program !== undefined),
      async () => {
        await run()
        const app = await named()
        const selfSigned = await named({ tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [stranger.publicKey] } })
        const tokens = await client.clientCredentialsGrant(await configure(selfSigned.id, stranger))
        expect(tokens.token_type).toBe('bearer')
        const refused = { status: 401, error: 'invalid_client' }
        for (const [id, certificate] of [
          [selfSigned.id, own],
          [app.id, stranger],
          [app.id, undefined],
        ] as const)
          await expect(client.clientCredentialsGrant(await configure(id, certificate))).rejects.toMatchObject(refused)

        const forged = name === 'nginx' ? encodeURIComponent(own.cert) : `:${own.bytes.toString('base64')}:`
        for (const [origin, certificate] of [
          [issuer, undefined],
          [issuer, own],
          [alias, undefined],
          [alias, stranger],
        ] as const) {
          const send = connectionsWith(certificate)
          const answer = await send(`${origin}/oauth2/token`, {
            method: 'POST',
            body: new URLSearchParams({ client_id: app.id, grant_type: 'client_credentials' }),
            headers: { [certificateHeader]: forged, 'x-ssl-client-verify': 'SUCCESS' },
          } as never)
          expect([origin, answer.status]).toEqual([origin, 401])
        }
      },
    )

    it.each([
      ['is refused', false],
      ['gets tokens if the proxy passes on what clients send', true],
    ])('the header that the guide forges %s', needs(name, program !== undefined), async (_, passesOn) => {
      await run({ passesOn })
      const app = await named()
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-forging-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      await writeFile(join(folder, 'client.pem'), own.cert)
      await writeFile(join(folder, 'authority.pem'), authority.cert)
      const hosts = [issuer, alias].map((origin) => `--resolve ${new URL(origin).host}:127.0.0.1`).join(' ')
      const curl = `curl() { command curl -sS --cacert authority.pem ${hosts} "$@"; echo; }`
      const commands = (await forgingCommands(proxy))
        .replace(/^for ORIGIN in .*; do$/m, `for ORIGIN in ${issuer} ${alias}; do`)
        .replaceAll(/cli_\w+/g, app.id)

      const { stdout } = await runProgram('bash', ['-euo', 'pipefail', '-c', `${curl}\n${commands}`], { cwd: folder })

      const answers = stdout.trim().split('\n')
      const expected = passesOn ? { access_token: expect.any(String) } : { error: 'invalid_client' }
      expect(answers.map((answer) => JSON.parse(answer))).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)])
    })
  })
}
