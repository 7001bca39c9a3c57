import { type Framework, pathOf, type Values } from './framework.ts'

const code = (values: Values) => `// npm install oidc-client-ts
import { UserManager } from 'oidc-client-ts'

const users = new UserManager({
  authority: '${values.issuer}',
  client_id: '${values.clientId}',
  redirect_uri: '${values.redirectUri}',
  scope: 'openid profile email',
})

if (location.pathname === '${pathOf(values)}') {
  await users.signinCallback()
  history.replaceState(null, '', '/')
}

const user = await users.getUser()
if (user && !user.expired) {
  document.body.textContent = \`Hello \${user.profile.name} (\${user.profile.email}, \${user.profile.sub})\`
} else {
  const button = document.createElement('button')
  button.textContent = 'Sign in'
  button.onclick = () => users.signinRedirect()
  document.body.append(button)
}
`

export const oidcClientTs: Framework = {
  id: 'oidc-client-ts',
  name: 'JavaScript: oidc-client-ts',
  kinds: ['browser'],
  redirectUri: 'http://localhost:5173/callback',
  snippets: (values) => [{ file: 'main.js', language: 'js', code: code(values) }],
}
