/** A throw-away organisation with one of everything. */
import { createHash, randomBytes } from 'node:crypto'
import { systemActor } from '../activity/actor.ts'
import type { Services } from '../app/services.ts'
import { grants } from '../oauth/grants/grants.ts'
import type { App } from '../platform/http/server.ts'
import { newId } from '../platform/ids.ts'
import { createOrganisationRecords } from '../provisioning/create-organisation.ts'
import { type Kind, type StoredKindName, storedKinds } from './records.ts'
import { type Answer, type Request, send } from './requests.ts'
import { type Route, sampleOf } from './routes.ts'
import { fillTables } from './rows.ts'
import type { TenantTable } from './tables.ts'
import { readColumn } from './values.ts'

export const callerNames = ['owner session', 'API key', 'client credentials'] as const

/** Authenticates the requests of a caller. */
export interface Credentials {
  name: (typeof callerNames)[number]
  headersFor(route: Pick<Route, 'security'>): Record<string, string>
}

export interface ThrowAwayOrganisation {
  id: string
  /** Occurs in the names, addresses and contents of everything that the organisation has, and nowhere else. */
  word: string
  callers: readonly Credentials[]
  /** The id of one record of each kind. */
  values: ReadonlyMap<Kind, string>
  /** Values for fields that name no record of another organisation. */
  fields: Record<string, unknown>
}

export interface Making {
  services: Services
  app: App
  sessionCookieName: string
  routes: readonly Route[]
  tables: readonly TenantTable[]
  newPassword(): Promise<{ text: string; hash: string }>
}

const newWord = () => `q${Array.from(randomBytes(11), (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`
const redirectUri = (word: string) => `https://${word}.test/callback`

export async function makeOrganisation(making: Making): Promise<ThrowAwayOrganisation> {
  const { services, routes } = making
  const word = newWord()
  const password = await making.newPassword()
  const { id, owner } = await insertOrganisation(making, word, password.hash)
  const signedIn = await signIn(making, owner.email, password.text)
  const by = (request: Omit<Request, 'headers'>) => succeed(making.app, { ...request, headers: signedIn })

  const { data: permissions } = JSON.parse((await by({ method: 'GET', path: '/v1/admin/permissions?limit=1000' })).text)
  const slugs = permissions.map(({ slug }: { slug: string }) => slug)
  const roleId = await readColumn(services.database.system(), storedKinds.role, id)
  const fields = fieldsOf({ word, roleId, userId: owner.id, slugs, password: password.text })
  const grantTypes = grants.map(({ grantType }) => grantType)
  const created = new Map<string, Record<string, never>>()
  for (const route of routes.filter(createsRecord)) {
    const email = `${word}-${route.path.split('/')[3]}@${word}.test`
    const audienceClientId = created.get('/v1/admin/clients')?.id
    const sample = sampleOf(route.bodySchema ?? {}, { ...fields, email, audienceClientId }) as object
    // A field that a route does not have is ignored.
    const { text } = await by({ method: 'POST', path: route.path, body: { ...sample, ...neededByRules(word, slugs, grantTypes) } })
    created.set(route.path, JSON.parse(text))
  }
  const client = created.get('/v1/admin/clients') as unknown as { id: string; clientSecret: string }
  const { key } = created.get('/v1/admin/api-keys') as unknown as { key: string }
  // Use the key once: its first request also records the use, so it would differ from all later ones.
  await succeed(making.app, { method: 'GET', path: '/v1/admin/permissions', headers: { authorization: `Bearer ${key}` } })
  const tokens = await authorize(making, { client, word, headers: signedIn })
  await fillTables(services.database.system(), making.tables, { id, word })

  const basic = `Basic ${Buffer.from(`${client.id}:${client.clientSecret}`).toString('base64')}`
  const values = new Map<Kind, string>([['word', word], ...tokens.values])
  for (const [kind, place] of Object.entries(storedKinds) as [StoredKindName, (typeof storedKinds)[StoredKindName]][]) {
    values.set(kind, kind === 'user' ? owner.id : kind === 'client' ? client.id : await readColumn(services.database.system(), place, id))
  }
  return {
    id,
    word,
    // Without one of its own, no field beside it is looked at.
    fields: { ...fields, audienceClientId: client.id },
    values,
    callers: [
      {
        name: 'owner session',
        headersFor: ({ security }) => (security.includes('accessToken') ? { authorization: `Bearer ${tokens.ofUser}` } : signedIn),
      },
      { name: 'API key', headersFor: () => ({ authorization: `Bearer ${key}` }) },
      {
        name: 'client credentials',
        headersFor: ({ security }) => ({ authorization: security.includes('clientSecret') ? basic : `Bearer ${tokens.ofClient}` }),
      },
    ],
  }
}

