import { clientSecretOnly, type Framework, type Values } from './framework.ts'

/** The parentheses make a terminal read everything before it prompts. */
const signIn = (values: Values, credentials: string) => `(
verifier=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
echo 'Open this address, sign in, and paste the address at which the browser ends:'
echo "${values.issuer}/oauth2/authorize?${query(values)}&code_challenge=$challenge&code_challenge_method=S256"
read -r address
code=\${address#*code=}
curl -sS '${values.issuer}/oauth2/token' ${credentials} \\
  -d grant_type=authorization_code \\
  -d "code=\${code%%&*}" \\
  -d '${new URLSearchParams({ redirect_uri: values.redirectUri })}' \\
  -d "code_verifier=$verifier"
)
`

const query = ({ clientId, redirectUri }: Values) =>
  new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'openid profile email' })

const withSecret = ({ clientId }: Values) => `-u "${clientId}:$GATEHOUSE_CLIENT_SECRET"`

export const curl: Framework = {
  id: 'curl',
  name: 'curl',
  kinds: ['web'],
  redirectUri: 'http://localhost:3000/callback',
  snippets: (values) => [{ file: 'sign-in.sh', language: 'sh', code: signIn(values, withSecret(values)) }],
  environment: clientSecretOnly,
}

export const curlPublic: Framework = {
  id: 'curl-public',
  name: 'curl',
  kinds: ['browser', 'native'],
  redirectUri: 'http://127.0.0.1/callback',
  snippets: (values) => [{ file: 'sign-in.sh', language: 'sh', code: signIn(values, `-d client_id=${values.clientId}`) }],
}

export const curlService: Framework = {
  id: 'curl-service',
  name: 'curl',
  kinds: ['service'],
  snippets: (values) => [
    {
      file: 'token.sh',
      language: 'sh',
      code: `curl -sS '${values.issuer}/oauth2/token' ${withSecret(values)} -d grant_type=client_credentials\n`,
    },
  ],
  environment: clientSecretOnly,
}
