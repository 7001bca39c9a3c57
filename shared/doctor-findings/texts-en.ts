import { passedOver, passedOverInWords } from '../servers-passed-over/texts.ts'
import { variableMistakeInWords, variableMistakes } from '../variable-mistakes/texts.ts'
import type { FindingTexts, PassedValues, RoleMistake, SigningKey, WrongServer, WrongValues } from './findings.ts'
import { forcing, forwards, passOn, policies } from './statements.ts'

const counted = (number: number, one: string, many = `${one}s`) => `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`

const namesMax = 5

/** Lists a few names, and says how many more there are. */
function someOf(names: readonly string[], more = 0): string {
  const rest = Math.max(0, names.length - namesMax) + more
  return rest > 0 ? `${names.slice(0, namesMax).join(', ')} and ${rest} more` : names.join(', ')
}

const units = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
] as const

/** Formats a length of time, such as `3 hours`. */
function duration(seconds: number): string {
  const [length, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 'seconds']
  const number = Math.floor(seconds / length)
  return `${number} ${number === 1 ? unit.slice(0, -1) : unit}`
}

const sizes = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
] as const

function size(bytes: number): string {
  const [step, unit] = sizes.find(([step]) => bytes >= step) ?? [1, 'bytes']
  const amount = bytes / step
  return `${amount >= 10 || step === 1 ? Math.round(amount) : amount.toFixed(1)} ${unit}`
}

const day = (time: string) => time.slice(0, 10)

const clocks = ({ aheadSeconds }: { aheadSeconds: number }) => {
  const apart = Math.abs(aheadSeconds)
  return `The database is ${apart < 0.1 ? 'less than 0.1' : apart.toFixed(1)} s ${aheadSeconds < 0 ? 'behind' : 'ahead'}`
}

const connectionLimits = { server: 'max_connections', role: 'the limit of the role', database: 'the limit of the database' }
const connections = ({ left, most, limit, ours }: PassedValues['connections-left']) =>
  `${left} of ${most} are left (${connectionLimits[limit]}); processes of Gatehouse have ${ours}`

const databaseVersion = ({ version, isEmbedded }: PassedValues['database-version-supported']) =>
  `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}`

const room = ({ freeBytes, totalBytes }: PassedValues['disk-has-room']) => `${size(freeBytes)} of ${size(totalBytes)} are free`

const waitingMails = ({ mails, oldestSeconds, lastError }: PassedValues['mails-wait']) =>
  `${counted(mails, 'mail waits', 'mails wait')}, the oldest for ${duration(oldestSeconds)}${lastError ? `; the last error was: ${lastError}` : ''}`

const pendingDeliveries = ({ pending, due, oldestSeconds }: PassedValues['webhooks-pending']) =>
  `${pending} pending, ${due} due${oldestSeconds > 0 ? `, the oldest since ${duration(oldestSeconds)}` : ''}`

const signingKeys = (keys: readonly SigningKey[]) =>
  keys.map(({ algorithm, ageSeconds, nextAt }) => `${algorithm}: ${duration(ageSeconds)} old, the next one from ${day(nextAt)}`).join('; ')

const notAskedMore = (notAsked: number) => (notAsked > 0 ? `; ${notAsked} more were not asked` : '')

const notReached = ({ address, reason }: WrongValues['public-url-unreachable']) => `${address} cannot be reached from here: ${reason}`
const refusedThere = ({ address, status, location }: WrongValues['public-url-refused']) =>
  `${address} answers ${status}${location ? `, to ${location}` : ''}`
const whyPublicUrl = 'Links in mails, redirects and the issuer of every token begin with PUBLIC_URL'

const whyCookies = 'No user stays signed in without the cookie, and one without its attributes can be stolen'

const whyForwarded =
  'Limits, the audit log and the list of sessions go by the address of the caller: it must be neither the proxy’s nor one that the caller chooses'

const unmade = { why: 'What it would have seen is not known', remedy: 'Mend what the reason names, and run the doctor again' }

const whySecretKey = 'Who guesses it reads every stored secret of a stolen database: signing keys, second factors, secrets of webhooks'
const newKey =
  'Run `openssl rand -base64 32 > new.key`, stop the service, run `gatehouse secret-key rotate --new-key-file new.key`, and set SECRET_KEY to what the file holds'

const redisSilent = ({ reason }: { reason: string }) => `It takes connections and does not answer: ${reason}`
const whyRedis = 'Without it each process counts attempts by itself, so that limits are as many times higher as there are processes'

const whyRowLevelSecurity = 'A statement of the service that forgot the organisation would read and change those of others'

const whyLate = 'Mails, webhooks and changes of keys and policies wait for the next poll instead of being told at once'
const withoutPooler =
  'DATABASE_POOLER=transaction, and DATABASE_LISTEN_URL=postgres://… to PostgreSQL itself; or pool_mode = session at the pooler'

