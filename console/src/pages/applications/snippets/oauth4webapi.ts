import { type Framework, isInsecure, pathOf, type Values } from './framework.ts'

const code = (values: Values) => {
  const insecure = isInsecure(values) ? ', insecure' : ''
  return `// npm install oauth4webapi
// node sign-in.mjs
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as oauth from 'oauth4webapi'

const issuer = new URL('${values.issuer}')
const client = { client_id: '${values.clientId}' }${isInsecure(values) ? '\nconst insecure = { [oauth.allowInsecureRequests]: true }' : ''}
const gatehouse = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer${insecure}))

// Any free port: on a loopback address the port may differ from the registered one.
const listener = createServer().listen(0, '127.0.0.1')
await once(listener, 'listening')
const redirectUri = \`http://127.0.0.1:\${listener.address().port}${pathOf(values)}\`

const state = oauth.generateRandomState()
const codeVerifier = oauth.generateRandomCodeVerifier()
const address = new URL(gatehouse.authorization_endpoint)
address.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile email offline_access',
  code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
  state,
})
console.log('Open', address.href)

const [request, response] = await once(listener, 'request')
response.end('You can close this window.')
listener.close()

const parameters = oauth.validateAuthResponse(gatehouse, client, new URL(request.url, redirectUri), state)
const answer = await oauth.authorizationCodeGrantRequest(gatehouse, client, oauth.None(), parameters, redirectUri, codeVerifier${insecure})
const tokens = await oauth.processAuthorizationCodeResponse(gatehouse, client, answer, { requireIdToken: true })
const { sub, name, email } = oauth.getValidatedIdTokenClaims(tokens)
console.log(\`Hello \${name} (\${email}, \${sub})\`)
`
}

export const oauth4webapi: Framework = {
  id: 'oauth4webapi',
  name: 'Node.js: oauth4webapi',
  kinds: ['native'],
  redirectUri: 'http://127.0.0.1/callback',
  snippets: (values) => [{ file: 'sign-in.mjs', language: 'js', code: code(values) }],
}
