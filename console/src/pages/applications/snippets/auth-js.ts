import type { Framework, Values } from './framework.ts'

const code = (values: Values) => `// npm install next-auth@beta
import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      // The last part of the redirect URI: ${values.redirectUri}
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oidc',
      issuer: '${values.issuer}',
      clientId: '${values.clientId}',
      clientSecret: process.env.GATEHOUSE_CLIENT_SECRET,
      checks: ['pkce', 'state'],
    },
  ],
})
`

export const authJs: Framework = {
  id: 'auth-js',
  name: 'Next.js: Auth.js',
  kinds: ['web'],
  redirectUri: 'http://localhost:3000/api/auth/callback/gatehouse',
  snippets: (values) => [
    { file: 'auth.ts', language: 'ts', code: code(values) },
    {
      file: 'app/api/auth/[...nextauth]/route.ts',
      language: 'ts',
      code: `import { handlers } from '@/auth'

export const { GET, POST } = handlers
`,
    },
  ],
  environment: ({ clientSecret, sessionSecret }) => `GATEHOUSE_CLIENT_SECRET=${clientSecret}\nAUTH_SECRET=${sessionSecret}\n`,
}
