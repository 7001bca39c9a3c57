import { describe, expect, it } from 'vitest'
import { readConfig, refusePublicSuffix } from './config.ts'
import { ConfigError } from './config-mistakes.ts'
import { describeVariables } from './described-variables.ts'

function mistakesIn(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

const key = Buffer.alloc(32, 7).toString('base64')
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', SECRET_KEY: key }

describe('the configuration', () => {
  it('has a default for everything in development', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      dataDir: './data',
      bootstrap: { slug: 'acme', email: 'owner@acme.test', password: undefined },
      signup: 'closed',
      tenantHeader: 'optional',
      webhookVariant: 'B',
      webhookAllowPrivateAddresses: false,
      pkcePlain: 'allow',
      idTokenSigningAlg: 'EdDSA',
      oauthExtensions: new Set(),
      openRegistration: false,
      dpopNonce: 'off',
      mtls: undefined,
      problemsHost: 'localhost:3000',
      rateLimit: true,
      isTrustedProxy: undefined,
      trialMaxUsers: 100,
      organisationRetentionDays: 30,
      logLevel: 'info',
      relyingParty: { id: 'localhost', origins: ['http://localhost:3000'], furtherOrigins: [] },
    })
  })

  it('takes certificates from a proxy that is trusted, and says what is missing for that', () => {
    const all = {
      ...{ OAUTH_EXTENSIONS: 'mtls', TRUST_PROXY: 'loopback', MTLS_CERTIFICATE_HEADER: 'X-SSL-Client-Cert' },
      ...{ MTLS_VERIFIED_HEADER: 'X-SSL-Client-Verify', MTLS_PUBLIC_URL: 'https://mtls.id.example.com/' },
    }
    expect(readConfig(all).mtls).toEqual({
      certificateHeader: 'x-ssl-client-cert',
      verifiedHeader: 'x-ssl-client-verify',
      publicUrl: 'https://mtls.id.example.com',
    })
    expect(mistakesIn({ OAUTH_EXTENSIONS: 'mtls' })).toEqual([
      'MTLS_CERTIFICATE_HEADER is not set and must be client-cert, or the header in which the proxy hands certificates on: OAUTH_EXTENSIONS holds mtls',
      'MTLS_VERIFIED_HEADER is not set and must be the header in which the proxy says SUCCESS: OAUTH_EXTENSIONS holds mtls',
      'TRUST_PROXY is not set and must be the addresses of the proxy that hands certificates on: OAUTH_EXTENSIONS holds mtls',
    ])
    expect(mistakesIn({ ...all, MTLS_VERIFIED_HEADER: 'x-ssl-client-cert' })).toEqual([
      'MTLS_VERIFIED_HEADER is "x-ssl-client-cert" and must be another header than MTLS_CERTIFICATE_HEADER',
    ])
    // Without a variable of it, "all" is what can start.
    expect(readConfig({ OAUTH_EXTENSIONS: 'all' }).oauthExtensions.has('mtls')).toBe(false)
    expect(readConfig({ ...all, OAUTH_EXTENSIONS: 'all' }).oauthExtensions.has('mtls')).toBe(true)
    expect(mistakesIn({ OAUTH_EXTENSIONS: 'all', MTLS_CERTIFICATE_HEADER: 'client-cert' })).toHaveLength(2)
  })

  it('switches on the extensions of OAuth that are named, or all of this release', () => {
    for (const value of ['step_up', ' step_up , '])
      expect(readConfig({ OAUTH_EXTENSIONS: value }).oauthExtensions).toEqual(new Set(['step_up']))
    expect(readConfig({ OAUTH_EXTENSIONS: 'step_up,device' }).oauthExtensions).toEqual(new Set(['step_up', 'device']))
    expect(readConfig({ OAUTH_EXTENSIONS: 'all' }).oauthExtensions).toEqual(
      new Set([
        'backchannel_logout',
        'claims_parameter',
        'client_metadata_documents',
        'device',
        'dpop',
        'dynamic_registration',
        'federated_credentials',
        'identity_assertions',
        'jar',
        'jwt_introspection',
        'par',
        'private_key_jwt',
        'resource_indicators',
        'step_up',
      ]),
    )
  })

  it('tells in production what is missing together with what is wrong', () => {
    expect(mistakesIn({ NODE_ENV: 'production', PORT: 'http', PUBLIC_URL: 'id.example.com' })).toEqual([
      'PORT is "http" and must be a whole number from 0 to 65535',
      'PUBLIC_URL is "id.example.com" and must be an origin such as https://id.example.com',
      'SECRET_KEY is not set and must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them',
    ])
  })

  it('takes the name servers for domains', () => {
    const servers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]', '[2001:db8::53]:5353']
    expect(readConfig({ DNS_SERVERS: servers.join(' , ') }).dnsServers).toEqual(servers)
    expect(readConfig({}).dnsServers).toBeUndefined()
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', SECRET_KEY: ' ', SIGNUP: '' })).toMatchObject({ port: 3000, secretKey: undefined, signup: 'closed' })
  })

  it.each([
    ['PORT', '70000', 'PORT is "70000" and must be a whole number from 0 to 65535'],
    ['PORT', '3e3', 'PORT is "3e3" and must be a whole number from 0 to 65535'],
    [
      'PUBLIC_URL',
      'https://id.example.com/path',
      'PUBLIC_URL is "https://id.example.com/path" and must be an origin such as https://id.example.com',
    ],
    [
      'PUBLIC_URL',
      'https://id.example.com?tenant=1',
      'PUBLIC_URL is "https://id.example.com?tenant=1" and must be an origin such as https://id.example.com',
    ],
    [
      'PUBLIC_URL',
      'https://id.example.com#here',
      'PUBLIC_URL is "https://id.example.com#here" and must be an origin such as https://id.example.com',
    ],
    ['PUBLIC_URL', 'id.example.com', 'PUBLIC_URL is "id.example.com" and must be an origin such as https://id.example.com'],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM is "nobody" and must be an address such as Gatehouse <no-reply@example.com>'],
    ['SIGNUP', 'yes', 'SIGNUP is "yes" and must be one of open, closed'],
    ...['true', '1', 'proxy.example.com', '10.0.0.0/33'].map((value) => [
      'TRUST_PROXY',
      value,
      `TRUST_PROXY is "${value}" and must be addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas`,
    ]),
    ['TENANT_HEADER', 'on', 'TENANT_HEADER is "on" and must be one of optional, required'],
    ['STRICT_INPUT', 'true', 'STRICT_INPUT is "true" and must be one of on, off'],
    ['SESSION_COOKIE_PREFIX', '__Secure-', 'SESSION_COOKIE_PREFIX is "__Secure-" and must be one of __Host-'],
    ['SESSION_COOKIE_PREFIX', '__Host-', 'SESSION_COOKIE_PREFIX is "__Host-" and must be unset unless PUBLIC_URL is https'],
    ['WEBHOOK_VARIANT', 'C', 'WEBHOOK_VARIANT is "C" and must be one of A, B'],
    ...['https://idp.internal', '*.internal', '10.0.0.0/33', 'idp.internal,,'].map((value) => [
      'OUTGOING_PRIVATE_HOSTS',
      value,
      `OUTGOING_PRIVATE_HOSTS is "${value}" and must be host names, addresses and ranges such as idp.internal or 10.1.2.0/24, separated by commas`,
    ]),
    ...['ns.example.com', '192.0.2.53:0', '192.0.2.53:65536', '2001:db8::53:', '[192.0.2.300]', '192.0.2.53,'].map((value) => [
      'DNS_SERVERS',
      value,
      `DNS_SERVERS is "${value}" and must be addresses such as 192.0.2.53 or [2001:db8::53]:5353, separated by commas`,
    ]),
    ['PKCE_PLAIN', 'no', 'PKCE_PLAIN is "no" and must be one of allow, deny'],
    ['ID_TOKEN_SIGNING_ALG', 'HS256', 'ID_TOKEN_SIGNING_ALG is "HS256" and must be one of EdDSA, RS256'],
    [
      'OAUTH_EXTENSIONS',
      'stepup',
      'OAUTH_EXTENSIONS is "stepup" and must be all, or names among backchannel_logout, claims_parameter, client_metadata_documents, device, dpop, dynamic_registration, federated_credentials, identity_assertions, jar, jwt_introspection, mtls, par, private_key_jwt, resource_indicators, step_up, separated by commas: there is no stepup',
    ],
    [
      'OAUTH_EXTENSIONS',
      'step_up, token_exchange',
      'OAUTH_EXTENSIONS is "step_up, token_exchange" and must be all, or names among backchannel_logout, claims_parameter, client_metadata_documents, device, dpop, dynamic_registration, federated_credentials, identity_assertions, jar, jwt_introspection, mtls, par, private_key_jwt, resource_indicators, step_up, separated by commas: this release does not have token_exchange',
    ],
    [
      'OAUTH_EXTENSIONS',
      'step_up,all',
      'OAUTH_EXTENSIONS is "step_up,all" and must be all, or names among backchannel_logout, claims_parameter, client_metadata_documents, device, dpop, dynamic_registration, federated_credentials, identity_assertions, jar, jwt_introspection, mtls, par, private_key_jwt, resource_indicators, step_up, separated by commas: there is no all',
    ],
    [
      'OPEN_REGISTRATION',
      'on',
      'OPEN_REGISTRATION is "on" and must be off unless OAUTH_EXTENSIONS holds dynamic_registration and resource_indicators',
    ],
    [
      'MTLS_CERTIFICATE_HEADER',
      'client-cert',
      'MTLS_CERTIFICATE_HEADER is "client-cert" and must be unset unless OAUTH_EXTENSIONS holds mtls',
    ],
    ['MTLS_CERTIFICATE_HEADER', 'client cert', 'MTLS_CERTIFICATE_HEADER is "client cert" and must be the name of a header'],
    ['MTLS_VERIFIED_HEADER', 'x-verified', 'MTLS_VERIFIED_HEADER is "x-verified" and must be unset unless OAUTH_EXTENSIONS holds mtls'],
    [
      'MTLS_PUBLIC_URL',
      'https://mtls.id.example.com/x',
      'MTLS_PUBLIC_URL is "https://mtls.id.example.com/x" and must be an origin such as https://mtls.id.example.com',
    ],
    ['DPOP_NONCE', 'required', 'DPOP_NONCE is "required" and must be off unless OAUTH_EXTENSIONS holds dpop'],
    ['RATE_LIMIT', 'true', 'RATE_LIMIT is "true" and must be one of on, off'],
    ['TRIAL_MAX_USERS', '0', 'TRIAL_MAX_USERS is "0" and must be a whole number from 1 to 1000000'],
    ['BOOTSTRAP_ORGANISATION_SLUG', 'Acme!', 'BOOTSTRAP_ORGANISATION_SLUG is "Acme!" and must be lower-case letters, digits and hyphens'],
    ['BOOTSTRAP_OWNER_EMAIL', 'owner', 'BOOTSTRAP_OWNER_EMAIL is "owner" and must be an e-mail address'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud" and must be one of fatal, error, warn, info, debug, trace, silent'],
  ] as [string, string, string][])('refuses %s=%s in one line that says what it must be', (variable, value, line) => {
    expect(mistakesIn({ [variable]: value })).toEqual([line])
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/protobuf or http/json: gRPC is not supported, and collectors take HTTP at port 4318'],
    [
      'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL',
      'grpc',
      'http/protobuf or http/json: gRPC is not supported, and collectors take HTTP at port 4318',
    ],
    ['OTEL_METRICS_EXPORTER', 'prometheus', 'otlp or none'],
    ['OTEL_LOGS_EXPORTER', 'console', 'otlp or none'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0', 'milliseconds, a whole number from 1 to 86400000'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '1m', 'milliseconds, a whole number from 1 to 86400000'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'pairs such as name=value, separated by commas'],
  ])('refuses %s=%s where something is sent to a collector', (variable, value, expected) => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
    expect(mistakesIn({ ...collector, [variable]: value })).toEqual([`${variable} is "${value}" and must be ${expected}`])
    // The variable may be meant for other programs.
    expect(readConfig({ [variable]: value }).sentSignals).toEqual([])
    expect(readConfig({ ...collector, OTEL_SDK_DISABLED: 'true', [variable]: value }).sentSignals).toEqual([])
  })

  it('never prints the headers for a collector', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
    for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_LOGS_HEADERS'])
      expect(mistakesIn({ ...collector, [name]: 'hunter2' })).toEqual([
        `${name} is not usable and must be pairs such as name=value, separated by commas`,
      ])
    const described = describeVariables({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2' })
    expect(JSON.stringify(described)).not.toContain('hunter2')
  })

  it('sends each signal that has an address and is not switched off', () => {
    const sent = (environment: Record<string, string>) => readConfig(environment).sentSignals
    const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
    expect(sent({})).toEqual([])
    expect(sent(general)).toEqual(['traces', 'metrics', 'logs'])
    expect(sent({ ...general, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'otlp' })).toEqual(['traces', 'logs'])
    expect(sent({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://localhost:4318/v1/logs' })).toEqual(['logs'])
    expect(sent({ ...general, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_HEADERS: 'a=b,c=d%20e' })).toHaveLength(3)
  })

  it.each([
    ['SECRET_KEY', 'not-32-bytes'],
    ['SECRET_KEY', 'a'.repeat(64)],
    ['SECRET_KEY', Buffer.alloc(31, 7).toString('base64')],
    ['SECRET_KEY', Buffer.alloc(33, 7).toString('base64url')],
    ['SECRET_KEY', key.replace(/.=$/, '9=')],
    // The key mixes both alphabets.
    ['SECRET_KEY', `${'-/'.repeat(21)}A=`],
    ['SECRET_KEY', `${key.slice(0, 20)}*${key.slice(20)}`],
    ['SECRET_KEY_PREVIOUS', 'not-32-bytes'],
    ['DATABASE_URL', 'mysql://root:hunter2@host/db'],
    ['DATABASE_URL', 'postgres://root:12#hunter2@host/db'],
    ['DATABASE_URL', 'postgres://root:12/hunter2@host/db'],
    ['DATABASE_URL', 'postgres://root:12?hunter2@host/db'],
    ['DATABASE_URL', 'postgres://root:12@hunter2@host/db'],
    ['DATABASE_URL', 'postgres://root:hunter2%@host/db'],
    ['DATABASE_URL', 'postgres://root:hunter2@a:5432,b:port/db'],
    ['DATABASE_URL', 'postgres://root:12@hunter2@a:5432,b:5432/db'],
    ['DATABASE_URL', 'postgres://root:hunter2@a,b,a:5432/db'],
    ['DATABASE_URL', 'postgres://root:hunter2@a,b/db?target_session_attrs=any'],
    ['DATABASE_LISTEN_URL', 'postgres://root:hunter2@a,/db'],
    ['DATABASE_REPLICA_URL', 'postgres://root:hunter2@a,b/db'],
    ['SMTP_URL', 'smtp://root:25#hunter2@host'],
    ['REDIS_URL', 'redis://:12@hunter2@host'],
    ['SMTP_URL', 'http://user:hunter2@host'],
    ['SMTP_URL', 'smtp://user:hunter2@host?starttls=require'],
    ['SMTP_URL', 'smtp://user:hunter2@host?requireTLS=true'],
    ['SMTP_URL', 'smtp://?starttls=required&hunter2'],
    ['REDIS_URL', 'http://user:hunter2@host'],
    ['REDIS_URL', 'redis://user:hunter2@host/sessions'],
    ['SYSTEM_API_KEY', 'short-hunter2'],
    ['SYSTEM_API_KEY', 'words that no request can send as one token: hunter2'],
    ['SYSTEM_API_KEY', 'schlüssel-den-keine-anfrage-senden-kann-hunter2'],
    ['SMS_GATEWAY_TOKEN', 'hunter2\r\nsecond-line'],
    ['SMS_GATEWAY_TOKEN', 'hunter2…'],
    ['METRICS_TOKEN', 'hunter2'],
    ['METRICS_TOKEN', 'not one token: hunter2'],
    ['BOOTSTRAP_OWNER_PASSWORD', 'hunter2'],
  ])('never prints the value of %s', (variable, value) => {
    const [line, ...others] = mistakesIn({ [variable]: value })
    expect(line).toMatch(new RegExp(`^${variable} is not usable and must be \\S`))
    expect(line).not.toContain(value)
    expect(line).not.toContain('hunter2')
    expect(others).toEqual([])
  })

  it('takes a mail server with and without the demand for encryption', () => {
    for (const url of ['smtp://user:pass@host:587', 'smtps://host', 'smtp://host?starttls=required', 'smtp://host:587/?starttls=required'])
      expect(readConfig({ SMTP_URL: url }).smtpUrl).toBe(url)
    expect(mistakesIn({ SMTP_URL: 'smtp://host?starttls=true' })).toEqual([
      'SMTP_URL is not usable and must be a URL with a host, and with no parameter but starttls=required',
    ])
  })

  it('takes a gateway of text messages by https, and by http on this machine alone', () => {
    for (const url of ['https://sms.example.com/messages', 'http://127.0.0.1:8080/messages', 'http://localhost/messages'])
      expect(readConfig({ SMS_GATEWAY_URL: url }).smsGateway?.url).toBe(url)
    for (const url of ['http://10.0.0.7/messages', 'http://localhost.example.com/messages'])
      expect(mistakesIn({ SMS_GATEWAY_URL: url })).toEqual([
        `SMS_GATEWAY_URL is "${url}" and must be a URL such as https://sms.example.com/messages; http only on this machine`,
      ])
  })

  it.each([
    'postgres://user:p%40ss%23word@host:5432/db?sslmode=require',
    'postgres:///db?host=/run/postgresql',
    'postgresql://user@host/db',
    'postgres://user:p%40ss%2Cword@a:5432,[2001:db8::1]:5433,c/db?target_session_attrs=read-write&sslmode=require',
  ])('takes %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it.each(['http://localhost:3000', 'http://id.localhost', 'https://127.0.0.1:8443', 'http://[::1]:3000'])(
    'takes %s outside production',
    (origin) => {
      expect(mistakesIn({ PUBLIC_URL: origin })).toEqual([])
    },
  )

  it('accepts other origins outside production only by name', () => {
    const origin = 'https://id.example.com'
    for (const environment of [{}, { NODE_ENV: 'test' }, { ALLOW_DEVELOPMENT_ON: 'example.com' }]) {
      expect(mistakesIn({ PUBLIC_URL: origin, ...environment })).toEqual([
        `PUBLIC_URL is "${origin}" and must be an origin of this machine, such as http://localhost:3000: for others set NODE_ENV=production, or ALLOW_DEVELOPMENT_ON=id.example.com`,
      ])
    }
    expect(readConfig({ PUBLIC_URL: origin, ALLOW_DEVELOPMENT_ON: 'ID.example.com' })).toMatchObject({
      production: false,
      publicUrl: origin,
    })
  })

  it('names every mistake at once', () => {
    expect(mistakesIn({ PORT: 'x', SIGNUP: 'x', SECRET_KEY: 'x' })).toHaveLength(3)
  })

  it('requires https and a key in production, and names every mistake at once', () => {
    expect(mistakesIn({ NODE_ENV: 'production' })).toEqual([
      'PUBLIC_URL is not set and must be an https origin in production, such as https://id.example.com',
      'SECRET_KEY is not set and must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them',
    ])
    expect(mistakesIn({ ...production, PUBLIC_URL: 'http://id.example.com' })).toHaveLength(1)
    expect(mistakesIn(production)).toEqual([])
  })

  it('listens on all interfaces in production, and creates an organisation only when e-mail and password are set', () => {
    expect(readConfig(production)).toMatchObject({ host: '0.0.0.0', bootstrap: undefined, problemsHost: 'id.example.com' })
    expect(readConfig({ ...production, BOOTSTRAP_OWNER_EMAIL: 'owner@example.com' }).bootstrap).toBeUndefined()
    expect(
      readConfig({ ...production, BOOTSTRAP_OWNER_EMAIL: 'Owner@example.com', BOOTSTRAP_OWNER_PASSWORD: 'long enough' }).bootstrap,
    ).toEqual({ slug: 'acme', email: 'owner@example.com', password: 'long enough' })
  })
})

describe('the list of breached passwords', () => {
  const listOf = (environment: Record<string, string>) => readConfig(environment).breachedPasswords
  const expected = 'an https URL such as https://api.pwnedpasswords.com/range/, or file:<path> of what `npm run passwords:import` has made'

  it('is none unless it is named', () => {
    expect(listOf({})).toBeUndefined()
  })

  it('is a server or a file; what cannot be looked up is allowed, and sign-ins are left alone, unless the operator wants otherwise', () => {
    const others = { whenUnreachable: 'allow', atSignIn: 'off' }
    const url = 'https://api.pwnedpasswords.com/range/'
    expect(listOf({ BREACHED_PASSWORDS: url })).toEqual({ source: { kind: 'server', url }, ...others })
    expect(listOf({ BREACHED_PASSWORDS: 'https://api.pwnedpasswords.com/range' })).toMatchObject({ source: { url } })
    for (const [value, path] of [
      ['file:/var/lib/list', '/var/lib/list'],
      ['file:///var/lib/list', '/var/lib/list'],
      ['file:./list', './list'],
    ] as const)
      expect(listOf({ BREACHED_PASSWORDS: value })).toEqual({ source: { kind: 'file', path }, ...others })
    expect(
      listOf({ BREACHED_PASSWORDS: url, BREACHED_PASSWORDS_UNREACHABLE: 'refuse', BREACHED_PASSWORDS_AT_SIGN_IN: 'change' }),
    ).toMatchObject({ whenUnreachable: 'refuse', atSignIn: 'change' })
  })

  it('is asked without TLS on this machine alone, and not in production', () => {
    const url = 'http://localhost:8080/range/'
    expect(listOf({ BREACHED_PASSWORDS: url })).toMatchObject({ source: { url } })
    expect(mistakesIn({ ...production, BREACHED_PASSWORDS: url })).toEqual([
      `BREACHED_PASSWORDS is "${url}" and must be an https URL in production, or file:<path>`,
    ])
  })

  it.each([
    'http://passwords.example.com/range/',
    'ftp://example.com/',
    '/var/lib/list',
    'file:',
    'https://user:secret@example.com/range/',
    'https://example.com/range/?key=1',
    'https://example.com/range/#a',
    'on',
  ])('cannot be %s', (value) => {
    const shown = value.replace('user:secret@', '…@')
    expect(mistakesIn({ BREACHED_PASSWORDS: value })).toEqual([`BREACHED_PASSWORDS is "${shown}" and must be ${expected}`])
  })

  it.each([
    ['BREACHED_PASSWORDS_UNREACHABLE', 'refuse', 'allow'],
    ['BREACHED_PASSWORDS_AT_SIGN_IN', 'warn', 'off'],
  ])('is needed by %s=%s', (variable, value, usual) => {
    const line = `${variable} is "${value}" and must be ${usual} unless BREACHED_PASSWORDS is set`
    expect(mistakesIn({ [variable]: value })).toEqual([line])
    expect(mistakesIn({ [variable]: usual })).toEqual([])
    expect(mistakesIn({ BREACHED_PASSWORDS: 'file:x', [variable]: 'maybe' })).toEqual([
      expect.stringMatching(new RegExp(`^${variable} is "maybe" and must be one of `)),
    ])
  })
})

describe('the relying party of passkeys', () => {
  const relyingPartyOf = (environment: Record<string, string>) => readConfig({ ...production, ...environment }).relyingParty

  it('is the host of PUBLIC_URL, or what it ends with', () => {
    expect(relyingPartyOf({})).toEqual({ id: 'id.example.com', origins: ['https://id.example.com'], furtherOrigins: [] })
    expect(relyingPartyOf({ PASSKEY_RP_ID: 'Example.com' })).toMatchObject({ id: 'example.com' })
    expect(relyingPartyOf({ PUBLIC_URL: 'https://192.0.2.1' })).toMatchObject({ id: undefined })
    expect(relyingPartyOf({ PUBLIC_URL: 'https://[2001:db8::1]' })).toMatchObject({ id: undefined })
  })

  it('takes further origins', () => {
    const further = ['https://portal.example.org', 'android:apk-key-hash:Ab-_9=']
    expect(relyingPartyOf({ PASSKEY_ORIGINS: further.join(', ') })).toMatchObject({
      origins: ['https://id.example.com', ...further],
      furtherOrigins: further,
    })
  })

  it.each([
    ['PASSKEY_RP_ID', '192.0.2.1'],
    ['PASSKEY_RP_ID', 'example.org'],
    ['PASSKEY_RP_ID', 'ample.com'],
    ['PASSKEY_RP_ID', 'sub.id.example.com'],
    ['PASSKEY_RP_ID', 'https://example.com'],
    ['PASSKEY_ORIGINS', 'http://portal.example.org'],
    ['PASSKEY_ORIGINS', 'https://portal.example.org/'],
    ['PASSKEY_ORIGINS', 'portal.example.org'],
  ])('stops the start when %s is %s', (variable, value) => {
    expect(mistakesIn({ ...production, [variable]: value })).toEqual([expect.stringMatching(new RegExp(`^${variable} is "`))])
  })

  it.each([
    ['https://id.example.co.uk', 'co.uk'],
    ['https://id.example.com', 'com'],
    ['https://me.github.io', 'github.io'],
  ])('stops the start at %s when it is the public suffix %s', async (publicUrl, suffix) => {
    const config = readConfig({ ...production, PUBLIC_URL: publicUrl, PASSKEY_RP_ID: suffix })
    await expect(refusePublicSuffix(config)).rejects.toThrow(`PASSKEY_RP_ID is "${suffix}" and must be`)
  })

  it.each([
    ['https://id.example.co.uk', 'example.co.uk'],
    ['http://localhost:3000', 'localhost'],
    ['https://me.github.io', 'me.github.io'],
  ])('starts at %s with %s', async (publicUrl, id) => {
    const config = readConfig({
      NODE_ENV: 'development',
      ALLOW_DEVELOPMENT_ON: new URL(publicUrl).hostname,
      PUBLIC_URL: publicUrl,
      PASSKEY_RP_ID: id,
    })
    await expect(refusePublicSuffix(config)).resolves.toBeUndefined()
  })
})
