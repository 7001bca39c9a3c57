import { describe, expect, it } from 'vitest'
import { type FirstOf, findingInWords, type PassedCode, type PassedValues, type WrongCode, type WrongValues } from './findings.ts'
import { germanFindings } from './texts-de.ts'
import { englishFindings } from './texts-en.ts'

/** Several values of each finding, where its words depend on them. */
type Examples<Values> = { [Code in keyof Values]: [Values[Code], ...Values[Code][]] }

const none: [object] = [{}]
const at = '2026-03-14T15:09:26.000Z'
const reason = { reason: 'nothing listens there (ECONNREFUSED)' }
const notAsked = { address: 'https://id.acme.test/.well-known/openid-configuration', host: 'id.acme.test', port: 443, ...reason }
const refused = { address: 'https://id.acme.test/', status: 302, location: 'https://acme.test/', servicePort: 3000 }
const connections = { left: 4, most: 97, limit: 'server', ours: 21 } as const
const room = { freeBytes: 1_500_000, totalBytes: 4_000_000_000 }
const mails = { mails: 1, oldestSeconds: 7_300, lastError: null }
const pending = { pending: 1_200, due: 3, oldestSeconds: 90_000 }
const key = { algorithm: 'EdDSA', ageSeconds: 1, nextAt: at }
const tables = { tables: ['users', 'organisations', 'a', 'b', 'c', 'd'] }
const firstOf = <Item>(item: Item): [FirstOf<Item>, FirstOf<Item>] => [
  { first: [item], more: 0 },
  { first: [item, item, item, item, item], more: 1_999 },
]
const ofAcme = { organisation: 'acme' }

const passed: Examples<PassedValues> = {
  'variables-in-order': [{ variables: 1 }, { variables: 12 }],
  'secret-key-of-development': none,
  'secret-key-random': none,
  'previous-secret-key-not-set': none,
  'redis-answers': [{ milliseconds: 3 }],
  'public-url-answers': [{ address: notAsked.address }],
  'cookies-pass': none,
  'no-proxy': none,
  'proxy-trusted': [{ proxy: '127.0.0.2' }],
  'proxy-trusted-header-not-tried': [{ proxy: '127.0.0.2' }],
  'database-answers': [{ milliseconds: 29 }],
  'servers-in-order': [
    {
      primary: 'one:5432',
      others: [
        { server: 'two:5432', behindBytes: 0 },
        { server: 'three:5432', behindBytes: null },
      ],
      isSynchronous: true,
    },
    { primary: 'one:5432', others: [{ server: 'two:5432', behindBytes: 1_234_567 }], isSynchronous: false },
  ],
  'replica-read': none,
  'clocks-agree': [{ aheadSeconds: 0 }, { aheadSeconds: -1.26 }],
  'connections-left': [connections, { ...connections, limit: 'role' }, { ...connections, limit: 'database' }],
  'database-version-supported': [{ version: '18.4', isEmbedded: true }],
  'role-limited': none,
  'roles-separated': none,
  'row-level-security-forced': [{ tables: 1 }, { tables: 48 }],
  'migrations-applied': [{ applied: 60, last: '0098-keys-of-configuration' }],
  'migrations-known': none,
  'pooler-without-notices': none,
  'pooler-with-notices': none,
  'connections-hold': none,
  'table-sizes': [
    {
      tables: 57,
      totalBytes: 2_300_000,
      largest: [
        { table: 'users', bytes: 168_000, rowsADay: null },
        { table: 'audit_logs', bytes: 900, rowsADay: 30_000 },
      ],
    },
  ],
  'dead-rows-removed': [{ rowsMax: 50_000 }],
  'indexes-used': [{ fromBytes: 104_857_600, days: 30 }],
  'disk-has-room': [room],
  'mails-to-files': none,
  'mail-server-encrypted': none,
  'mail-server-of-this-machine': none,
  'no-mail-waits': none,
  'mails-wait': [mails],
  'no-webhook-pending': none,
  'webhooks-pending': [pending, { ...pending, oldestSeconds: -5 }],
  'no-webhook-deactivated': none,
  'no-logout-pending': none,
  'logouts-pending': [pending],
  'logouts-taken': none,
  'signing-keys-in-time': [{ keys: [key, { ...key, algorithm: 'RS256', ageSeconds: 200_000 }] }],
  'signing-keys-readable': [{ keys: 1 }, { keys: 3 }],
  'secrets-readable': none,
  'no-platform-needed': none,
  'platforms-answer': [
    { platforms: 1, notAsked: 0 },
    { platforms: 50, notAsked: 7 },
  ],
  'no-platform-trusted': none,
  'trust-in-use': [{ records: 1 }, { records: 2 }],
  'organisation-exists': none,
  'trials-within-limit': [{ usersMax: 100 }],
  'second-factors-possible': none,
  'single-sign-on-works': none,
  'domain-records-found': none,
  'no-directory-fails': none,
  'directory-tokens-last': [{ days: 14 }],
  'automatic-clients-have-room': [{ below: 900 }],
  'client-documents-readable': none,
  'no-setup-link-ends': [{ hours: 24 }],
  'no-setup-link-waits': [{ days: 3 }],
}