const mailRefused = ({ reason }: { reason: string }) => `It does not let the service in: ${reason}`
const whyMailServer = 'Mails wait, are tried again for two days, and are given up then'

const roleMistakes: Readonly<Record<RoleMistake['mistake'], (mistake: RoleMistake) => string>> = {
  superuser: ({ role }) => `${role} is a superuser or bypasses row-level security`,
  login: ({ role }) => `${role} can log in`,
  member: ({ role, object }) => `${role} is a member of ${object}`,
  owner: ({ role, object }) => `the table ${object} belongs to ${role}`,
}

interface ServerWords {
  seen: string
  why: string
  remedy: string
}

const withoutSuccessor = 'If the primary fails, it cannot take over, and what it lacks would be lost'

function wrongServer(found: WrongServer, primary: string): ServerWords {
  const { server } = found
  switch (found.mistake) {
    case 'silent':
      return {
        seen: `${server} does not say what it is: ${passedOverInWords(passedOver, found.why)}`,
        why: withoutSuccessor,
        remedy: `Start PostgreSQL on ${server}, and let this machine in; or remove it from DATABASE_URL`,
      }
    case 'no-replica':
      return {
        seen: `${server} is no replica: ${passedOverInWords(passedOver, found.why)}`,
        why: 'A process that reaches it alone could write to it what the primary never gets',
        remedy: `Stop ${server} and make it a replica of ${primary}: by pg_rewind, or anew by pg_basebackup -R`,
      }
    case 'paused':
      return {
        seen: `${server} has stopped replaying`,
        why: withoutSuccessor,
        remedy: `Run on ${server}: SELECT pg_wal_replay_resume()`,
      }
    case 'receives-nothing':
      return {
        seen: `${server} receives nothing`,
        why: withoutSuccessor,
        remedy: `Have primary_conninfo of ${server} name ${primary}, and look into its log; if it needs what the primary no longer has, make it anew by pg_basebackup -R`,
      }
    case 'behind':
      return {
        seen: `${server} is ${size(found.behindBytes)} behind`,
        why: withoutSuccessor,
        remedy: `Look at pg_stat_replication on ${primary}: at the network if sent_lsn is behind, else at the disk of ${server}`,
      }
  }
}

const ofServers =
  (part: keyof ServerWords) =>
  ({ servers, primary }: WrongValues['servers-wrong']): string =>
    [...new Set(servers.map((server) => wrongServer(server, primary)[part]))].join('; ')

const idle = { revoked: 'revoked', expired: 'expired', creator: 'its user is blocked or deleted' }
const brokenConnections = { inactive: 'inactive', 'without-secret': 'without its secret or key', failing: 'failing' }