/** Whether a route is like `POST /v1/admin/users`. */
const createsRecord = ({ creates, path }: Route) => creates && /^\/v1\/admin\/[\w-]+$/.test(path)

interface Known {
  word: string
  roleId: string
  userId: string
  slugs: string[]
  password: string
}

/** Values of fields, by name: of the organisation itself, and with its word in them. */
function fieldsOf({ word, roleId, userId, slugs, password }: Known): Record<string, unknown> {
  return {
    ...{ name: `${word} Name`, slug: word, description: `${word} description`, firstName: `${word} First`, lastName: `${word} Last` },
    ...{
      email: `${word}-new@${word}.test`,
      url: `https://${word}.test/hooks`,
      identifier: `https://${word}.test/api`,
      domain: `${word}.test`,
      phone: '+442079460000',
    },
    ...{ roleId, userId, password, currentPassword: password, newPassword: `${password} again`, permission: slugs[0], permissions: slugs },
    ...{ redirectUris: [redirectUri(word)], redirect_uri: redirectUri(word), grant_type: 'authorization_code' },
  }
}

/** Fields that a creation needs in addition to those that its schema requires. */
const neededByRules = (word: string, slugs: string[], grantTypes: string[]) => ({
  ...{ redirectUris: [redirectUri(word)], events: ['*'], permissions: slugs, lastName: `${word} Last`, description: `${word} description` },
  grantTypes,
  // An active connection would need values from its provider.
  isActive: false,
})

async function insertOrganisation({ services: { database } }: Making, word: string, passwordHash: string) {
  const id = newId('org', database.clock.now())
  const input = {
    name: `${word} Name`,
    slug: word,
    email: `it@${word}.test`,
    ownerEmail: `${word}@${word}.test`,
    ownerLastName: `${word} Last`,
  }
  return database.transaction(id, async (tenant) => {
    const isActive = { status: 'active' as const, passwordHash, emailVerifiedAt: tenant.now }
    const { owner } = await createOrganisationRecords(tenant, systemActor, input, isActive)
    return { id, owner }
  })
}

/** @returns the headers of a signed-in owner */
async function signIn({ app, sessionCookieName }: Making, email: string, password: string): Promise<Record<string, string>> {
  const { text, cookie } = await succeed(app, { method: 'POST', path: '/v1/auth/login', headers: {}, body: { email, password } })
  if (!cookie?.startsWith(`${sessionCookieName}=`)) throw new Error('The sign-in sets no session cookie')
  return { cookie, 'x-csrf-token': JSON.parse(text).csrfToken }
}

/** Gives the application tokens of the user and of its own, and leaves a code that has not been redeemed. */
async function authorize(
  { app }: Making,
  { client, word, headers }: { client: { id: string; clientSecret: string }; word: string; headers: Record<string, string> },
) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.clientSecret}`).toString('base64')}`
  const newCode = async () => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: client.id, redirect_uri: redirectUri(word), scope: 'openid email offline_access' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 's' },
    })
    const answer = await send(app, { method: 'GET', path: `/oauth2/authorize?${query}`, headers })
    const code = URL.parse(answer.text.split('\n')[0] ?? '')?.searchParams.get('code')
    if (!code) throw new Error(`The sign-in of an application ended with ${answer.status}: ${answer.text.slice(0, 500)}`)
    return code
  }
  const grant = async (body: Record<string, string>) =>
    JSON.parse((await succeed(app, { method: 'POST', path: '/oauth2/token', headers: { authorization }, body, isForm: true })).text)
  const ofUser = await grant({
    grant_type: 'authorization_code',
    code: await newCode(),
    redirect_uri: redirectUri(word),
    code_verifier: verifier,
  })
  const ofClient = await grant({ grant_type: 'client_credentials' })
  const asDevice = {
    method: 'POST',
    path: '/oauth2/device_authorization',
    headers: { authorization },
    body: { scope: 'openid' },
    isForm: true,
  }
  const { device_code: deviceCode } = JSON.parse((await succeed(app, asDevice)).text)
  return {
    ofUser: ofUser.access_token as string,
    ofClient: ofClient.access_token as string,
    values: [
      ['access token', ofUser.access_token],
      ['refresh token', ofUser.refresh_token],
      ['ID token', ofUser.id_token],
      ['authorization code', await newCode()],
      ['device code', deviceCode],
    ] as [Kind, string][],
  }
}

async function succeed(app: App, request: Request): Promise<Answer> {
  const answer = await send(app, request)
  if (answer.status < 300) return answer
  throw new Error(
    `${request.method} ${request.path} of a throw-away organisation was answered with ${answer.status}: ${answer.text.slice(0, 500)}`,
  )
}