const wrong: Examples<WrongValues> = {
  'check-not-made': [reason],
  'check-not-ended': [{ seconds: 0.05 }],
  'variables-contradict': [
    {
      mistakes: [
        { code: 'no-effect-without', variable: 'SMS_FROM', other: 'SMS_GATEWAY_URL' },
        { code: 'unknown-variable', variable: 'GATEHOUSE_SIGNUP', other: 'SIGNUP' },
      ],
    },
  ],
  'variables-refused': [{ mistakes: ['PORT is "http" and must be a whole number from 0 to 65535'] }],
  'secret-key-of-few-bytes': [{ differentBytes: 1 }, { differentBytes: 7 }],
  'secret-key-printable': none,
  'secrets-under-previous-key': [{ secrets: 1 }, { secrets: 2_000 }],
  'previous-secret-key-not-needed': none,
  'redis-unreachable': [{ server: '127.0.0.1:6379', reason: 'ECONNREFUSED' }],
  'redis-refuses-database': [reason],
  'redis-refuses-user': [reason],
  'redis-certificate-refused': [reason],
  'redis-does-not-answer': [reason],
  'public-url-host-unknown': [notAsked],
  'public-url-certificate-expired': [notAsked],
  'public-url-certificate-not-yet-valid': [notAsked],
  'public-url-certificate-of-another-host': [notAsked],
  'public-url-certificate-untrusted': [notAsked],
  'public-url-without-tls': [notAsked],
  'public-url-unreachable': [notAsked],
  'public-url-without-service': [{ ...refused, status: 502, location: null }],
  'public-url-refused': [refused],
  'public-url-of-another-issuer': [
    { issuer: null, publicUrl: 'https://id.acme.test' },
    { issuer: 'https://other.test', publicUrl: 'https://id.acme.test' },
  ],
  'public-url-names-other-addresses': [{ fields: ['token_endpoint', 'jwks_uri'] }],
  'doctor-not-known-at-public-url': none,
  'echo-refused': [{ path: '/v1/system/doctor/echo', status: 500 }],
  'cookie-does-not-arrive': none,
  'cookie-does-not-return': none,
  'cookie-without-attributes': [{ attributes: ['Secure', 'HttpOnly'] }],
  'cookie-with-domain': [{ attribute: 'domain=example.com' }],
  'proxy-passes-header-on': [{ proxy: '127.0.0.2' }],
  'proxy-does-not-forward': [{ proxy: '127.0.0.2' }],
  'proxy-removes-header': [
    { proxy: '127.0.0.2', isTrusted: true },
    { proxy: '127.0.0.2', isTrusted: false },
  ],
  'proxy-not-trusted': [{ proxy: '127.0.0.2' }],
  'database-unreachable': [
    { ...reason, remedy: null },
    { ...reason, remedy: 'Start PostgreSQL there' },
  ],
  'database-read-only': none,
  'no-primary': [
    {
      servers: [
        { server: 'one:5432', why: { code: 'replica', values: {} } },
        { server: 'two:5432', why: { code: 'silent', values: reason } },
      ],
    },
  ],
  'servers-wrong': [
    {
      primary: 'one:5432',
      servers: [
        { mistake: 'silent', server: 'two:5432', why: { code: 'silent', values: reason } },
        { mistake: 'no-replica', server: 'three:5432', why: { code: 'former-primary', values: { timeline: 1, newest: 2 } } },
        { mistake: 'paused', server: 'four:5432' },
        { mistake: 'receives-nothing', server: 'five:5432' },
        { mistake: 'behind', server: 'six:5432', behindBytes: 20_000_000 },
      ],
    },
  ],
  'replica-not-read': [
    { ...reason, remedy: null },
    { ...reason, remedy: 'Name a streaming replica of DATABASE_URL' },
  ],
  'clocks-apart': [{ aheadSeconds: -9.84 }, { aheadSeconds: 3_600 }],
  'few-connections-left': [connections, { ...connections, limit: 'role' }, { ...connections, limit: 'database' }],
  'database-version-too-old': [{ version: '14.5', isEmbedded: false, oldest: 15 }],
  'role-of-superuser': none,
  'role-inherits': [{ statement: 'ALTER ROLE gatehouse NOINHERIT' }],
  'roles-not-separated': [
    {
      mistakes: [
        { mistake: 'superuser', role: 'gatehouse_tenant', object: null, statement: 'ALTER ROLE gatehouse_tenant NOSUPERUSER' },
        { mistake: 'login', role: 'gatehouse_tenant', object: null, statement: 'ALTER ROLE gatehouse_tenant NOLOGIN' },
        { mistake: 'member', role: 'gatehouse_tenant', object: 'others', statement: 'REVOKE others FROM gatehouse_tenant' },
        { mistake: 'owner', role: 'gatehouse_system', object: 'teams', statement: 'ALTER TABLE teams OWNER TO gatehouse' },
      ],
    },
  ],
  'row-level-security-not-forced': [tables],
  'row-level-security-without-policy': [tables],
  'migrations-pending': [{ migrations: ['0001-organisations'] }, { migrations: ['0001-organisations', '0002-users'] }],
  'migrations-unknown': [{ migrations: ['9999-of-the-future'] }],
  'listen-url-without-notices': none,
  'notices-lost': none,
  'connection-state-lost': none,
  'dead-rows-left': [{ tables: [{ table: 'organisations', dead: 60_000, live: 10 }] }],
  'indexes-unused': [{ indexes: [{ index: 'users_index', bytes: 200_000_000 }] }],
  'disk-nearly-full': [room],
  'mail-server-not-set': none,
  'mail-server-unencrypted': [{ server: 'mail.acme.test:587' }],
  'mail-server-certificate-refused': [{ ...reason, host: 'mail.acme.test' }],
  'mail-server-refuses-user': [reason],
  'mail-server-without-tls': [reason],
  'mail-server-does-not-answer': [reason],
  'mails-late': [mails, { ...mails, mails: 12, lastError: 'no route to host' }],
  'webhooks-late': [pending],
  'webhooks-deactivated': [
    { webhooks: 1, ...firstOf({ ...ofAcme, host: 'hooks.acme.test' })[0] },
    { webhooks: 9, ...firstOf({ ...ofAcme, host: null })[1] },
  ],
  'logouts-late': [pending],
  'logouts-failing': [
    { applications: 1, ...firstOf({ ...ofAcme, application: 'Shop', failed: 1, status: 404 })[0] },
    { applications: 9, ...firstOf({ ...ofAcme, application: 'Shop', failed: 1_000, status: null })[1] },
  ],
  'no-signing-key': none,
  'signing-keys-late': [{ keys: [key], lateDays: [9], signsForDays: 90 }],
  'signing-keys-unreadable': [
    { keys: ['key_1'], of: 1 },
    { keys: ['key_1', 'key_2'], of: 3 },
  ],
  'secrets-unreadable': [{ secrets: 1 }, { secrets: 2 }],
  'platforms-without-keys': [
    { notAsked: 0, ...firstOf({ issuer: 'https://ci.test', organisations: ['acme', 'globex'], ...reason })[0] },
    { notAsked: 4, ...firstOf({ issuer: 'https://ci.test', organisations: ['acme'], ...reason })[1] },
  ],
  'trust-without-extension': firstOf({ ...ofAcme, name: 'Deployment' }),
  'trust-unused': [
    {
      first: (['revoked', 'expired', 'creator', 'unused'] as const).map((idle) => ({ ...ofAcme, name: 'Deployment', idle, usedAt: at })),
      more: 0,
    },
  ],
  'no-organisation': [{ hasSystemKey: true }, { hasSystemKey: false }],
  'trials-beyond-limit': [{ usersMax: 1_000, ...firstOf({ ...ofAcme, users: 1_001 })[1] }],
  'second-factors-impossible': firstOf('acme'),
  'single-sign-on-broken': [
    {
      first: (['inactive', 'without-secret', 'failing'] as const).map((why) => ({
        ...ofAcme,
        domain: 'acme.test',
        connection: 'Workforce',
        why,
      })),
      more: 0,
    },
  ],
  'domain-records-missing': [
    firstOf({ ...ofAcme, domain: 'acme.test', requiresSingleSignOn: true, since: at })[0],
    firstOf({ ...ofAcme, domain: 'acme.test', requiresSingleSignOn: false, since: null })[1],
  ],
  'directories-failing': [
    firstOf({ ...ofAcme, directory: 'Entra ID', error: null, mistake: null })[0],
    firstOf({ ...ofAcme, directory: 'Entra ID', error: 'of a former release', mistake: null })[0],
    firstOf({
      ...ofAcme,
      directory: 'Entra ID',
      error: 'No request for 7 days',
      mistake: { code: 'silent', expected: '7', received: null },
    })[1],
  ],
  'directory-tokens-end': [
    firstOf({ ...ofAcme, directory: 'Entra ID', endsAt: at, hasEnded: true })[0],
    firstOf({ ...ofAcme, directory: 'Entra ID', endsAt: at, hasEnded: false })[1],
  ],
  'automatic-clients-full': [{ clientsMax: 1_000, ...firstOf({ ...ofAcme, clients: 950 })[0] }],
  'client-documents-unreadable': firstOf({ client: 'https://agent.example/1', since: at }),
  'setup-links-end': firstOf({ ...ofAcme, link: 'Northwind IT', endsAt: at }),
  'setup-links-wait': firstOf({ ...ofAcme, link: 'Northwind IT', made: 'workforce, Entra ID' }),
}

