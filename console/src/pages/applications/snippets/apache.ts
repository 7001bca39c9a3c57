import { type Framework, isInsecure, type Values } from './framework.ts'

const code = (values: Values) => `# mod_auth_openidc; the variables of .env go into /etc/apache2/envvars
OIDCProviderMetadataURL ${values.issuer}/.well-known/openid-configuration
OIDCClientID ${values.clientId}
OIDCClientSecret \${GATEHOUSE_CLIENT_SECRET}
OIDCCryptoPassphrase \${SESSION_SECRET}
OIDCRedirectURI ${values.redirectUri}
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim email${isInsecure(values) ? '\nOIDCSSLValidateServer Off' : ''}

<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>
`

export const apache: Framework = {
  id: 'apache',
  name: 'Apache HTTP Server',
  kinds: ['web'],
  redirectUri: 'https://localhost/oauth2callback',
  idTokenSignedResponseAlg: 'RS256',
  snippets: (values) => [{ file: 'gatehouse.conf', language: 'apache', code: code(values) }],
  environment: ({ clientSecret, sessionSecret }) =>
    `export GATEHOUSE_CLIENT_SECRET=${clientSecret}\nexport SESSION_SECRET=${sessionSecret}\n`,
}
