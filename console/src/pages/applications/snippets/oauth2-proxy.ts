import { type Framework, originOf, portOf, type Values } from './framework.ts'

const code = (values: Values) => `# set -a; . ./.env; oauth2-proxy --config oauth2-proxy.cfg
provider = "oidc"
provider_display_name = "Gatehouse"
oidc_issuer_url = "${values.issuer}"
client_id = "${values.clientId}"
redirect_url = "${values.redirectUri}"
scope = "openid profile email"
code_challenge_method = "S256"

# Every user of the organisation.
email_domains = ["*"]
http_address = "127.0.0.1:${portOf(values, 4180)}"
upstreams = ["http://127.0.0.1:8080"]
cookie_secure = ${originOf(values).startsWith('https:')}
`

export const oauth2Proxy: Framework = {
  id: 'oauth2-proxy',
  name: 'oauth2-proxy',
  kinds: ['web'],
  redirectUri: 'http://localhost:4180/oauth2/callback',
  snippets: (values) => [{ file: 'oauth2-proxy.cfg', language: 'toml', code: code(values) }],
  environment: ({ clientSecret, sessionSecret }) =>
    `OAUTH2_PROXY_CLIENT_SECRET=${clientSecret}\nOAUTH2_PROXY_COOKIE_SECRET=${sessionSecret}\n`,
}