/** What the doctor says in English, to programs too. */
export const englishFindings: FindingTexts = {
  passed: {
    'variables-in-order': ({ variables }) => `${counted(variables, 'variable')} set, none without effect`,
    'secret-key-of-development': 'Not set: development makes a key, which is stored in DATA_DIR',
    'secret-key-random': '32 bytes that look random',
    'previous-secret-key-not-set': 'SECRET_KEY_PREVIOUS is not set',
    'redis-answers': ({ milliseconds }) => `It answered within ${milliseconds} ms`,

    'public-url-answers': ({ address }) => `${address} answers, with the same issuer`,
    'cookies-pass': 'A cookie arrives, and comes back with Secure, HttpOnly and SameSite',
    'no-proxy': 'No proxy is in front, and X-Forwarded-For from a caller is ignored',
    'proxy-trusted': ({ proxy }) => `The proxy at ${proxy} is trusted, and X-Forwarded-For from a caller is ignored`,
    'proxy-trusted-header-not-tried': ({ proxy }) =>
      `The proxy at ${proxy} is trusted. The doctor asks from a trusted address, so the header of others was not tried`,

    'database-answers': ({ milliseconds }) => `The database answered within ${milliseconds} ms`,
    'servers-in-order': ({ primary, others, isSynchronous }) =>
      [
        `${primary} is the primary`,
        ...others.map(({ server, behindBytes }) =>
          behindBytes === null ? `${server} leads to it, too` : `${server} is a replica, ${size(behindBytes)} behind`,
        ),
        isSynchronous ? 'a commit waits for a replica' : 'no commit waits for a replica (synchronous_standby_names)',
      ].join('; '),
    'replica-read': 'It is a replica of DATABASE_URL, and has replayed what the primary had written',
    'clocks-agree': clocks,
    'connections-left': connections,
    'database-version-supported': databaseVersion,
    'role-limited': 'The role is not a superuser, is bound by row-level security and inherits nothing',
    'roles-separated': 'gatehouse_tenant and gatehouse_system cannot log in, are bound by row-level security, and neither is the other',
    'row-level-security-forced': ({ tables }) => `Forced on all ${counted(tables, 'table')}, each with its policy`,
    'migrations-applied': ({ applied, last }) => `${applied} applied, the last one ${last}`,
    'migrations-known': 'This release knows every migration that has been applied',
    'pooler-without-notices':
      'DATABASE_POOLER is set: nothing is left on a connection, and every few seconds is asked for what notices would tell',
    'pooler-with-notices': 'DATABASE_POOLER is set, and a NOTIFY arrives by DATABASE_LISTEN_URL',
    'connections-hold': 'What is prepared and set on a connection stays, and a NOTIFY arrives',

    'table-sizes': ({ tables, totalBytes, largest }) => {
      const shown = largest.map(
        ({ table, bytes, rowsADay }) => `${table} ${size(bytes)}${rowsADay === null ? '' : `, ${rowsADay} rows a day more`}`,
      )
      return `${counted(tables, 'table')}, ${size(totalBytes)}; the largest: ${shown.join('; ')}`
    },
    'dead-rows-removed': ({ rowsMax }) => `No table has ${rowsMax} of them or more, and more than a fifth`,
    'indexes-used': ({ fromBytes, days }) => `No index of ${size(fromBytes)} or more has been unused for ${days} days`,
    'disk-has-room': room,

    'mails-to-files': 'No mail server is set: development writes mails to files in DATA_DIR/mail',
    'mail-server-encrypted': 'The server offers TLS and accepts the service',
    'mail-server-of-this-machine': 'The server on this machine accepts the service, without TLS',
    'no-mail-waits': 'No mail waits',
    'mails-wait': waitingMails,

    'no-webhook-pending': 'No delivery is pending',
    'webhooks-pending': pendingDeliveries,
    'no-webhook-deactivated': 'No webhook was deactivated',
    'no-logout-pending': 'No delivery is pending',
    'logouts-pending': pendingDeliveries,
    'logouts-taken': 'No delivery has failed for good',

    'signing-keys-in-time': ({ keys }) => signingKeys(keys),
    'signing-keys-readable': ({ keys }) => `${counted(keys, 'key')}, all under a key of this configuration`,
    'secrets-readable': 'All are under a key of this configuration',
    'no-platform-needed': 'No client and no API key needs the keys of a platform',
    'platforms-answer': ({ platforms, notAsked }) => `${counted(platforms, 'platform')}, all with keys${notAskedMore(notAsked)}`,
    'no-platform-trusted': 'No client and no API key trusts a platform',
    'trust-in-use': ({ records }) => `${counted(records, 'client or API key', 'clients and API keys')}, all in use`,

    'organisation-exists': 'An organisation exists',
    'trials-within-limit': ({ usersMax }) => `None has more than ${counted(usersMax, 'user')}`,
    'second-factors-possible': 'None requires what no user can enrol',
    'single-sign-on-works': 'No domain requires a connection that does not work',
    'domain-records-found': 'None is missing',
    'no-directory-fails': 'No directory is failing',
    'directory-tokens-last': ({ days }) => `No directory has to get another token within ${days} days`,
    'automatic-clients-have-room': ({ below }) => `None has ${below} or more`,
    'client-documents-readable': 'No document that an organisation needs has failed',
    'no-setup-link-ends': ({ hours }) => `No set-up link that is in use ends within ${hours} hours`,
    'no-setup-link-waits': ({ days }) => `Nothing waits for more than ${days} days`,
  },

  wrong: {
    'check-not-made': { seen: ({ reason }) => `The check could not be made: ${reason}`, ...unmade },
    'check-not-ended': { seen: ({ seconds }) => `The check could not be made: it did not end within ${seconds} seconds`, ...unmade },

    'variables-contradict': {
      seen: ({ mistakes }) => mistakes.map((mistake) => variableMistakeInWords(variableMistakes, mistake)).join('. '),
      why: 'The service does something else than was meant',
      remedy: 'Change the variables as said, and start the service again. `gatehouse config print --given` shows what applies',
    },
    'variables-refused': {
      seen: ({ mistakes }) => mistakes.join('. '),
      why: 'The service does not start',
      remedy: 'Correct the variables as said; docs/configuration.md describes each',
    },
    'secret-key-of-few-bytes': {
      seen: ({ differentBytes }) => `Only ${differentBytes} of its 32 bytes are different: it was not made at random`,
      why: whySecretKey,
      remedy: newKey,
    },
    'secret-key-printable': {
      seen: 'It is 32 letters, digits or signs: it was not made at random',
      why: whySecretKey,
      remedy: newKey,
    },
    'secrets-under-previous-key': {
      seen: ({ secrets }) => `${counted(secrets, 'stored secret is', 'stored secrets are')} still under SECRET_KEY_PREVIOUS`,
      why: 'Without SECRET_KEY_PREVIOUS they could not be read any more',
      remedy: 'Let the service finish, or run `gatehouse secret-key rotate --yes`; remove SECRET_KEY_PREVIOUS afterwards, not before',
    },
    'previous-secret-key-not-needed': {
      seen: 'Every stored secret is under SECRET_KEY, and SECRET_KEY_PREVIOUS is still set',
      why: 'A key that is not needed can only be stolen',
      remedy: 'Unset SECRET_KEY_PREVIOUS once no process of the service runs without the new SECRET_KEY, and start the service again',
    },
    'redis-unreachable': {
      seen: ({ server, reason }) =>
        `REDIS_URL: the Redis at ${server} cannot be reached (${reason}). Each process counts rate limits by itself. Start it, or correct the address`,
      why: whyRedis,
      remedy: 'Start Redis there, or set REDIS_URL to where it is',
    },
    'redis-refuses-database': {
      seen: ({ reason }) => `It refuses the database that REDIS_URL names: ${reason}`,
      why: whyRedis,
      remedy:
        'Correct the number at the end of REDIS_URL: redis://host:6379/0. Redis has as many databases, counted from 0, as its setting databases says, 16 by default, a cluster only 0; and its user must be allowed SELECT',
    },
    'redis-refuses-user': {
      seen: redisSilent,
      why: whyRedis,
      remedy: 'Correct user and password in REDIS_URL: redis://user:password@host:6379',
    },
    'redis-certificate-refused': {
      seen: redisSilent,
      why: whyRedis,
      remedy:
        'Give Redis a certificate for the host in REDIS_URL that has not expired; for a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    },
    'redis-does-not-answer': {
      seen: redisSilent,
      why: whyRedis,
      remedy: 'Correct REDIS_URL: host and port of Redis, rediss:// where it speaks TLS, redis:// where it does not',
    },

    'public-url-host-unknown': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) => `Have the name servers of this machine know ${host}, or correct PUBLIC_URL`,
    },
    'public-url-certificate-expired': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) =>
        `Renew the certificate of ${host}, and have the proxy read it: nginx -s reload. If it has been renewed, set the clock of this machine`,
    },
    'public-url-certificate-not-yet-valid': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: 'Set the clock of this machine, or give the proxy a certificate that is valid now',
    },
    'public-url-certificate-of-another-host': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) => `Give the proxy a certificate that names ${host}, or set PUBLIC_URL to the name that its certificate has`,
    },
    'public-url-certificate-untrusted': {
      seen: notReached,
      why: whyPublicUrl,
      remedy:
        'Have the proxy send its whole chain (ssl_certificate fullchain.pem) for this name; for a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    },
    'public-url-without-tls': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ port }) => `Have the proxy speak TLS on port ${port}: listen ${port} ssl; or correct the port in PUBLIC_URL`,
    },
    'public-url-unreachable': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host, port }) => `Start the service and its proxy, correct PUBLIC_URL, or let this machine reach ${host}:${port}`,
    },
    'public-url-without-service': {
      seen: refusedThere,
      why: whyPublicUrl,
      remedy: ({ servicePort }) =>
        `Start the service: the proxy answers, and reaches nothing behind it. Where the service runs, correct where the proxy passes requests on: ${passOn(servicePort)}`,
    },
    'public-url-refused': {
      seen: refusedThere,
      why: whyPublicUrl,
      remedy: ({ servicePort }) =>
        `Set PUBLIC_URL to the origin where the service is without a redirect, and have the proxy pass every path on: location / { ${passOn(servicePort)}; }`,
    },
    'public-url-of-another-issuer': {
      seen: ({ issuer }) => `The discovery document there is of ${issuer ?? 'no issuer'}`,
      why: 'Applications compare the issuer with the address they asked, and refuse what differs',
      remedy: ({ publicUrl }) =>
        `Set PUBLIC_URL of the running service to ${publicUrl}, and start it again; or correct what ${publicUrl} leads to`,
    },
    'public-url-names-other-addresses': {
      seen: ({ fields }) => `The discovery document there names other addresses: ${someOf(fields)}`,
      why: 'Applications would send codes and secrets to another server',
      remedy: 'Have the proxy pass the document on as it is, without replacing addresses in it (no sub_filter)',
    },
    'doctor-not-known-at-public-url': {
      seen: 'The check could not be made: The service at PUBLIC_URL does not know the doctor: it has another SECRET_KEY, a clock that is apart, or is of an earlier release',
      ...unmade,
    },
    'echo-refused': { seen: ({ path, status }) => `The check could not be made: ${path} answers ${status}`, ...unmade },
    'cookie-does-not-arrive': {
      seen: 'The cookie of a request does not arrive',
      why: whyCookies,
      remedy: 'nginx: proxy_set_header Cookie $http_cookie; (remove what empties it)',
    },
    'cookie-does-not-return': {
      seen: 'The cookie of a response does not come back',
      why: whyCookies,
      remedy: 'nginx: remove proxy_hide_header Set-Cookie and proxy_ignore_headers Set-Cookie',
    },
    'cookie-without-attributes': {
      seen: ({ attributes }) => `The cookie comes back without ${attributes.join(', ')}`,
      why: whyCookies,
      remedy:
        'nginx: remove proxy_cookie_flags and proxy_cookie_path from the location, so that cookies are passed on as the service sets them',
    },
    'cookie-with-domain': {
      seen: ({ attribute }) => `The cookie comes back with ${attribute}`,
      why: 'Every host below that domain gets the session',
      remedy: 'nginx: remove proxy_cookie_domain',
    },
    'proxy-passes-header-on': {
      seen: ({ proxy }) => `${proxy} is trusted as a proxy, and passes on what a caller writes into X-Forwarded-For`,
      why: whyForwarded,
      remedy: ({ proxy }) => `${forwards} – or, if ${proxy} is not a proxy: take it out of TRUST_PROXY`,
    },
    'proxy-does-not-forward': {
      seen: ({ proxy }) => `The proxy at ${proxy} does not say for whom it asks`,
      why: whyForwarded,
      remedy: ({ proxy }) => `${forwards} and TRUST_PROXY=${proxy}`,
    },
    'proxy-removes-header': {
      seen: ({ proxy }) => `The proxy at ${proxy} removes X-Forwarded-For`,
      why: whyForwarded,
      remedy: ({ proxy, isTrusted }) => `${forwards}${isTrusted ? '' : ` and TRUST_PROXY=${proxy}`}`,
    },
    'proxy-not-trusted': {
      seen: ({ proxy }) => `The proxy at ${proxy} is not trusted: every caller has its address`,
      why: whyForwarded,
      remedy: ({ proxy }) => `TRUST_PROXY=${proxy}`,
    },

    'database-unreachable': {
      seen: ({ reason }) => reason,
      why: 'Everything that the service knows is in it',
      remedy: ({ remedy }) => remedy ?? 'docs/operations.md says what the service needs of its database',
    },
    'database-read-only': {
      seen: 'The database takes no writes',
      why: 'Every change fails: no user can sign in, and no token can be issued',
      remedy:
        'Have DATABASE_URL name the primary, or promote the replica that it names. A primary that its provider has made read-only needs room on its disk; then ALTER DATABASE <yours> RESET default_transaction_read_only, or of the whole server ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()',
    },
    'no-primary': {
      seen: ({ servers }) => servers.map(({ server, why }) => `${server}: ${passedOverInWords(passedOver, why)}`).join('; '),
      why: 'The service does not know which of them to write to, and writes to none',
      remedy: 'Leave one primary: start it, or promote a replica; stop each other server that takes writes, and make it a replica',
    },
    'servers-wrong': {
      seen: (values) => `${values.primary} is the primary; ${ofServers('seen')(values)}`,
      why: ofServers('why'),
      remedy: ofServers('remedy'),
    },
    'replica-not-read': {
      seen: ({ reason }) => reason,
      why: 'Lists, exports and the audit log are read from the primary, which has all of the load',
      remedy: ({ remedy }) => remedy ?? 'Mend what the reason names; or unset DATABASE_REPLICA_URL, and start the service again',
    },
    'clocks-apart': {
      seen: clocks,
      why: 'Codes, links and tokens expire too early or too late, and other servers refuse tokens as not valid yet',
      remedy:
        'Have both machines take the time from a server: `timedatectl set-ntp true` on each, then look at `timedatectl timesync-status`',
    },
    'few-connections-left': {
      seen: connections,
      why: 'Each process of the service takes up to 21. Where none is left, requests fail with 503 and no process can start',
      remedy: ({ limit }) =>
        ({
          server: 'ALTER SYSTEM SET max_connections = <more>, and restart PostgreSQL; or put a pooler in front of it',
          role: 'ALTER ROLE <the role of DATABASE_URL> CONNECTION LIMIT -1',
          database: 'ALTER DATABASE <the database of DATABASE_URL> CONNECTION LIMIT -1',
        })[limit],
    },
    'database-version-too-old': {
      seen: databaseVersion,
      why: 'Statements of the service need what older ones do not have',
      remedy: ({ oldest }) => `Upgrade the server to PostgreSQL ${oldest} or later (pg_upgrade), or have DATABASE_URL name one that is`,
    },
    'role-of-superuser': {
      seen: 'It is a superuser or bypasses row-level security',
      why: 'Row-level security, which separates the organisations, does not hold for it: one statement gone wrong reads them all',
      remedy: [
        "CREATE ROLE gatehouse LOGIN PASSWORD '…' NOINHERIT NOSUPERUSER NOBYPASSRLS",
        'GRANT gatehouse_tenant, gatehouse_system TO gatehouse',
        'ALTER DATABASE <yours> OWNER TO gatehouse',
        'GRANT USAGE, CREATE ON SCHEMA public TO gatehouse',
        'REASSIGN OWNED BY <the present role> TO gatehouse (from the role postgres: pg_dump --no-owner, restored as gatehouse)',
        'then name it in DATABASE_URL (docs/operations.md)',
      ].join('; '),
    },
    'role-inherits': {
      seen: 'It inherits gatehouse_system',
      why: 'It reads every organisation without taking on a role first',
      remedy: ({ statement }) => `Have the role that granted it run: ${statement}`,
    },
    'roles-not-separated': {
      seen: ({ mistakes }) => someOf(mistakes.map((mistake) => roleMistakes[mistake.mistake](mistake))),
      why: 'What serves one organisation could reach the others',
      remedy: ({ mistakes }) => `As a superuser: ${mistakes.map(({ statement }) => statement).join('; ')}`,
    },
    'row-level-security-not-forced': {
      seen: ({ tables }) => `Not forced on ${someOf(tables)}`,
      why: whyRowLevelSecurity,
      remedy: ({ tables }) => forcing(tables),
    },
    'row-level-security-without-policy': {
      seen: ({ tables }) => `No policy binds gatehouse_tenant to its organisation on ${someOf(tables)}`,
      why: whyRowLevelSecurity,
      remedy: ({ tables }) => policies(tables),
    },
    'migrations-pending': {
      seen: ({ migrations }) => `${counted(migrations.length, 'migration is', 'migrations are')} pending: ${someOf(migrations)}`,
      why: 'This release reads tables and columns that are not there',
      remedy: 'Run `gatehouse migrate status` to see which need the former release stopped, then `gatehouse migrate up`',
    },
    'migrations-unknown': {
      seen: ({ migrations }) => `This release does not know ${someOf(migrations)}`,
      why: 'A newer release has changed the tables: what this one writes to them may be wrong',
      remedy: 'Start the newer release everywhere, or go back by restoring a backup of the database from before the upgrade',
    },
    'listen-url-without-notices': {
      seen: 'A NOTIFY does not arrive by DATABASE_LISTEN_URL',
      why: whyLate,
      remedy:
        'Have DATABASE_LISTEN_URL name PostgreSQL itself, not the pooler, with the database of DATABASE_URL; or unset it, and the service asks every few seconds',
    },
    'notices-lost': { seen: 'A NOTIFY does not arrive', why: whyLate, remedy: withoutPooler },
    'connection-state-lost': {
      seen: 'What is prepared or set on a connection is gone for its next statement',
      why: 'A pooler gives each transaction another connection: statements fail, or run with the role of another',
      remedy: withoutPooler,
    },

    'dead-rows-left': {
      seen: ({ tables }) => someOf(tables.map(({ table, dead, live }) => `${table} has ${dead} dead rows beside ${live}`)),
      why: 'Statements read past them, and the files grow',
      remedy: ({ tables }) =>
        `VACUUM (ANALYZE) ${tables.map(({ table }) => table).join(', ')}; and see that autovacuum is on and no transaction stays open for hours (pg_stat_activity.xact_start)`,
    },
    'indexes-unused': {
      seen: ({ indexes }) => someOf(indexes.map(({ index, bytes }) => `${index} (${size(bytes)})`)),
      why: 'Every write to the table has to write them, too',
      remedy: ({ indexes }) =>
        `If replicas do not use it either: DROP INDEX CONCURRENTLY ${indexes[0]?.index}. Tell us: an index of the service is there for a statement`,
    },
    'disk-nearly-full': {
      seen: room,
      why: 'Without room the embedded database cannot write, and the service stops to answer',
      remedy: 'Make room on the disk, or move the data: stop the service, copy DATA_DIR to a larger disk, set DATA_DIR to it',
    },

    'mail-server-not-set': {
      seen: 'No mail server is set: mails are written to files in DATA_DIR/mail',
      why: 'No user gets a link to a new password, an invitation or a code',
      remedy: 'SMTP_URL=smtp://user:password@host:587 and MAIL_FROM=Name <address@your.domain>',
    },
    'mail-server-unencrypted': {
      seen: 'The server accepts the service without TLS',
      why: 'Mails hold links that sign a user in, and any server on the way can read them',
      remedy: ({ server }) => `SMTP_URL=smtp://…@${server}?starttls=required, or smtps:// for a port that begins with TLS (465)`,
    },
    'mail-server-certificate-refused': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: ({ host }) =>
        `Give the mail server a certificate that names ${host} and has not expired; if an authority of your own issued it, start the service with NODE_EXTRA_CA_CERTS=<file of that authority>`,
    },
    'mail-server-refuses-user': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: 'Correct user and password in SMTP_URL, with % and its code for each character that a URL does not take',
    },
    'mail-server-without-tls': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: 'Have the mail server offer STARTTLS, or use its port that begins with TLS: SMTP_URL=smtps://…:465',
    },
    'mail-server-does-not-answer': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: 'Correct SMTP_URL: host and port; smtps:// for a port that begins with TLS (465), smtp:// for any other',
    },
    'mails-late': {
      seen: waitingMails,
      why: 'Users wait for links and codes, which may have expired when they arrive; after two days a mail is given up',
      remedy: ({ lastError }) =>
        lastError
          ? 'Mend what the error says at SMTP_URL; the mails are then sent by themselves'
          : 'Let a process with the workers run (`gatehouse serve`); look for "mail" in its log',
    },

    'webhooks-late': {
      seen: pendingDeliveries,
      why: 'Programs that wait for events learn of them late',
      remedy:
        'Let a process with the workers run (`gatehouse serve`). If one does, `gatehouse webhooks deliveries` shows which receivers are slow: start another process',
    },
    'webhooks-deactivated': {
      seen: ({ webhooks, first, more }) => {
        const shown = first.map(({ organisation, host }) => `${organisation} (${host ?? 'unreadable URL'})`)
        return `${counted(webhooks, 'webhook')}: ${someOf(shown, more)}`
      },
      why: 'After ten failures in a row nothing is sent to them any more; the organisation was mailed',
      remedy: 'Have the receiver mended, activate the webhook in the console (Webhooks, Activate), and send again what it missed',
    },
    'logouts-late': {
      seen: pendingDeliveries,
      why: 'Who has signed out here stays signed in at the applications',
      remedy:
        'Let a process with the workers run (`gatehouse serve`), with backchannel_logout in OAUTH_EXTENSIONS. If one does, receivers are slow: start another process',
    },
    'logouts-failing': {
      seen: ({ applications, first, more }) => {
        const shown = first.map(
          ({ organisation, application, failed, status }) =>
            `${organisation} (${application}): ${failed} failed, the latest ${status === null ? 'without an answer' : `by ${status}`}`,
        )
        return `${counted(applications, 'application')}: ${someOf(shown, more)}`
      },
      why: 'Who has signed out here stays signed in there until its own session ends',
      remedy: 'Open the application in the console (Logout): it shows each attempt and its answer, and sends it again',
    },

    'no-signing-key': {
      seen: 'No key signs',
      why: 'No token can be issued',
      remedy: 'Start the service, which makes the first one: `gatehouse serve`',
    },
    'signing-keys-late': {
      seen: ({ keys, lateDays }) => `${signingKeys(keys)}. That is ${lateDays.map((days) => `${days} days`).join(' and ')} late`,
      why: ({ signsForDays }) => `A key signs for ${signsForDays} days, so that one that was stolen does not serve for ever`,
      remedy: 'Let a process with the workers run (`gatehouse serve`), or run `gatehouse keys rotate`',
    },
    'signing-keys-unreadable': {
      seen: ({ keys, of }) => `${keys.length} of ${of} cannot be decrypted: ${someOf(keys)}`,
      why: 'A process that starts cannot sign tokens, nor read other secrets that were stored with the same key',
      remedy: 'Set SECRET_KEY to the key that they were stored with, or SECRET_KEY_PREVIOUS while SECRET_KEY is new',
    },
    'secrets-unreadable': {
      seen: ({ secrets }) => counted(secrets, 'secret is under another key', 'secrets are under another key'),
      why: 'Their users cannot sign in by a second factor or a connection, and their webhooks get nothing',
      remedy:
        'If a change of SECRET_KEY was interrupted, stop the service and run `gatehouse secret-key rotate --new-key-file <file with the present SECRET_KEY>` with the key that they are under as SECRET_KEY. If that key is lost, users enrol another second factor, and administrators set the secrets of connections and webhooks anew',
    },
    'platforms-without-keys': {
      seen: ({ first, more, notAsked }) => {
        const shown = first.map(({ issuer, organisations, reason }) => `${issuer} (${organisations.join(' ')}): ${reason}`)
        return `${someOf(shown, more)}${notAskedMore(notAsked)}`
      },
      why: 'Jobs and services of that platform get no tokens: keys that were read before serve for 24 hours',
      remedy:
        'Let this service reach the platform by https, with OUTGOING_PRIVATE_HOSTS for one inside the network and NODE_EXTRA_CA_CERTS for an authority of your own; or name its keys as jwks in the credential',
    },
    'trust-without-extension': {
      seen: ({ first, more }) =>
        `${someOf(
          first.map(({ organisation, name }) => `${organisation} (${name})`),
          more,
        )}: none can be used`,
      why: 'OAUTH_EXTENSIONS does not hold federated_credentials, so tokens of platforms are refused',
      remedy: 'Add federated_credentials to OAUTH_EXTENSIONS, or have an administrator take the credentials away',
    },
    'trust-unused': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            (one) => `${one.organisation} (${one.name}): ${one.idle === 'unused' ? `not used since ${day(one.usedAt)}` : idle[one.idle]}`,
          ),
          more,
        ),
      why: 'What it trusts may have been forgotten: a repository or a cluster can come into other hands, and the identity can be given to no other client',
      remedy:
        'Have an administrator take the credentials away, or delete the application or the API key (Applications, Security; API keys)',
    },

    'no-organisation': {
      seen: 'No organisation exists',
      why: 'No user can sign in',
      remedy: ({ hasSystemKey }) =>
        hasSystemKey
          ? '`gatehouse organisation create`, or POST /v1/organisations with SYSTEM_API_KEY'
          : '`gatehouse organisation create`, or start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD',
    },
    'trials-beyond-limit': {
      seen: ({ first, more, usersMax }) =>
        someOf(
          first.map(({ organisation, users }) => `${organisation} has ${counted(users, 'user')}, of ${usersMax}`),
          more,
        ),
      why: 'They can add no user any more, and may not know why',
      remedy: ({ first }) => `\`gatehouse organisation activate ${first[0]?.organisation}\`, or a higher TRIAL_MAX_USERS`,
    },
    'second-factors-impossible': {
      seen: ({ first, more }) => someOf(first, more),
      why: 'Users without a second factor cannot enrol one, and so cannot get in by a password',
      remedy:
        'Set SMS_GATEWAY_URL if they use text messages; otherwise an administrator allows authenticator apps (Organisation, Sign-in), or no longer requires a second factor',
    },
    'single-sign-on-broken': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            ({ organisation, domain, connection, why }) =>
              `${organisation} requires ${connection} at ${domain}, which is ${brokenConnections[why]}`,
          ),
          more,
        ),
      why: 'Of the users with addresses of these domains, only the owner and who may bypass it can sign in',
      remedy:
        'Have the owner mend the connection (Connections): set its secret, rotate its keys and give them to the provider, or activate it. Until then, let the domain only offer single sign-on (Domains)',
    },
    'domain-records-missing': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            ({ domain, organisation, requiresSingleSignOn, since }) =>
              `${domain} of ${organisation}${requiresSingleSignOn ? ', which requires single sign-on,' : ''} ${since === null ? 'has lapsed' : `since ${day(since)}`}`,
          ),
          more,
        ),
      why: 'A domain without its record lapses after a week: it requires no single sign-on any more, and another organisation may prove it',
      remedy:
        'Have an administrator restore the TXT record and verify the domain again, or remove the domain (Domains). If no domain of yours is found, see DNS_SERVERS',
    },
    'directories-failing': {
      seen: ({ first, more }) =>
        someOf(
          first.map(({ organisation, directory, error }) => `${organisation} (${directory})${error === null ? '' : `: ${error}`}`),
          more,
        ),
      why: 'Who joins or leaves over there is not known here: those who have left can still sign in',
      remedy: ({ first }) =>
        `The requests in the console (Directories, Requests) say why; or \`gatehouse directory list --organisation ${first[0]?.organisation}\``,
    },
    'directory-tokens-end': {
      seen: ({ first, more }) => {
        const shown = first.map(
          ({ organisation, directory, endsAt, hasEnded }) =>
            `${organisation} (${directory}) ${hasEnded ? `since ${day(endsAt)}` : `from ${day(endsAt)}`}`,
        )
        return `Without a token: ${someOf(shown, more)}`
      },
      why: 'Without a token the requests of a directory are refused, and users who leave over there are not deactivated here',
      remedy:
        'Have an administrator create another token (Directories, Create token) and paste it at the directory, which then ends the former',
    },
    'automatic-clients-full': {
      seen: ({ first, more, clientsMax }) =>
        `Of ${clientsMax}: ${someOf(
          first.map(({ organisation, clients }) => `${organisation} ${clients}`),
          more,
        )}`,
      why: 'Beyond the limit, users cannot allow another one',
      remedy: ({ first }) =>
        `Delete those that are not used (Applications, by documents), or \`gatehouse client list --origin metadata_document --organisation ${first[0]?.organisation}\`; those that are not used for 30 days go by themselves`,
    },
    'client-documents-unreadable': {
      seen: ({ first, more }) =>
        someOf(
          first.map(({ client, since }) => `${client} since ${since}`),
          more,
        ),
      why: 'Once the copy that is stored has expired, users cannot sign in to the application any more, and one with keys loses access a day later',
      remedy:
        'Open the address as this service would: it has to be https, public (OUTGOING_PRIVATE_HOSTS opens others) and a valid document. `gatehouse explain sign-in` says what is wrong; if the application is gone, delete it',
    },
    'setup-links-end': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, link, endsAt }) => `${organisation} (${link}) until ${endsAt}`)
        return `Not finished: ${someOf(shown, more)}`
      },
      why: 'The person who sets up a domain, a sign-in or a directory by it cannot continue afterwards',
      remedy: ({ first }) =>
        `Have an administrator ask them to finish, or create another link (Set-up links); \`gatehouse setup-link list --organisation ${first[0]?.organisation}\` lists them`,
    },
    'setup-links-wait': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, link, made }) => `${organisation} (${link}: ${made})`)
        return `Inactive: ${someOf(shown, more)}`
      },
      why: 'A customer who has set it up takes it for working, and what is not used still has its secrets and tokens',
      remedy:
        'Have an administrator activate it on the page of the link (Set-up links, Activate all of it), or delete the connection and the directory',
    },
  },
}
