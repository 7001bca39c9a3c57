import { clientSecretOnly, type Framework, isInsecure, pathOf, portOf, privateKeyFileOf, type Values } from './framework.ts'

/** The lines that read the metadata of the issuer, for each snippet that uses openid-client. */
export const discovery = (values: Values) => `const gatehouse = await client.discovery(
  new URL('${values.issuer}'),
  '${values.clientId}',
  undefined,
  client.ClientSecretBasic(process.env.GATEHOUSE_CLIENT_SECRET),${isInsecure(values) ? '\n  { execute: [client.allowInsecureRequests] },' : ''}
)`

const signIn = (values: Values) => `// npm install openid-client
// node --env-file=.env app.mjs
import { createServer } from 'node:http'
import * as client from 'openid-client'

const redirectUri = '${values.redirectUri}'
${discovery(values)}

async function answer(request, response) {
  const url = new URL(request.url, redirectUri)
  if (url.pathname === '/login') {
    const state = client.randomState()
    const codeVerifier = client.randomPKCECodeVerifier()
    const address = client.buildAuthorizationUrl(gatehouse, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
    })
    // In an application with sessions both belong there.
    response.setHeader('Set-Cookie', \`sign-in=\${state}.\${codeVerifier}; HttpOnly; SameSite=Lax; Path=/; Max-Age=600\`)
    response.writeHead(302, { Location: address.href }).end()
  } else if (url.pathname === '${pathOf(values)}') {
    const [, expectedState, pkceCodeVerifier] = /sign-in=([^.;]+)\\.([^;]+)/.exec(request.headers.cookie) ?? []
    const tokens = await client.authorizationCodeGrant(gatehouse, url, { expectedState, pkceCodeVerifier })
    const { sub, name, email } = tokens.claims()
    response.end(\`Hello \${name} (\${email}, \${sub})\`)
  } else {
    response.writeHead(302, { Location: '/login' }).end()
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(error.message))
}).listen(${portOf(values)})
`

export const openidClient: Framework = {
  id: 'openid-client',
  name: 'Node.js: openid-client',
  kinds: ['web'],
  redirectUri: 'http://localhost:3000/callback',
  snippets: (values) => [{ file: 'app.mjs', language: 'js', code: signIn(values) }],
  environment: clientSecretOnly,
}

export const openidClientService: Framework = {
  id: 'openid-client-service',
  name: 'Node.js: openid-client',
  kinds: ['service'],
  snippets: (values) => [
    {
      file: 'service.mjs',
      language: 'js',
      code: `// npm install openid-client
// node --env-file=.env service.mjs
import * as client from 'openid-client'

${discovery(values)}

const { access_token, expires_in } = await client.clientCredentialsGrant(gatehouse)
console.log(access_token, 'expires in', expires_in, 'seconds')
`,
    },
  ],
  environment: clientSecretOnly,
}

const highAssurance = (values: Values) => `// npm install openid-client
// node app.mjs
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const redirectUri = '${values.redirectUri}'
// The private key of the application: keep the file out of the repository.
const { kid, ...jwk } = JSON.parse(await readFile('${privateKeyFileOf(values)}', 'utf8'))
const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])

const gatehouse = await client.discovery(
  new URL('${values.issuer}'),
  '${values.clientId}',
  { id_token_signed_response_alg: 'EdDSA' },
  client.PrivateKeyJwt({ key, kid }),${isInsecure(values) ? '\n  { execute: [client.allowInsecureRequests] },' : ''}
)
// Tokens are bound to this key: a stolen one is of no use without it.
const DPoP = client.getDPoPHandle(gatehouse, await client.randomDPoPKeyPair('ES256'))

async function answer(request, response) {
  const url = new URL(request.url, redirectUri)
  if (url.pathname === '/login') {
    const state = client.randomState()
    const codeVerifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
    }
    // The browser is sent only the reference of the request.
    const address = await client.buildAuthorizationUrlWithPAR(gatehouse, parameters, { DPoP })
    // In an application with sessions both belong there.
    response.setHeader('Set-Cookie', \`sign-in=\${state}.\${codeVerifier}; HttpOnly; SameSite=Lax; Path=/; Max-Age=600\`)
    response.writeHead(302, { Location: address.href }).end()
  } else if (url.pathname === '${pathOf(values)}') {
    const [, expectedState, pkceCodeVerifier] = /sign-in=([^.;]+)\\.([^;]+)/.exec(request.headers.cookie) ?? []
    const checks = { expectedState, pkceCodeVerifier }
    const tokens = await client.authorizationCodeGrant(gatehouse, url, checks, undefined, { DPoP })
    const { sub } = tokens.claims()
    const { name, email } = await client.fetchUserInfo(gatehouse, tokens.access_token, sub, { DPoP })
    response.end(\`Hello \${name} (\${email}, \${sub})\`)
  } else {
    response.writeHead(302, { Location: '/login' }).end()
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(error.message))
}).listen(${portOf(values)})
`

export const openidClientHighAssurance: Framework = {
  id: 'openid-client-high-assurance',
  name: 'Node.js: openid-client',
  kinds: ['highAssurance'],
  redirectUri: 'http://localhost:3000/callback',
  hasKeyFile: true,
  snippets: (values) => [{ file: 'app.mjs', language: 'js', code: highAssurance(values) }],
}
