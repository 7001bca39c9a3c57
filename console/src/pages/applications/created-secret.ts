import type { SigningKey } from './signing-key.ts'

/** The credentials of an application, which were made here, for "Try it": in memory only, and only until it shows. */
interface Credentials {
  clientId: string
  secret?: string | undefined
  key?: SigningKey | undefined
}

let created: Credentials | undefined

export function passOn(credentials: Credentials): void {
  created = credentials
}

/** What was passed on for the application. Rendering may ask for it several times: `forgetCredentials` comes after it. */
export const credentialsOf = (clientId: string): Omit<Credentials, 'clientId'> => (created?.clientId === clientId ? created : {})

export function forgetCredentials(): void {
  created = undefined
}
