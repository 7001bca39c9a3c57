/** A user with a password, whose address counts as verified. */
export interface User {
  id: string
  email: string
  password: string
}

export interface Client {
  /** The key that it was made under. */
  key: string
  /** The `client_id`. */
  id: string
  /** Null for a public client. */
  secret: string | null
  redirectUris: string[]
}

export interface NewUser {
  /** An address; or a name such as `anna`, for an address at `<slug>.test` that no other organisation has. */
  email: string
  password?: string
  firstName?: string
  lastName?: string
  /** Slugs of roles; without it, the default role. */
  roles?: string[]
  /** Whether the user has an authenticator app, whose codes `totp` gives. */
  totp?: boolean
}

export interface NewOrganisation {
  name?: string
  slug?: string
  users?: NewUser[]
  /** A key, and the fields of a client in a document of configuration as code. */
  clients?: ({ key: string; redirectUris?: string[]; clientType?: 'confidential' | 'public' } & Record<string, unknown>)[]
  /** The events that the receiver of the test mode gets. */
  webhooks?: string[]
  /** The other sections of a document of configuration as code: `settings`, `roles`, `resourceServers` and so on. */
  [section: string]: unknown
}

export interface MadeOrganisation {
  id: string
  slug: string
  name: string
  owner: User
  users: User[]
  clients: Client[]
}

export interface Organisation extends MadeOrganisation {
  /** By the address, or by the name at `<slug>.test`. @throws Error for one that was not made with it */
  user(email: string): User
  /** @throws Error for a key that was not made with it */
  client(key: string): Client
}

export const organisationOf = (made: MadeOrganisation): Organisation => ({
  ...made,
  user: (email) =>
    found(
      made.users.find((user) => user.email === (email.includes('@') ? email : `${email}@${made.slug}.test`).toLowerCase()),
      `user ${email}`,
      made,
    ),
  client: (key) =>
    found(
      made.clients.find((client) => client.key === key),
      `client ${key}`,
      made,
    ),
})

function found<Made>(one: Made | undefined, what: string, { name }: MadeOrganisation): Made {
  if (one === undefined) throw new Error(`${name} was made without the ${what}`)
  return one
}
