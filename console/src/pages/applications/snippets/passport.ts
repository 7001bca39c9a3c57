import { type Framework, pathOf, portOf, type Values, withSessionSecret } from './framework.ts'
import { discovery } from './openid-client.ts'

const code = (values: Values) => `// npm install express express-session openid-client passport
// node --env-file=.env app.mjs
import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
import { Strategy } from 'openid-client/passport'
import passport from 'passport'

${discovery(values)}

passport.use(
  'gatehouse',
  new Strategy(
    { config: gatehouse, callbackURL: '${values.redirectUri}', scope: 'openid profile email' },
    (tokens, done) => done(null, tokens.claims()),
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.session())
app.get('/login', passport.authenticate('gatehouse'))
app.get('${pathOf(values)}', passport.authenticate('gatehouse', { successRedirect: '/' }))
app.get('/', (request, response) => {
  if (!request.user) return response.redirect('/login')
  const { sub, name, email } = request.user
  response.type('text').send(\`Hello \${name} (\${email}, \${sub})\`)
})
app.listen(${portOf(values)})
`

export const passport: Framework = {
  id: 'passport',
  name: 'Express: Passport',
  kinds: ['web'],
  redirectUri: 'http://localhost:3000/callback',
  snippets: (values) => [{ file: 'app.mjs', language: 'js', code: code(values) }],
  environment: withSessionSecret,
}
