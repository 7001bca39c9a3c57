import { z } from 'zod'

const names = () => z.array(z.string()).default([])
const byClient = () => z.record(z.string(), z.array(z.string())).default({})
const text = () => z.string().nullish()

const Role = z.looseObject({
  name: z.string(),
  description: text(),
  composites: z.looseObject({ realm: names(), client: byClient() }).optional(),
})

interface GroupShape {
  name: string
  realmRoles: string[]
  clientRoles: Record<string, string[]>
  subGroups: GroupShape[]
}
const Group: z.ZodType<GroupShape, unknown> = z.lazy(() =>
  z.looseObject({ name: z.string(), realmRoles: names(), clientRoles: byClient(), subGroups: z.array(Group).default([]) }),
)

const Credential = z.looseObject({ type: z.string(), secretData: text(), credentialData: text() })

const User = z.looseObject({
  id: text(),
  username: z.string(),
  email: text(),
  emailVerified: z.boolean().default(false),
  enabled: z.boolean().default(true),
  createdTimestamp: z.number().nullish(),
  firstName: text(),
  lastName: text(),
  attributes: z.record(z.string(), z.array(z.string())).default({}),
  credentials: z.array(Credential).default([]),
  requiredActions: names(),
  realmRoles: names(),
  clientRoles: byClient(),
  groups: names(),
  federatedIdentities: z.array(z.unknown()).default([]),
  serviceAccountClientId: text(),
})

const Client = z.looseObject({
  clientId: z.string(),
  name: text(),
  description: text(),
  protocol: z.string().default('openid-connect'),
  enabled: z.boolean().default(true),
  publicClient: z.boolean().default(false),
  bearerOnly: z.boolean().default(false),
  secret: text(),
  rootUrl: text(),
  baseUrl: text(),
  redirectUris: names(),
  standardFlowEnabled: z.boolean().default(true),
  implicitFlowEnabled: z.boolean().default(false),
  directAccessGrantsEnabled: z.boolean().default(false),
  serviceAccountsEnabled: z.boolean().default(false),
  consentRequired: z.boolean().default(false),
  attributes: z.record(z.string(), z.unknown()).default({}),
})

const IdentityProvider = z.looseObject({
  alias: z.string(),
  displayName: text(),
  providerId: z.string(),
  enabled: z.boolean().default(true),
  config: z.record(z.string(), z.string()).default({}),
})

/** The parts that we read of Keycloak's export of a realm (its RealmRepresentation): `kc.sh export`, or the console's partial export. */
export const Realm = z.looseObject({
  realm: z.string(),
  roles: z.looseObject({ realm: z.array(Role).default([]), client: z.record(z.string(), z.array(Role)).default({}) }).optional(),
  groups: z.array(Group).default([]),
  users: z.array(User).default([]),
  clients: z.array(Client).default([]),
  identityProviders: z.array(IdentityProvider).default([]),
  identityProviderMappers: z.array(z.unknown()).default([]),
  components: z.record(z.string(), z.array(z.looseObject({ name: text(), providerId: text() }))).default({}),
  smtpServer: z.record(z.string(), z.unknown()).default({}),
  passwordPolicy: text(),
  authenticationFlows: z.array(z.looseObject({ alias: text(), builtIn: z.boolean().default(false) })).default([]),
  clientScopes: z.array(z.looseObject({ name: text() })).default([]),
  bruteForceProtected: z.boolean().nullish(),
  registrationAllowed: z.boolean().nullish(),
  defaultGroups: names(),
})
export type Realm = z.output<typeof Realm>
export type RealmRole = z.output<typeof Role>
export type RealmUser = z.output<typeof User>
export type RealmClient = z.output<typeof Client>
export type RealmIdentityProvider = z.output<typeof IdentityProvider>
export type RealmCredential = z.output<typeof Credential>

export const ownClients: ReadonlySet<string> = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
])
