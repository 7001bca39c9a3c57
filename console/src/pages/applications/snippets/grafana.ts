import { clientSecretOnly, type Framework, originOf, type Values } from './framework.ts'

const code = (values: Values) => `[server]
root_url = ${originOf(values)}/

[auth.generic_oauth]
enabled = true
name = Gatehouse
client_id = ${values.clientId}
client_secret = $__env{GATEHOUSE_CLIENT_SECRET}
scopes = openid profile email
auth_url = ${values.issuer}/oauth2/authorize
token_url = ${values.issuer}/oauth2/token
api_url = ${values.issuer}/oauth2/userinfo
use_pkce = true
login_attribute_path = email
name_attribute_path = name
email_attribute_path = email
`

export const grafana: Framework = {
  id: 'grafana',
  name: 'Grafana',
  kinds: ['web'],
  redirectUri: 'http://localhost:3000/login/generic_oauth',
  snippets: (values) => [{ file: 'grafana.ini', language: 'ini', code: code(values) }],
  environment: clientSecretOnly,
}
