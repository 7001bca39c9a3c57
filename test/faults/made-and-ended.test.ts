import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FactorName, factors, takes } from '../../src/access/factors.ts'
import { findPermissionsOfSetupLink } from '../../src/access/setup-link-permissions.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { takenAway } from '../../src/connections/federation/take-away-access.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { newId } from '../../src/platform/ids.ts'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { cameBy, linkedIdentity, newConnection } from '../support/connections.ts'
import { askOnDevice, decideOnDevice, deviceGrant, enterCode, poll, requestOn } from '../support/devices.ts'
import { givenDirectory, newDirectory, operations } from '../support/directories.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { callbackPath, connect } from '../support/federation.ts'
import { cookieOf, type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { type Answer, HttpClient } from '../support/http-client.ts'
import { assertionFor, givenAccepting, jwtBearer, signAssertion, tokenExchange } from '../support/identity-assertions.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { acceptance, invite } from '../support/invite.ts'
import { browserOf, callbackOf, consentPath, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, passkeyProof, registerPasskey, signedInBy } from '../support/passkeys.ts'
import { quickHashing } from '../support/password-hashing.ts'
import { credentialOf, platform } from '../support/platforms.ts'
import { newResourceServer } from '../support/resource-servers.ts'
import { beginSaml, postResponse, samlFields } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

/** What ends access. Each is tried against each of what makes something. */
const ends = [
  'a password reset',
  'a password change',
  'a second factor',
  'a block',
  'a deactivation by a directory',
  'a deletion',
  'an end of all sessions',
  'a role taken away',
  'a suspension',
  'a cancellation',
  'a deactivated connection',
  'a required connection',
] as const
type End = (typeof ends)[number]

/** The rows that hold what an end changes. */
const rowOf: Record<End, 'users' | 'organisations' | 'connections' | 'organisation_domains'> = {
  'a password reset': 'users',
  'a password change': 'users',
  'a second factor': 'users',
  'a block': 'users',
  'a deactivation by a directory': 'users',
  'a deletion': 'users',
  'an end of all sessions': 'users',
  'a role taken away': 'users',
  'a suspension': 'organisations',
  'a cancellation': 'organisations',
  'a deactivated connection': 'connections',
  'a required connection': 'organisation_domains',
}

interface Place {
  organisation: TestOrganisation
  application: TestApplication
  /** The role by which each user there makes what needs a right. */
  roleId: string
}

interface World extends Place {
  user: SignedInUser
  /** Another session of the same user, begun when it is first asked for. */
  elsewhere: () => Promise<SignedInUser>
  connectionId: string
  domainId: string
  domain: string
}

/** Something that is about to be made. */
interface Making {
  /** Asks for it, at one of the processes. */
  ask(origin: string): Promise<Answer>
  /** Whether it works, once everything has been answered. */
  works(answer: Answer): Promise<boolean>
}

interface Maker {
  prepare(world: World): Promise<Making>
  /** The table that it writes to last. */
  table: string
  /** What it does not depend on, with the reason: it may be made although that has happened. */
  regardless: Partial<Record<End, string>>
  /** What leaves alone what was made before, with the reason. */
  leaves?: Partial<Record<End, string>>
  /** An organisation has only so many of them: a few rounds share one. */
  isLimited?: true
  /** Why each round needs an organisation of its own. */
  alone?: string
  /** With what an end is refused that comes second. */
  refuses?: Partial<Record<End, number>>
}

const stillProven = 'the same proof signs the user in anew'
const bySession = 'what was made by another session before is not taken back'
const noRights = 'it gives no right of a role'
const provesMailbox = 'the link proves the mailbox, which is not in doubt'
const notByIt = 'the user did not come by the connection'
const forNewUser = 'it concerns the sessions of users, and there is no user yet'
const named = 'it is not a way in, and the session that it was made in has ended'

const ofItsKey = 'the API key that it is of stays'
const withoutUser = 'no user stands behind it'
const noAccessHere = 'it is for another service, and lives for minutes'

/** By which of them each factor begins a sign-in. */
const makerOfFactor: Partial<Record<FactorName, string>> = {
  password: 'a sign-in by password',
  verified_passkey: 'a sign-in by passkey',
  verified_synced_passkey: 'a sign-in by passkey',
  single_passkey: 'a sign-in by passkey',
  single_synced_passkey: 'a sign-in by passkey',
  email_code: 'a sign-in by e-mail code',
  federated: 'a sign-in by a connection',
  federated_mfa: 'a sign-in by a connection',
}

const makerOfGrant: Record<string, string> = {
  authorization_code: 'an exchanged code',
  refresh_token: 'a refresh',
  client_credentials: withoutUser,
  [deviceGrant]: 'a redeemed device code',
  [tokenExchange]: noAccessHere,
  [jwtBearer]: 'an accepted assertion',
}

/** The files in which a sign-in takes its next step. */
const makerOfFile: Record<string, string> = {
  'src/sign-in/sign-in.ts': 'a sign-in by password',
  'src/sign-in/sign-in-by-passkey.ts': 'a sign-in by passkey',
  'src/sign-in/sign-in-by-email-code.ts': 'a sign-in by e-mail code',
  'src/sign-in/complete-sign-in.ts': 'a sign-in that waits for its second factor',
  'src/connections/federation/sign-in-by-identity.ts': 'a sign-in by a connection',
  // It takes the same step, in a service that only tests sign in to.
  'src/test-mode/sign-in.ts': 'a sign-in by password',
}

/** The files that end sessions, each with the end that stands for it. */
const endOfFile: Record<string, End> = {
  'src/connections/change-connection.ts': 'a deactivated connection',
  'src/connections/federation/backchannel-logout.ts': 'a deactivated connection',
  'src/connections/federation/saml-logout.ts': 'a deactivated connection',
  'src/connections/federation/take-away-access.ts': 'a password reset',
  'src/connections/unlink-identity.ts': 'a deactivated connection',
  'src/directories/scim/change-user.ts': 'a deactivation by a directory',
  'src/directories/scim/follow-external-id.ts': 'a deactivation by a directory',
  'src/directories/scim/user-changes.ts': 'a deactivation by a directory',
  'src/domains/change-domain.ts': 'a required connection',
  'src/mfa/enrol.ts': 'a second factor',
  'src/mfa/remove-second-factors.ts': 'a second factor',
  // A passkey that has to be proven from then on, where a second factor is required.
  'src/passkeys/register.ts': 'a second factor',
  'src/passwords/change-password.ts': 'a password change',
  'src/provisioning/change-status.ts': 'a suspension',
  'src/sessions/end-session.ts': 'an end of all sessions',
  'src/users/delete-passkey-of-user.ts': 'an end of all sessions',
  'src/users/end-by-block.ts': 'a block',
  'src/users/reset-password.ts': 'a password reset',
  'src/users/update-user.ts': 'a block',
}

/** What a person can act by without having been a maker here, with the reason. */
const madeOtherwise: Record<string, string> = {
  mfa_credentials: 'enrolled in the transaction that writes the backup codes',
  resource_consents: 'stored in the transaction of a consent, which holds the caller first',
  email_codes: 'goes to the mailbox alone, and is judged anew when it signs in',
  federation_requests: 'the question to a provider, which is judged anew when it is answered',
  authorization_requests: 'the decision in a waiting request, of no use without the session that it was made in',
}

async function filesThatCall(call: RegExp): Promise<string[]> {
  const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const calling = await Promise.all(files.map(async (file) => ((await readFile(join('src', file), 'utf8')).match(call) ? [file] : [])))
  return calling
    .flat()
    .map((file) => `src/${file}`)
    .sort()
}

// A test is some twenty sign-ins and their ends, one after another.
describe('what is made while it is ended', () => {
  /** Arranges, and looks at what has come of it. */
  let service: TestService
  /** Make and end, in the program as it is built. */
  let processes: [ServiceProcess, ServiceProcess]
  let home: ProcessHome
  let provider: IdentityProvider & { close(): Promise<void> }
  let samlAt: SamlifyProvider
  let observer: pg.Client
  let holder: pg.Client
  let shared: Place
  const here = () => service

  beforeAll(async () => {
    home = await processHome()
    const { DATABASE_URL: connectionString = '' } = home.environment
    const secretKey = randomBytes(32)
    service = await startTestService({
      engine: openPostgres(connectionString, { poolSize: 10 }),
      secretKey,
      environment: { RATE_LIMIT: 'off', OAUTH_EXTENSIONS: 'device,federated_credentials,identity_assertions,resource_indicators' },
    })
    const environment = {
      ...home.environment,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      SECRET_KEY: secretKey.toString('base64'),
      SYSTEM_API_KEY: service.systemApiKey,
      RATE_LIMIT: 'off',
      OAUTH_EXTENSIONS: 'device,federated_credentials,identity_assertions,resource_indicators',
      // Mails go to the mailbox of the service that arranges.
      ROLES: 'api',
    }
    processes = [await (await ServiceProcess.start(environment)).ready(), await (await ServiceProcess.start(environment)).ready()]
    provider = await listeningProvider({ now: () => service.clock.now() })
    samlAt = await samlifyProvider({ now: () => service.clock.now() })
    ;[observer, holder] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
    await Promise.all([observer.connect(), holder.connect()])
    shared = await anOrganisation()
  })
  afterAll(async () => {
    await Promise.all([observer?.end(), holder?.end(), ...(processes ?? []).map((program) => program.end())])
    await service?.stop()
    await provider?.close()
    await home?.remove()
  })

  /** What was begun before a block stays ended when it is lifted. */
  const liftBlock = ({ organisation, user }: World) => organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: null })

  const mayMake = [
    'api_keys:create',
    'clients:create',
    'connections:create',
    'directories:create',
    'domains:update',
    'invitations:create',
    'resource_servers:create',
    'users:read',
    'webhooks:create',
  ]
  async function anOrganisation(): Promise<Place> {
    const organisation = await here().given.organisation()
    // A passkey is one factor of two, so that a sign-in by it is incomplete, too, once there is a second one.
    await organisation.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed', passkeySatisfiesMfa: false } })
    const grantTypes = ['authorization_code', 'refresh_token', deviceGrant]
    const application = await givenApplication(here(), { organisation, requireConsent: false, grantTypes })
    const { id: roleId } = await here().given.role(organisation.owner, { permissions: mayMake })
    return { organisation, application, roleId }
  }

  let roomy: Place | undefined
  let roundsLeft = 0
  /** Has room for what is limited: each round makes one or two directories, of which there can be 20, and up to three connections, of 50. */
  async function aRoomyOrganisation(): Promise<Place> {
    if (!roomy || roundsLeft === 0) [roomy, roundsLeft] = [await anOrganisation(), 8]
    roundsLeft--
    return roomy
  }

  /** A user with a domain and a connection of their own. What concerns the whole organisation gets one of its own. */
  async function aWorld(end: End, { isLimited, alone }: Pick<Maker, 'isLimited' | 'alone'> = {}): Promise<World> {
    const isOfAll = rowOf[end] === 'organisations'
    const place = isOfAll || alone ? await anOrganisation() : isLimited ? await aRoomyOrganisation() : shared
    const { organisation, roleId } = place
    const tenant = here().database.tenant(organisation.id)
    const domain = `d-${unique()}.example`
    const password = 'correct horse battery'
    const user = await insertUser(tenant, {
      email: `user@${domain}`,
      firstName: 'Carol',
      lastName: 'Shaw',
      passwordHash: await quickHashing.hash(password),
      emailVerifiedAt: tenant.now,
    })
    await tenant.insertInto('userRoles').values({ userId: user.id, roleId, createdAt: tenant.now }).execute()
    const connectionId = await connect(here(), organisation, provider, { linking: 'automatic' })
    const domainId = newId('dom', tenant.now)
    const times = { createdAt: tenant.now, updatedAt: tenant.now, verifiedAt: tenant.now, checkedAt: tenant.now }
    await tenant
      .insertInto('organisationDomains')
      .values({ id: domainId, domain, challenge: unique(), status: 'verified', sso: 'off', ...times })
      .execute()
    const signedIn = await here().given.signIn(user.email, password)
    let other: Promise<SignedInUser> | undefined
    const elsewhere = () => (other ??= here().given.signIn(user.email, password))
    // Before what is made changes how the user signs in.
    if (end === 'a password change' || end === 'a second factor') await elsewhere()
    if (end === 'a deactivated connection') {
      const identity = await linkedIdentity(here(), { organisationId: organisation.id, userId: user.id, connectionId })
      await cameBy(here(), { organisationId: organisation.id, sessionId: signedIn.sessionId }, identity)
    }
    return { ...place, user: signedIn, elsewhere, connectionId, domainId, domain }
  }

  const at = (caller: HttpClient, origin: string) => new HttpClient(origin, caller.headers)
  const isSignedIn = async (login: Answer) =>
    login.status === 200 &&
    login.body.status === 'authenticated' &&
    (await here().anonymous.get('/v1/auth/csrf', { headers: { cookie: cookieOf(login) } })).status === 200

  /** A sign-in that is complete with one request. */
  const signingIn = (path: string, body: unknown): Making => ({
    ask: (origin) => new HttpClient(origin).post(path, body),
    works: isSignedIn,
  })

  const seenByAdministrators = Object.fromEntries(ends.map((end) => [end, 'administrators see it, and delete it']))
  type Counted = 'clients' | 'registrationTokens' | 'resourceServers' | 'webhookEndpoints' | 'connections'
  /** A record of the organisation that an administrator makes. */
  async function made({ id }: TestOrganisation, table: Counted, user: SignedInUser, path: string, body: unknown): Promise<Making> {
    const count = async () => (await here().database.tenant(id).selectFrom(table).select('id').execute()).length
    const before = await count()
    return { ask: (origin) => at(user, origin).post(path, body), works: async () => (await count()) > before }
  }

  const makers = {
    'a sign-in by password': {
      prepare: async ({ user }) => signingIn('/v1/auth/login', { email: user.email, password: user.password }),
      table: 'sessions',
      regardless: { 'an end of all sessions': stillProven, 'a role taken away': noRights, 'a deactivated connection': notByIt },
    },
    'a sign-in by passkey': {
      async prepare({ user }) {
        const device = new PasskeyDevice()
        await registerPasskey(user, device)
        return signingIn('/v1/auth/passkey', await passkeyProof(here().anonymous, device))
      },
      table: 'sessions',
      regardless: {
        'a password change': stillProven,
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
    },
    'a sign-in by e-mail code': {
      prepare: async ({ user }) => signingIn('/v1/auth/email-code/verify', await emailCodeFor(here(), user.email)),
      table: 'sessions',
      regardless: {
        'a password reset': stillProven,
        'a password change': stillProven,
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
    },
    'a sign-in that waits for its second factor': {
      async prepare({ user, elsewhere }) {
        const { backupCodes } = await enrolAuthenticator(await elsewhere(), here().clock)
        const { body } = await here().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })
        return signingIn('/v1/auth/login/mfa', { mfaToken: body.mfaToken, code: backupCodes[0] })
      },
      table: 'sessions',
      regardless: {
        'a second factor': 'there is one already',
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
    },
    'a sign-in that comes to wait for its second factor': {
      async prepare(world) {
        const { backupCodes } = await enrolAuthenticator(await world.elsewhere(), here().clock)
        const { email, password } = world.user
        return {
          ask: (origin) => new HttpClient(origin).post('/v1/auth/login', { email, password }),
          works: async ({ status, body: { mfaToken } }) => {
            await liftBlock(world)
            return status === 200 && isSignedIn(await here().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] }))
          },
        }
      },
      table: 'mfa_challenges',
      regardless: {
        'a second factor': 'there is one already',
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
    },
    'a sign-in that comes to wait for a new password': {
      async prepare(world) {
        const { organisation, user } = world
        await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 1 } })
        const passwordChangedAt = new Date(here().clock.now().getTime() - 2 * 86_400_000)
        await here().database.tenant(organisation.id).updateTable('users').set({ passwordChangedAt }).where('id', '=', user.id).execute()
        return {
          ask: (origin) => new HttpClient(origin).post('/v1/auth/login', { email: user.email, password: user.password }),
          works: async ({ body: { resetToken } }) => {
            if (resetToken === undefined) return false
            await liftBlock(world)
            const password = 'quite another secret'
            return (await here().anonymous.post('/v1/auth/password/reset', { token: resetToken, password })).status === 200
          },
        }
      },
      table: 'action_links',
      regardless: {
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
    },
    'a sign-in by a connection': {
      async prepare({ user, connectionId }) {
        provider.behaviour.user = { sub: `sub-${unique()}`, email: user.email, email_verified: true }
        const { visitor, path } = await atProvider(connectionId)
        return { ask: (origin) => new HttpClient(origin, { cookie: visitor.cookie }).get(path), works: hasSession }
      },
      table: 'sessions',
      regardless: {
        'a password reset': stillProven,
        'a password change': stillProven,
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
      },
    },
    'a sign-in by SAML': {
      async prepare(world) {
        const { organisation, user } = world
        const made = await organisation.owner.post('/v1/admin/connections', samlFields(samlAt))
        expect(made).toMatchObject({ status: 201 })
        // Whatever ends the connection ends this one.
        world.connectionId = made.body.id
        const nameId = `anna-${unique()}`
        const subject = JSON.stringify([nameId, 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', null, null])
        await linkedIdentity(here(), { organisationId: organisation.id, userId: user.id, connectionId: made.body.id, subject })
        const { visitor, location, state, metadata } = await beginSaml(here(), made.body)
        const { id } = await samlAt.readRequest(metadata, location)
        const message = await samlAt.respond(metadata, id, { nameId, email: user.email })
        const path = (await postResponse(here(), made.body, state, message)).headers.get('location') ?? ''
        return { ask: (origin) => new HttpClient(origin, { cookie: visitor.cookie }).get(path), works: hasSession }
      },
      table: 'sessions',
      regardless: {
        'a password reset': stillProven,
        'a password change': stillProven,
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
      },
      isLimited: true,
    },
    'an accepted invitation': {
      async prepare({ organisation, domain }) {
        const email = `invited-${unique()}@${domain}`
        const { token } = await invite(here(), organisation.owner, { email })
        const accepted = acceptance(token)
        return {
          ask: (origin) => new HttpClient(origin).post('/v1/auth/invitations/accept', accepted),
          works: async () => isSignedIn(await here().anonymous.post('/v1/auth/login', { email, password: accepted.password })),
        }
      },
      table: 'users',
      regardless: {
        'a password reset': forNewUser,
        'a password change': forNewUser,
        'a second factor': forNewUser,
        'a block': forNewUser,
        'a deactivation by a directory': forNewUser,
        'a deletion': forNewUser,
        'an end of all sessions': forNewUser,
        'a role taken away': 'the role is the one of the invitation',
        'a deactivated connection': notByIt,
      },
    },
    'a reset by a link': {
      async prepare({ user }) {
        const token = await resetToken(user)
        const password = `another long secret ${unique()}`
        return {
          ask: (origin) => new HttpClient(origin).post('/v1/auth/password/reset', { token, password }),
          works: async () => isSignedIn(await here().anonymous.post('/v1/auth/login', { email: user.email, password })),
        }
      },
      table: 'action_links',
      regardless: {
        'a password reset': 'of all links of a user one is used',
        'an end of all sessions': provesMailbox,
        'a role taken away': noRights,
        'a deactivated connection': notByIt,
      },
      leaves: {
        'a password change': 'the change is refused: the password that it replaces is another one',
        'a second factor': 'the enrolment is refused: its session has ended',
      },
      refuses: { 'a password change': 400, 'a second factor': 401 },
    },
    'a link that proves an address': {
      async prepare({ user, organisation }) {
        const tenant = here().database.tenant(organisation.id)
        await tenant.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', user.id).execute()
        return {
          ask: (origin) => at(user, origin).post('/v1/me/email/verification'),
          works: async () => (await openLinks(organisation, user)).includes('email_verification'),
        }
      },
      table: 'action_links',
      regardless: { 'a role taken away': noRights },
      leaves: {
        'a password reset': provesMailbox,
        'a password change': provesMailbox,
        'a second factor': provesMailbox,
        'a deletion': 'it does nothing for a deleted user, and has ended when they are restored',
        'an end of all sessions': provesMailbox,
        'a suspension': 'it does nothing while the organisation is suspended',
        'a cancellation': 'it does nothing for a cancelled organisation, and has ended when that is restored',
        'a deactivated connection': provesMailbox,
        'a required connection': provesMailbox,
      },
    },
    'a refresh': {
      async prepare({ user, application }) {
        const { refresh_token } = await application.signIn({ scope: 'openid offline_access' }, user)
        return {
          ask: (origin) => at(here().anonymous, origin).post('/oauth2/token', formOf(refresh_token), asClient(application)),
          works: async ({ status, body }) => status === 200 && (await application.refresh(body.refresh_token)).status === 200,
        }
      },
      table: 'token_families',
      regardless: { 'a role taken away': 'a token says what its user might when it was asked for, until it expires' },
    },
    'an issued code': {
      async prepare({ user, application }) {
        const { verifier, challenge } = pkce()
        const asked = { code_challenge: challenge, code_challenge_method: 'S256', scope: 'openid offline_access' }
        return {
          ask: (origin) => application.authorize(asked, new HttpClient(origin, { cookie: user.cookie })),
          async works(answer) {
            // Whose session had ended is sent to the page for signing in, by a path.
            if (!URL.canParse(answer.headers.get('location') ?? '')) return false
            const code = callbackOf(answer).get('code')
            if (!code) return false
            const { status, body } = await application.redeem(code, verifier)
            return status === 200 && (await application.refresh(body.refresh_token)).status === 200
          },
        }
      },
      table: 'authorization_codes',
      regardless: { 'a role taken away': 'a token says what its user might when it was asked for, until it expires' },
    },
    'an exchanged code': {
      async prepare({ user, application }) {
        const { code, verifier } = await application.code({ scope: 'openid offline_access' }, user)
        const form = new URLSearchParams({
          ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: application.redirectUri },
        }).toString()
        return {
          ask: (origin) => at(here().anonymous, origin).post('/oauth2/token', form, asClient(application)),
          works: async ({ status, body }) => status === 200 && (await application.refresh(body.refresh_token)).status === 200,
        }
      },
      table: 'token_families',
      regardless: { 'a role taken away': 'a token says what its user might when it was asked for, until it expires' },
    },
    'an allowed device code': {
      async prepare({ user, application }) {
        const codes = await askOnDevice(application, { scope: 'openid offline_access' })
        const browser = browserOf(user)
        await enterCode(browser, codes.user_code)
        const { body, formToken } = await browser.open('/device/confirm')
        const form = new URLSearchParams({ formToken, request: requestOn(body), decision: 'allow' }).toString()
        return {
          ask: (origin) =>
            new HttpClient(origin, { cookie: browser.cookie }).post('/device/confirm', form, {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            }),
          async works() {
            const { status, body } = await poll(application, codes)
            return status === 200 && (await application.refresh(body.refresh_token)).status === 200
          },
        }
      },
      table: 'device_codes',
      regardless: { 'a role taken away': 'a token says what its user might when it was asked for, until it expires' },
    },
    'a redeemed device code': {
      async prepare({ user, application }) {
        const codes = await askOnDevice(application, { scope: 'openid offline_access' })
        await decideOnDevice(user, codes, 'allow')
        const form = new URLSearchParams({ grant_type: deviceGrant, device_code: codes.device_code }).toString()
        return {
          ask: (origin) => at(here().anonymous, origin).post('/oauth2/token', form, asClient(application)),
          works: async ({ status, body }) => status === 200 && (await application.refresh(body.refresh_token)).status === 200,
        }
      },
      table: 'token_families',
      regardless: { 'a role taken away': 'a token says what its user might when it was asked for, until it expires' },
    },
    'an accepted assertion': {
      async prepare({ organisation, user, connectionId }) {
        const accepting = await givenAccepting(here(), provider, { organisation, connectionId, userId: user.id })
        const claims = assertionFor(accepting, provider, here().clock.now())
        const form = new URLSearchParams({ grant_type: jwtBearer, assertion: await signAssertion(provider, claims) }).toString()
        return {
          ask: (origin) => at(here().anonymous, origin).post('/oauth2/token', form, asClient(accepting.editor)),
          works: async ({ status, body }) => status === 200 && (await accepting.editor.introspect(body.access_token)).body.active,
        }
      },
      table: 'token_families',
      regardless: {
        'a password reset': stillProven,
        'a password change': stillProven,
        'an end of all sessions': stillProven,
        'a role taken away': noRights,
      },
      alone: 'of several connections to one issuer, the oldest takes its assertions',
    },
    'a short-lived key of a workload': {
      prepare: async ({ user }) => {
        const cluster = await platform('kubernetes', { isPublished: false })
        const federatedCredentials = [credentialOf(cluster, { jwks: { keys: [cluster.key.publicKey] } })]
        const body = { name: 'Job', permissions: ['users:read'], secret: 'none', federatedCredentials }
        const { id } = (await user.post('/v1/admin/api-keys', body)).body
        const token = await cluster.token('http://gatehouse.test', here().clock.now())
        return {
          ask: (origin) => new HttpClient(origin).post('/v1/auth/api-keys/exchange', { apiKeyId: id, token }),
          works: async ({ status, body }) =>
            status === 201 &&
            (await here().anonymous.get('/v1/admin/users', { headers: { authorization: `Bearer ${body.apiKey}` } })).status === 200,
        }
      },
      table: 'exchanged_keys',
      regardless: {
        'a password change': ofItsKey,
        'a second factor': ofItsKey,
        'an end of all sessions': ofItsKey,
        'a deactivated connection': ofItsKey,
        'a required connection': ofItsKey,
      },
      leaves: { 'a suspension': 'a key that was there reads a suspended organisation, as before' },
    },
    'an API key': {
      prepare: async ({ user }) => ({
        ask: (origin) => at(user, origin).post('/v1/admin/api-keys', { name: 'Backup', permissions: ['users:read'] }),
        works: async ({ status, body }) =>
          status === 201 &&
          (await here().anonymous.get('/v1/admin/users', { headers: { authorization: `Bearer ${body.key}` } })).status === 200,
      }),
      table: 'api_keys',
      regardless: {},
      leaves: {
        'a suspension': 'a key that was there reads a suspended organisation, as before',
        'a password change': bySession,
        'a second factor': bySession,
        'an end of all sessions': bySession,
        'a deactivated connection': bySession,
        'a required connection': bySession,
      },
    },
    'an invitation': {
      prepare: async ({ user, roleId, organisation }) => {
        const email = `invited-${unique()}@example.test`
        const sent = () =>
          here().database.tenant(organisation.id).selectFrom('invitations').select('id').where('email', '=', email).execute()
        return {
          ask: (origin) => at(user, origin).post('/v1/admin/invitations', { email, roleId }),
          works: async () => (await sent()).length > 0,
        }
      },
      table: 'invitations',
      regardless: {},
      leaves: Object.fromEntries(ends.map((end) => [end, 'it was sent by who might: administrators see it, and cancel it'])),
    },
    'an application': {
      prepare: async ({ user, organisation }) =>
        made(organisation, 'clients', user, '/v1/admin/clients', {
          name: `Portal ${unique()}`,
          clientType: 'confidential',
          grantTypes: ['client_credentials'],
        }),
      table: 'clients',
      regardless: {},
      leaves: seenByAdministrators,
    },
    'a webhook endpoint': {
      prepare: async ({ user, organisation }) =>
        made(organisation, 'webhookEndpoints', user, '/v1/admin/webhooks', { url: 'https://hooks.acme.test/', events: ['role.created'] }),
      table: 'webhook_endpoints',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a directory': {
      async prepare({ user, organisation }) {
        const body = newDirectory()
        // By its name: the deactivation by a directory has one of its own.
        const named = () =>
          here().database.tenant(organisation.id).selectFrom('directories').select('id').where('name', '=', body.name).execute()
        return { ask: (origin) => at(user, origin).post('/v1/admin/directories', body), works: async () => (await named()).length > 0 }
      },
      table: 'directories',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a registration token': {
      prepare: async ({ user, organisation }) => made(organisation, 'registrationTokens', user, '/v1/admin/registration-tokens', {}),
      table: 'registration_tokens',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a resource server': {
      prepare: async ({ user, organisation }) =>
        made(organisation, 'resourceServers', user, '/v1/admin/resource-servers', newResourceServer()),
      table: 'resource_servers',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a set-up link': {
      prepare: async ({ user, organisation }) => ({
        ask: (origin) => at(user, origin).post('/v1/admin/setup-links', { name: 'Northwind', purposes: ['scim'] }),
        works: async ({ status, body }) =>
          status === 201 &&
          (await findPermissionsOfSetupLink(here().database.tenant(organisation.id), body.id))?.has('directories:create') === true,
      }),
      table: 'setup_links',
      regardless: {},
      leaves: {
        'a password change': bySession,
        'a second factor': bySession,
        'an end of all sessions': bySession,
        'a deactivated connection': bySession,
        'a required connection': bySession,
      },
      isLimited: true,
    },
    'a connection': {
      prepare: async ({ user, organisation }) => made(organisation, 'connections', user, '/v1/admin/connections', newConnection()),
      table: 'connections',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a connection of a domain': {
      async prepare({ user, organisation }) {
        const tenant = here().database.tenant(organisation.id)
        const connectionId = await connect(here(), organisation, provider)
        const id = newId('dom', tenant.now)
        const times = { createdAt: tenant.now, updatedAt: tenant.now }
        await tenant
          .insertInto('organisationDomains')
          .values({ id, domain: `d-${unique()}.example`, challenge: unique(), status: 'pending', sso: 'off', ...times })
          .execute()
        const assigned = () => tenant.selectFrom('organisationDomains').select('connectionId').where('id', '=', id).executeTakeFirst()
        return {
          ask: (origin) => at(user, origin).patch(`/v1/admin/domains/${id}`, { connectionId }),
          works: async () => (await assigned())?.connectionId === connectionId,
        }
      },
      table: 'organisation_domains',
      regardless: {},
      leaves: seenByAdministrators,
      isLimited: true,
    },
    'a consent': {
      async prepare({ user, organisation }) {
        const asking = await givenApplication(here(), { organisation, requireConsent: true })
        const asked = await asking.authorize({ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', scope: 'openid' }, user)
        const reference = new URL(asked.headers.get('location') ?? '', here().origin).searchParams.get('request') ?? ''
        const browser = browserOf(user)
        const { formToken } = await browser.open(consentPath(reference))
        const stored = () =>
          here().database.tenant(organisation.id).selectFrom('consents').select('userId').where('clientId', '=', asking.id).execute()
        return {
          ask: (origin) =>
            new HttpClient(origin, { cookie: browser.cookie }).post(
              consentPath(reference),
              new URLSearchParams({ formToken, decision: 'allow' }).toString(),
              { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
            ),
          works: async () => (await stored()).length > 0,
        }
      },
      table: 'consents',
      regardless: { 'a role taken away': noRights },
      leaves: Object.fromEntries(ends.map((end) => [end, named])),
    },
    'a linked account': {
      async prepare({ user, connectionId }) {
        provider.behaviour.user = { sub: `sub-${unique()}` }
        const { body } = await user.post('/v1/me/identities', { connectionId, returnTo: '/account/identities' })
        const visitor = new PageVisitor(here().origin, user.cookie)
        const { pathname, search } = new URL(body.url)
        const started = await visitor.open(pathname + search)
        const back = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
        return {
          ask: (origin) => new HttpClient(origin, { cookie: visitor.cookie }).get(back.pathname + back.search),
          async works() {
            const again = await atProvider(connectionId).catch(() => undefined)
            if (!again) return false
            return hasSession(await here().anonymous.get(again.path, { headers: { cookie: again.visitor.cookie } }))
          },
        }
      },
      table: 'identities',
      regardless: { 'a role taken away': noRights },
      leaves: {
        'a password change': bySession,
        'an end of all sessions': bySession,
        'a required connection': bySession,
      },
    },
    'a registered passkey': {
      async prepare({ user }) {
        const device = new PasskeyDevice()
        const { body } = await user.post('/v1/me/passkeys/options')
        const credential = device.create(body.options)
        return {
          ask: (origin) => at(user, origin).post('/v1/me/passkeys', { flowToken: body.flowToken, credential }),
          works: async ({ status }) =>
            status === 201 && isSignedIn(await here().anonymous.post('/v1/auth/passkey', await passkeyProof(here().anonymous, device))),
        }
      },
      table: 'passkeys',
      regardless: { 'a role taken away': noRights },
      leaves: {
        'a password change': bySession,
        'an end of all sessions': bySession,
        'a deactivated connection': bySession,
      },
    },
    'an enrolled second factor': {
      async prepare({ user, organisation }) {
        const { body } = await user.post('/v1/me/mfa/enable')
        const token = new Authenticator(body.secret, here().clock).code()
        const held = () =>
          here().database.tenant(organisation.id).selectFrom('mfaCredentials').select('sessionId').where('userId', '=', user.id)
        return {
          ask: (origin) => at(user, origin).post('/v1/me/mfa/verify', { token }),
          works: async () => (await held().where('verifiedAt', 'is not', null).where('secretEncrypted', '!=', '').execute()).length > 1,
        }
      },
      table: 'mfa_backup_codes',
      regardless: { 'a role taken away': noRights },
      leaves: Object.fromEntries(ends.map((end) => [end, named])),
      // It has ended the session that switches the other one on.
      refuses: { 'a second factor': 401, 'a password change': 401 },
    },
  } satisfies Record<string, Maker>

  /** A browser that the provider has just sent back. */
  async function atProvider(connectionId: string) {
    const visitor = new PageVisitor(here().origin)
    return { visitor, path: await callbackPath(provider, connectionId, visitor) }
  }

  async function hasSession(answer: Answer): Promise<boolean> {
    const isStarted = answer.headers.getSetCookie().some((line) => line.startsWith('svc_session='))
    return isStarted && (await here().anonymous.get('/v1/auth/csrf', { headers: { cookie: cookieOf(answer) } })).status === 200
  }

  const formOf = (refreshToken: string) => new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString()
  const asClient = ({ authorization }: TestApplication) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...authorization },
  })

  async function resetToken({ email }: { email: string }): Promise<string> {
    await here().anonymous.post('/v1/auth/password/forgot', { email })
    return here().mailbox.tokenTo(email, 'password')
  }

  /** The purposes of the user's links that are neither used nor ended. */
  async function openLinks({ id }: TestOrganisation, user: { id: string }): Promise<string[]> {
    const links = here().database.tenant(id).selectFrom('actionLinks').select('purpose').where('userId', '=', user.id)
    return (await links.where('usedAt', 'is', null).execute()).map(({ purpose }) => purpose)
  }

  /** Prepares an end. */
  const ending: Record<End, (world: World) => Promise<(origin: string) => Promise<Answer>>> = {
    async 'a password reset'({ user }) {
      const token = await resetToken(user)
      return (origin) => new HttpClient(origin).post('/v1/auth/password/reset', { token, password: 'quite another secret' })
    },
    async 'a password change'({ elsewhere, user }) {
      const session = await elsewhere()
      return (origin) =>
        at(session, origin).post('/v1/me/password', { currentPassword: user.password, newPassword: 'quite another secret' })
    },
    async 'a second factor'({ elsewhere }) {
      const session = await elsewhere()
      const { body } = await session.post('/v1/me/mfa/enable')
      const token = new Authenticator(body.secret, here().clock).code()
      return (origin) => at(session, origin).post('/v1/me/mfa/verify', { token })
    },
    'a block':
      async ({ organisation, user }) =>
      (origin) =>
        at(organisation.owner, origin).patch(`/v1/admin/users/${user.id}`, { blockedAt: here().clock.now().toISOString() }),
    async 'a deactivation by a directory'({ organisation, domain, user }) {
      const { id, scim } = await givenDirectory(here(), { organisation, domain })
      const deactivation = operations({ op: 'replace', value: { active: false } })
      return (origin) => new HttpClient(`${origin}/scim/v2/${id}`, scim.headers).patch(`/Users/${user.id}`, deactivation)
    },
    'a deletion':
      async ({ organisation, user }) =>
      (origin) =>
        at(organisation.owner, origin).delete(`/v1/admin/users/${user.id}`),
    'an end of all sessions':
      async ({ organisation, user }) =>
      (origin) =>
        at(organisation.owner, origin).delete(`/v1/admin/users/${user.id}/sessions`),
    'a role taken away':
      async ({ organisation, user, roleId }) =>
      (origin) =>
        at(organisation.owner, origin).delete(`/v1/admin/users/${user.id}/roles`, { roleId }),
    'a suspension':
      async ({ organisation }) =>
      (origin) =>
        operatorAt(origin).patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'Payment overdue' }),
    'a cancellation':
      async ({ organisation }) =>
      (origin) =>
        operatorAt(origin).delete(`/v1/system/organisations/${organisation.id}`),
    'a deactivated connection':
      async ({ organisation, connectionId }) =>
      (origin) =>
        at(organisation.owner, origin).patch(`/v1/admin/connections/${connectionId}`, { isActive: false, endSessions: true }),
    async 'a required connection'({ organisation, domainId }) {
      const connectionId = await connect(here(), organisation, provider)
      return (origin) =>
        at(organisation.owner, origin).patch(`/v1/admin/domains/${domainId}`, { sso: 'required', connectionId, endSessions: true })
    },
  }
  const operatorAt = (origin: string) => at(here().operator, origin)

  /** How many statements wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await observer.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows[0].count
  }

  /** How many transactions have begun. */
  async function running(): Promise<number> {
    const { rows } = await observer.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    return rows[0].count
  }

  /** Asks for something. @returns once the response is there, or as many statements wait as are to wait by then */
  async function begun(ask: () => Promise<Answer>, others: number) {
    const asked = { hasAnswered: false, answer: ask() }
    asked.answer.then(
      () => (asked.hasAnswered = true),
      () => (asked.hasAnswered = true),
    )
    await expect.poll(async () => asked.hasAnswered || (await waiting()) > others, { interval: 5 }).toBe(true)
    return asked
  }

  async function holding<T>(lock: string, work: () => Promise<T>): Promise<T> {
    await holder.query('begin')
    try {
      await holder.query(lock)
      return await work()
    } finally {
      await holder.query('commit')
    }
  }

  interface Round {
    maker: Maker
    end: End
    making: Making
    /** What holds both up until they have been asked for. */
    hold: string
    /** Which is asked for first, and waits. */
    first: 'maker' | 'end'
    endIt: (origin: string) => Promise<Answer>
    origins: { maker: string; end: string }
  }

  /** Asks for both while one waits. @returns what should not have happened */
  async function together({ maker, end, making, endIt, hold, first, origins }: Round): Promise<string[]> {
    const asks = { maker: () => making.ask(origins.maker), end: () => endIt(origins.end) }
    const second = first === 'maker' ? 'end' : 'maker'
    const { one, isHeld, other, isOtherHeld } = await holding(hold, async () => {
      const one = await begun(asks[first], 0)
      const isHeld = !one.hasAnswered
      const other = await begun(asks[second], isHeld ? 1 : 0)
      return { one, isHeld, other, isOtherHeld: !other.hasAnswered }
    })
    const answers = { [first]: await one.answer, [second]: await other.answer } as { maker: Answer; end: Answer }

    const { status, body } = answers.end
    const endWasFirst = first === 'end' ? isOtherHeld : !isOtherHeld
    const isLeft = !endWasFirst && end in (maker.leaves ?? {})
    return [
      ...(isHeld ? [] : [`${end}: the ${first} did not wait: ${answers[first].status} ${JSON.stringify(answers[first].body)}`]),
      ...(status < 300 || (!endWasFirst && status === maker.refuses?.[end]) ? [] : [`${end}: ${status} ${JSON.stringify(body)}`]),
      ...(answers.maker.status < 500 ? [] : [`${end}: made with ${answers.maker.status}`]),
      ...(!isLeft && (await making.works(answers.maker)) ? [`${end}: ${answers.maker.status}, and what was made works`] : []),
    ]
  }

  async function aRound(maker: Maker, end: End) {
    const world = await aWorld(end, maker)
    const making = await maker.prepare(world)
    return { world, round: { maker, end, making, endIt: await ending[end](world) } }
  }

  /** One that concerns a user, and one that concerns all. */
  const endsAtOnce = ['a block', 'a suspension'] as const

  it.each([
    ['another process', 1],
    ['the same process', 0],
  ] as const)('does not outlive what comes at the same moment by %s, at whatever moment that is', async (_name, ender) => {
    const faults: string[] = []
    for (const [name, maker] of Object.entries<Maker>(makers)) {
      for (const end of endsAtOnce.filter((one) => !(one in maker.regardless))) {
        const { round } = await aRound(maker, end)
        const { making, endIt } = round
        const [answer, ended] = await Promise.all([making.ask(processes[0].origin), endIt(processes[ender].origin)])
        if (ended.status >= 300 || answer.status >= 500) faults.push(`${name}, ${end}: ${ended.status} ${answer.status}`)
        if (!(end in (maker.leaves ?? {})) && (await making.works(answer)))
          faults.push(`${name}, ${end}: ${answer.status}, and what was made works`)
      }
    }
    expect(faults).toEqual([])
  })

  it('is every way in that there is', async () => {
    const firstFactors = (Object.keys(factors) as FactorName[]).filter((name) => takes('first', [factors[name]]))
    expect(Object.keys(makerOfFactor).sort()).toEqual(firstFactors.sort())
    expect(Object.keys(makerOfGrant).sort()).toEqual(grants.map(({ grantType }) => grantType).sort())
    expect(Object.keys(makerOfFile).sort()).toEqual(await filesThatCall(/\btakeNextStep\(tenant/))
    expect(Object.keys(endOfFile).sort()).toEqual(await filesThatCall(/await (endAccess\w*|endByBlock|revokeAllSessions)\(/))
    for (const maker of [...Object.values(makerOfFactor), ...Object.values(makerOfGrant), ...Object.values(makerOfFile)])
      if (maker !== withoutUser && maker !== noAccessHere) expect(Object.keys(makers)).toContain(maker)
  })

  it('is in each table by which another person can act as a user, but those with a reason', () => {
    const tables = new Set(takenAway.map((column) => column.split('.')[0] ?? ''))
    for (const { table } of Object.values<Maker>(makers)) tables.delete(table)
    expect([...tables].sort()).toEqual(Object.keys(madeOtherwise).sort())
  })

  const endsOf = ({ regardless }: Maker) => ends.filter((end) => !(end in regardless))

  describe.each(Object.entries(makers) as [string, Maker][])('%s', (_name, maker) => {
    it('does not outlive what comes between its check and its write, by another process', async () => {
      const faults: string[] = []
      for (const end of endsOf(maker)) {
        const { round } = await aRound(maker, end)
        const origins = { maker: processes[0].origin, end: processes[1].origin }
        faults.push(...(await together({ ...round, origins, first: 'maker', hold: `lock table ${maker.table} in share mode` })))
      }
      expect(faults).toEqual([])
    })

    it.each([
      ['another process', 1, ends],
      ['the same process', 0, endsAtOnce],
    ] as const)('does not come after what is first at the row that says whether it may, by %s', async (_process, ender, all) => {
      const faults: string[] = []
      for (const end of endsOf(maker).filter((one) => (all as readonly End[]).includes(one))) {
        const { world, round } = await aRound(maker, end)
        const origins = { maker: processes[0].origin, end: processes[ender].origin }
        const hold = `select from ${rowOf[end]} where id = '${idOf(world)[rowOf[end]]}' for no key update`
        faults.push(...(await together({ ...round, origins, first: 'end', hold })))
      }
      expect(faults).toEqual([])
    })
  })

  it.each([
    ['asks for a second factor', { requireMfa: true }],
    ['refuses passwords', { signInPolicy: { emailCode: 'allowed', password: 'disabled' } }],
  ])('is no session by a password, once the organisation %s', async (_rule, changes) => {
    const world = await aWorld('a suspension')
    const { organisation } = world
    const maker: Maker = makers['a sign-in by password']
    const endIt = (origin: string) => at(organisation.owner, origin).patch('/v1/admin/organisation', changes)
    const origins = { maker: processes[0].origin, end: processes[1].origin }
    const hold = `select from organisations where id = '${organisation.id}' for no key update`
    const round = { maker, end: 'a suspension' as const, making: await maker.prepare(world), endIt }
    expect(await together({ ...round, origins, first: 'end', hold })).toEqual([])
  })

  it('is no API key once the right to make one is gone, though another role gives what the key may do', async () => {
    const world = await aWorld('a role taken away')
    const { organisation, user } = world
    const { id: roleId } = await here().given.role(organisation.owner, { permissions: ['users:read'] })
    expect(await organisation.owner.post(`/v1/admin/users/${user.id}/roles`, { roleId })).toMatchObject({ status: 200 })
    const maker: Maker = makers['an API key']
    const [making, endIt] = [await maker.prepare(world), await ending['a role taken away'](world)]
    const origins = { maker: processes[0].origin, end: processes[1].origin }
    const hold = `select from users where id = '${user.id}' for no key update`
    expect(await together({ maker, end: 'a role taken away', making, endIt, hold, first: 'end', origins })).toEqual([])
  })

  it.each<[string, (world: World) => Promise<Making>]>([
    [
      'a changed password',
      async ({ user }) => ({
        ask: (origin) => at(user, origin).post('/v1/me/password', { currentPassword: user.password, newPassword: 'quite another secret' }),
        works: async () =>
          isSignedIn(await here().anonymous.post('/v1/auth/login', { email: user.email, password: 'quite another secret' })),
      }),
    ],
    [
      'a changed name',
      async ({ organisation, user }) => ({
        ask: (origin) => at(user, origin).patch('/v1/me/profile', { firstName: 'Changed' }),
        works: async () => (await organisation.owner.get(`/v1/admin/users/${user.id}`)).body.firstName === 'Changed',
      }),
    ],
    [
      'the deletion of a passkey',
      async ({ user }) => {
        const device = new PasskeyDevice()
        const { id } = await registerPasskey(user, device)
        return {
          ask: (origin) => at(user, origin).delete(`/v1/me/passkeys/${id}`),
          works: async ({ status }) => status === 204,
        }
      },
    ],
    [
      'the unlinking of an account',
      async ({ organisation, user, connectionId }) => {
        const { id } = await linkedIdentity(here(), { organisationId: organisation.id, userId: user.id, connectionId })
        return {
          ask: (origin) => at(user, origin).delete(`/v1/me/identities/${id}`),
          works: async ({ status }) => status === 204,
        }
      },
    ],
  ])('is not %s, once the session has ended', async (_name, prepare) => {
    const world = await aWorld('an end of all sessions')
    const end = 'an end of all sessions'
    const maker: Maker = { prepare, table: 'users', regardless: {} }
    const [making, endIt] = [await prepare(world), await ending[end](world)]
    const origins = { maker: processes[0].origin, end: processes[1].origin }
    const hold = `select from users where id = '${world.user.id}' for no key update`
    expect(await together({ maker, end, making, endIt, hold, first: 'end', origins })).toEqual([])
  })

  it.each<[string, End, (world: World) => (origin: string) => Promise<Answer>]>([
    [
      'has forgotten the password',
      'a block',
      ({ user }) =>
        (origin) =>
          new HttpClient(origin).post('/v1/auth/password/forgot', { email: user.email }),
    ],
    [
      'is mailed one by an administrator',
      'a deletion',
      ({ organisation, user }) =>
        (origin) =>
          at(organisation.owner, origin).post(`/v1/admin/users/${user.id}/password-reset`),
    ],
  ])('is no link that sets the password of a user who %s, once there is %s', async (_name, end, asking) => {
    const world = await aWorld(end)
    const { organisation, user } = world
    const endIt = await ending[end](world)
    const asks = asking(world)
    // A request of a stranger is answered before the work, so that only the statement that waits says where it is.
    const [ended, asked] = await holding(`select from users where id = '${user.id}' for update`, async () => {
      const ended = endIt(processes[1].origin)
      await expect.poll(waiting, { interval: 5 }).toBe(1)
      const asked = asks(processes[0].origin)
      await expect.poll(waiting, { interval: 5, timeout: 5_000 }).toBe(2)
      return [ended, asked] as const
    })
    expect((await ended).status).toBeLessThan(300)
    expect((await asked).status).toBeLessThan(500)
    await expect.poll(running, { interval: 5, timeout: 5_000 }).toBe(0)
    expect(await openLinks(organisation, user)).toEqual([])
  })

  it('is no account that is taken over by its first code, once the organisation refuses such codes', async () => {
    const world = await aWorld('a suspension')
    const { organisation, user } = world
    const tenant = here().database.tenant(organisation.id)
    await tenant.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', user.id).execute()
    const maker: Maker = makers['a sign-in by e-mail code']
    const signIn = await maker.prepare(world)
    const hasLostPassword = async () =>
      !(await isSignedIn(await here().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })))
    const making: Making = { ask: signIn.ask, works: async (answer) => (await signIn.works(answer)) || hasLostPassword() }
    const endIt = (origin: string) => at(organisation.owner, origin).patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'off' } })
    const origins = { maker: processes[0].origin, end: processes[1].origin }
    const hold = `select from users where id = '${user.id}' for no key update`
    expect(await together({ maker, end: 'a suspension', making, endIt, hold, first: 'maker', origins })).toEqual([])
  })

  it.each(['end', 'maker'] as const)(
    'is no session that may enrol by a password, once a passkey has to follow it (%s first)',
    async (first) => {
      const world = await aWorld('a suspension')
      const { organisation, user } = world
      const elsewhere = await world.elsewhere()
      await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
      const { body } = await elsewhere.post('/v1/me/passkeys/options')
      const passkey = { flowToken: body.flowToken, credential: new PasskeyDevice().create(body.options) }
      const making: Making = {
        ask: (origin) => new HttpClient(origin).post('/v1/auth/login', { email: user.email, password: user.password }),
        works: async (login) =>
          login.body.status !== 'mfa_required' && (await signedInBy(here().anonymous, login).post('/v1/me/mfa/enable')).status === 200,
      }
      const endIt = (origin: string) => at(elsewhere, origin).post('/v1/me/passkeys', passkey)
      const hold = first === 'end' ? `select from users where id = '${user.id}' for no key update` : 'lock table sessions in share mode'
      const maker: Maker = { ...makers['a sign-in by password'], regardless: {} }
      const origins = { maker: processes[0].origin, end: processes[1].origin }
      expect(await together({ maker, end: 'a second factor', making, endIt, hold, first, origins })).toEqual([])
    },
  )

  const idOf = ({ user, organisation, connectionId, domainId }: World) => ({
    users: user.id,
    organisations: organisation.id,
    connections: connectionId,
    organisation_domains: domainId,
  })
})
