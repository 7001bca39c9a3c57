/** The package has no types. These cover what the tests use. */
declare module 'passport-openidconnect' {
  import { Strategy as PassportStrategy } from 'passport'

  interface Options {
    issuer: string
    authorizationURL: string
    tokenURL: string
    userInfoURL: string
    clientID: string
    clientSecret: string
    callbackURL: string
    scope: string
  }

  export class Strategy extends PassportStrategy {
    constructor(options: Options, verify: (issuer: string, profile: object, done: (error: null, user: object) => void) => void)
    authenticate(): void
  }
}