const examples = [
  ...(Object.keys(passed) as PassedCode[]).flatMap((code) => passed[code].map((values) => ({ code, values }))),
  ...(Object.keys(wrong) as WrongCode[]).flatMap((code) => wrong[code].map((values) => ({ code, values }))),
]

/** A text in which a value is missing, or is of another kind than its words take. */
const broken = /undefined|null|NaN|\[object|Invalid Date|\{\w+\}|function/

describe('a finding of the doctor', () => {
  it.each(examples)('is said in every language: $code', ({ code, values }) => {
    const [english, german] = [englishFindings, germanFindings].map((texts) => Object.values(findingInWords(texts, { code, values }) ?? {}))
    const isWrong = code in wrong
    for (const words of [english, german]) {
      expect(words).toHaveLength(3)
      // Why and remedy are of what is wrong alone.
      expect(words?.map((text) => typeof text)).toEqual(isWrong ? ['string', 'string', 'string'] : ['string', 'object', 'object'])
      for (const text of words ?? []) if (text !== null) expect(text).not.toMatch(broken)
    }
    // Names, statements and lines of configuration are the same ones.
    const [why, seen] = [german?.[1], german?.[0]]
    expect(isWrong ? why : seen).not.toBe(isWrong ? english?.[1] : english?.[0])
  })

  it('has a code of its own', () => {
    expect(Object.keys(passed).filter((code) => code in wrong)).toEqual([])
  })

  it('is not said if it is of a later release', () => {
    for (const code of ['of-the-future', 'toString', 'constructor'])
      expect(findingInWords(germanFindings, { code, values: {} })).toBeUndefined()
  })

  it('names days, lengths and sizes as its language does', () => {
    const inGerman = (code: string, values: object) => findingInWords(germanFindings, { code, values })?.seen
    expect(inGerman('mails-late', { mails: 2, oldestSeconds: 3 * 86_400, lastError: 'no route to host' })).toBe(
      '2 E-Mails warten, die älteste seit 3 Tagen; der letzte Fehler war: „no route to host“',
    )
    expect(inGerman('disk-nearly-full', room)).toBe('1,4 MiB von 3,7 GiB sind frei')
    expect(inGerman('clocks-apart', { aheadSeconds: -9.84 })).toBe('Die Uhr der Datenbank geht 9,8 s nach')
    expect(inGerman('trials-beyond-limit', wrong['trials-beyond-limit'][0])).toBe(
      `${Array(5).fill('acme hat 1.001 Benutzer von 1.000').join(', ')} und 1.999 weitere`,
    )
    expect(inGerman('directories-failing', wrong['directories-failing'].at(-1) ?? {})).toMatch(
      /^acme \(Entra ID\): Seit 7 Tagen keine Anfrage, /,
    )
  })
})
