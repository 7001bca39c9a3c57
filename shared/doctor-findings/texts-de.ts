import { reasonInWords } from '../directory-mistakes/texts.ts'
import { germanDirectoryMistakes } from '../directory-mistakes/texts-de.ts'
import { passedOverInWords } from '../servers-passed-over/texts.ts'
import { germanPassedOver } from '../servers-passed-over/texts-de.ts'
import { variableMistakeInWords } from '../variable-mistakes/texts.ts'
import { germanVariableMistakes } from '../variable-mistakes/texts-de.ts'
import type { FindingTexts, PassedValues, RoleMistake, SigningKey, WrongServer, WrongValues } from './findings.ts'
import { forcing, forwards, passOn, policies } from './statements.ts'

const number = (value: number) => value.toLocaleString('de-DE')
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
const tables = (count: number) => counted(count, 'Tabelle', 'Tabellen')

/** What a program of others says, in its own words. */
const quoted = (text: string) => `„${text}“`

const namesMax = 5

function someOf(names: readonly string[], more = 0): string {
  const rest = Math.max(0, names.length - namesMax) + more
  // A clause has commas of its own.
  const shown = names.slice(0, namesMax).join(names.some((name) => name.includes(', ')) ? '; ' : ', ')
  return rest > 0 ? `${shown} und ${counted(rest, 'weitere', 'weitere')}` : shown
}

const units = [
  [86_400, 'Tag', 'Tage', 'Tagen'],
  [3_600, 'Stunde', 'Stunden', 'Stunden'],
  [60, 'Minute', 'Minuten', 'Minuten'],
] as const

function duration(seconds: number, isDative: boolean): string {
  const [length, one, many, dative] = units.find(([length]) => seconds >= 2 * length) ?? ([1, 'Sekunde', 'Sekunden', 'Sekunden'] as const)
  return counted(Math.floor(seconds / length), one, isDative ? dative : many)
}
const since = (seconds: number) => `seit ${duration(seconds, true)}`

const sizes = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
] as const

function size(bytes: number): string {
  const [step, unit] = sizes.find(([step]) => bytes >= step) ?? [1, bytes === 1 ? 'Byte' : 'Bytes']
  const amount = bytes / step
  return `${amount.toLocaleString('de-DE', { maximumFractionDigits: amount >= 10 || step === 1 ? 0 : 1 })} ${unit}`
}

const day = (time: string) =>
  new Date(time).toLocaleDateString('de-DE', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
const moment = (time: string) => `${day(time)} ${time.slice(11, 16)} UTC`

const clocks = ({ aheadSeconds }: { aheadSeconds: number }) => {
  const apart = Math.abs(aheadSeconds)
  const shown = apart < 0.1 ? 'weniger als 0,1' : apart.toLocaleString('de-DE', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return `Die Uhr der Datenbank geht ${shown} s ${aheadSeconds < 0 ? 'nach' : 'vor'}`
}

const connectionLimits = { server: 'max_connections', role: 'Grenze der Rolle', database: 'Grenze der Datenbank' }
const connections = ({ left, most, limit, ours }: PassedValues['connections-left']) =>
  `${left} von ${most} sind frei (${connectionLimits[limit]}); Prozesse von Gatehouse haben ${ours}`

const databaseVersion = ({ version, isEmbedded }: PassedValues['database-version-supported']) =>
  `PostgreSQL ${version}${isEmbedded ? ', eingebettet' : ''}`

const room = ({ freeBytes, totalBytes }: PassedValues['disk-has-room']) => `${size(freeBytes)} von ${size(totalBytes)} sind frei`

const waitingMails = ({ mails, oldestSeconds, lastError }: PassedValues['mails-wait']) =>
  `${counted(mails, 'E-Mail wartet', 'E-Mails warten')}, die älteste ${since(oldestSeconds)}${lastError ? `; der letzte Fehler war: ${quoted(lastError)}` : ''}`

const pendingDeliveries = ({ pending, due, oldestSeconds }: PassedValues['webhooks-pending']) =>
  `${number(pending)} ausstehend, davon ${number(due)} fällig${oldestSeconds > 0 ? `, die älteste ${since(oldestSeconds)}` : ''}`

const signingKeys = (keys: readonly SigningKey[]) =>
  keys
    .map(({ algorithm, ageSeconds, nextAt }) => `${algorithm}: ${duration(ageSeconds, false)} alt, der nächste ab ${day(nextAt)}`)
    .join('; ')

const notAskedMore = (notAsked: number) => (notAsked > 0 ? `; ${number(notAsked)} weitere wurden nicht gefragt` : '')

const notReached = ({ address, reason }: WrongValues['public-url-unreachable']) =>
  `${address} ist von hier aus nicht erreichbar: ${quoted(reason)}`
const refusedThere = ({ address, status, location }: WrongValues['public-url-refused']) =>
  `${address} antwortet mit ${status}${location ? `, nach ${location}` : ''}`
const whyPublicUrl = 'Links in E-Mails, Weiterleitungen und der Aussteller jedes Tokens beginnen mit PUBLIC_URL'

const whyCookies = 'Ohne das Cookie bleibt niemand angemeldet, und ohne seine Attribute kann es gestohlen werden'

const whyForwarded =
  'Grenzen für Versuche, das Audit-Protokoll und die Liste der Sitzungen richten sich nach der Adresse des Aufrufers: Das darf weder die des Proxys sein noch eine, die der Aufrufer wählt'

const unmade = {
  why: 'Was die Prüfung ergeben hätte, ist nicht bekannt',
  remedy: 'Beheben Sie den genannten Grund, und lassen Sie den Doctor erneut prüfen',
}

const whySecretKey =
  'Wer ihn errät, liest jedes gespeicherte Geheimnis einer gestohlenen Datenbank: Signaturschlüssel, zweite Faktoren, Secrets von Webhooks'
const newKey =
  'Führen Sie `openssl rand -base64 32 > new.key` aus, stoppen Sie den Dienst, führen Sie `gatehouse secret-key rotate --new-key-file new.key` aus, und setzen Sie SECRET_KEY auf den Inhalt der Datei'

const redisSilent = ({ reason }: { reason: string }) => `Redis nimmt Verbindungen an und antwortet nicht: ${quoted(reason)}`
const whyRedis = 'Ohne Redis zählt jeder Prozess Versuche für sich, und die Grenzen liegen so viele Male höher, wie es Prozesse gibt'

const whyRowLevelSecurity = 'Eine Anweisung des Dienstes, die die Organisation vergisst, würde sonst die Daten der anderen lesen und ändern'

const whyLate =
  'E-Mails, Webhooks und Änderungen von Schlüsseln und Richtlinien werden erst bei der nächsten Abfrage bemerkt statt sofort gemeldet'
const withoutPooler =
  'DATABASE_POOLER=transaction, dazu DATABASE_LISTEN_URL=postgres://… direkt zu PostgreSQL; oder pool_mode = session im Pooler'

const mailRefused = ({ reason }: { reason: string }) => `Der Mailserver lässt den Dienst nicht herein: ${quoted(reason)}`
const whyMailServer = 'E-Mails warten, werden zwei Tage lang erneut versucht und dann aufgegeben'

const roleMistakes: Readonly<Record<RoleMistake['mistake'], (mistake: RoleMistake) => string>> = {
  superuser: ({ role }) => `${role} ist Superuser oder umgeht Row-Level Security`,
  login: ({ role }) => `${role} kann sich anmelden`,
  member: ({ role, object }) => `${role} ist Mitglied von ${object}`,
  owner: ({ role, object }) => `die Tabelle ${object} gehört ${role}`,
}

interface ServerWords {
  seen: string
  why: string
  remedy: string
}

const withoutSuccessor = 'Fällt der primäre Server aus, kann dieser nicht übernehmen, und was ihm fehlt, wäre verloren'

function wrongServer(found: WrongServer, primary: string): ServerWords {
  const { server } = found
  switch (found.mistake) {
    case 'silent':
      return {
        seen: `${server} sagt nicht, was er ist: ${passedOverInWords(germanPassedOver, found.why)}`,
        why: withoutSuccessor,
        remedy: `Starten Sie PostgreSQL auf ${server}, und lassen Sie diesen Rechner hinein; oder nehmen Sie den Server aus DATABASE_URL`,
      }
    case 'no-replica':
      return {
        seen: `${server} ist kein Replikat: ${passedOverInWords(germanPassedOver, found.why)}`,
        why: 'Ein Prozess, der nur diesen Server erreicht, könnte dorthin schreiben, was der primäre nie bekommt',
        remedy: `Stoppen Sie ${server}, und machen Sie ihn zum Replikat von ${primary}: mit pg_rewind, oder neu mit pg_basebackup -R`,
      }
    case 'paused':
      return {
        seen: `${server} hat aufgehört, Änderungen anzuwenden`,
        why: withoutSuccessor,
        remedy: `Führen Sie auf ${server} aus: SELECT pg_wal_replay_resume()`,
      }
    case 'receives-nothing':
      return {
        seen: `${server} empfängt nichts`,
        why: withoutSuccessor,
        remedy: `Lassen Sie primary_conninfo von ${server} auf ${primary} zeigen, und sehen Sie in sein Log; braucht er, was der primäre nicht mehr hat, setzen Sie ihn mit pg_basebackup -R neu auf`,
      }
    case 'behind':
      return {
        seen: `${server} liegt ${size(found.behindBytes)} zurück`,
        why: withoutSuccessor,
        remedy: `Sehen Sie auf ${primary} in pg_stat_replication: Liegt schon sent_lsn zurück, prüfen Sie das Netz, sonst den Datenträger von ${server}`,
      }
  }
}

const ofServers =
  (part: keyof ServerWords) =>
  ({ servers, primary }: WrongValues['servers-wrong']): string =>
    [...new Set(servers.map((server) => wrongServer(server, primary)[part]))].join(part === 'seen' ? '; ' : '. ')

const idle = { revoked: 'widerrufen', expired: 'abgelaufen', creator: 'sein Benutzer ist gesperrt oder gelöscht' }
const brokenConnections = {
  inactive: 'inaktiv ist',
  'without-secret': 'ihr Secret oder ihren Schlüssel nicht hat',
  failing: 'scheitert',
}

export const germanFindings: FindingTexts = {
  passed: {
    'variables-in-order': ({ variables }) =>
      variables === 1 ? '1 Variable ist gesetzt, und sie wirkt' : `${number(variables)} Variablen sind gesetzt, keine ohne Wirkung`,
    'secret-key-of-development': 'Nicht gesetzt: In der Entwicklung wird ein Schlüssel erzeugt, der in DATA_DIR liegt',
    'secret-key-random': '32 Bytes, die zufällig aussehen',
    'previous-secret-key-not-set': 'SECRET_KEY_PREVIOUS ist nicht gesetzt',
    'redis-answers': ({ milliseconds }) => `Redis hat nach ${milliseconds} ms geantwortet`,

    'public-url-answers': ({ address }) => `${address} antwortet, mit demselben Aussteller`,
    'cookies-pass': 'Ein Cookie kommt an und kommt mit Secure, HttpOnly und SameSite zurück',
    'no-proxy': 'Es ist kein Proxy davor, und X-Forwarded-For eines Aufrufers wird ignoriert',
    'proxy-trusted': ({ proxy }) => `Dem Proxy ${proxy} wird vertraut, und X-Forwarded-For eines Aufrufers wird ignoriert`,
    'proxy-trusted-header-not-tried': ({ proxy }) =>
      `Dem Proxy ${proxy} wird vertraut. Der Doctor fragt selbst von einer vertrauten Adresse, daher blieb der Header anderer ungeprüft`,

    'database-answers': ({ milliseconds }) => `Die Datenbank hat nach ${milliseconds} ms geantwortet`,
    'servers-in-order': ({ primary, others, isSynchronous }) =>
      [
        `${primary} ist der primäre Server`,
        ...others.map(({ server, behindBytes }) =>
          behindBytes === null ? `${server} führt auch zu ihm` : `${server} ist ein Replikat und liegt ${size(behindBytes)} zurück`,
        ),
        isSynchronous ? 'ein Commit wartet auf ein Replikat' : 'kein Commit wartet auf ein Replikat (synchronous_standby_names)',
      ].join('; '),
    'replica-read': 'Es ist ein Replikat von DATABASE_URL und hat alles angewendet, was der primäre Server geschrieben hatte',
    'clocks-agree': clocks,
    'connections-left': connections,
    'database-version-supported': databaseVersion,
    'role-limited': 'Die Rolle ist kein Superuser, ist an Row-Level Security gebunden und erbt nichts',
    'roles-separated':
      'gatehouse_tenant und gatehouse_system können sich nicht anmelden, sind an Row-Level Security gebunden, und keine ist Mitglied der anderen',
    'row-level-security-forced': ({ tables: count }) =>
      count === 1 ? 'Erzwungen für 1 Tabelle, mit ihrer Policy' : `Erzwungen für alle ${tables(count)}, jede mit ihrer Policy`,
    'migrations-applied': ({ applied, last }) => `${number(applied)} angewendet, zuletzt ${last}`,
    'migrations-known': 'Diese Version kennt jede Migration, die angewendet wurde',
    'pooler-without-notices':
      'DATABASE_POOLER ist gesetzt: Auf einer Verbindung bleibt nichts zurück, und alle paar Sekunden wird abgefragt, was Benachrichtigungen melden würden',
    'pooler-with-notices': 'DATABASE_POOLER ist gesetzt, und ein NOTIFY kommt über DATABASE_LISTEN_URL an',
    'connections-hold': 'Was auf einer Verbindung vorbereitet und gesetzt wird, bleibt erhalten, und ein NOTIFY kommt an',

    'table-sizes': ({ tables: count, totalBytes, largest }) => {
      const shown = largest.map(
        ({ table, bytes, rowsADay }) => `${table} ${size(bytes)}${rowsADay === null ? '' : `, ${number(rowsADay)} Zeilen mehr am Tag`}`,
      )
      return `${tables(count)}, ${size(totalBytes)}; die größten: ${shown.join('; ')}`
    },
    'dead-rows-removed': ({ rowsMax }) =>
      `Keine Tabelle hat ${number(rowsMax)} gelöschte Zeilen oder mehr, die mehr als ein Fünftel ausmachen`,
    'indexes-used': ({ fromBytes, days }) => `Kein Index ab ${size(fromBytes)} ist seit ${days} Tagen unbenutzt`,
    'disk-has-room': room,

    'mails-to-files': 'Es ist kein Mailserver gesetzt: In der Entwicklung werden E-Mails als Dateien in DATA_DIR/mail abgelegt',
    'mail-server-encrypted': 'Der Server bietet TLS an und nimmt den Dienst an',
    'mail-server-of-this-machine': 'Der Server auf diesem Rechner nimmt den Dienst an, ohne TLS',
    'no-mail-waits': 'Keine E-Mail wartet',
    'mails-wait': waitingMails,

    'no-webhook-pending': 'Keine Zustellung steht aus',
    'webhooks-pending': pendingDeliveries,
    'no-webhook-deactivated': 'Kein Webhook wurde deaktiviert',
    'no-logout-pending': 'Keine Zustellung steht aus',
    'logouts-pending': pendingDeliveries,
    'logouts-taken': 'Keine Zustellung ist endgültig gescheitert',

    'signing-keys-in-time': ({ keys }) => signingKeys(keys),
    'signing-keys-readable': ({ keys }) =>
      keys === 1
        ? '1 Schlüssel, unter einem Schlüssel dieser Konfiguration'
        : `${number(keys)} Schlüssel, alle unter einem Schlüssel dieser Konfiguration`,
    'secrets-readable': 'Alle sind unter einem Schlüssel dieser Konfiguration',
    'no-platform-needed': 'Keine Anwendung und kein API-Schlüssel braucht die Schlüssel einer Plattform',
    'platforms-answer': ({ platforms, notAsked }) =>
      `${platforms === 1 ? '1 Plattform, mit Schlüsseln' : `${number(platforms)} Plattformen, alle mit Schlüsseln`}${notAskedMore(notAsked)}`,
    'no-platform-trusted': 'Keine Anwendung und kein API-Schlüssel vertraut einer Plattform',
    'trust-in-use': ({ records }) =>
      records === 1
        ? '1 Anwendung oder API-Schlüssel, in Benutzung'
        : `${number(records)} Anwendungen und API-Schlüssel, alle in Benutzung`,

    'organisation-exists': 'Es gibt eine Organisation',
    'trials-within-limit': ({ usersMax }) => `Keine hat mehr als ${number(usersMax)} Benutzer`,
    'second-factors-possible': 'Keine verlangt, was niemand einrichten kann',
    'single-sign-on-works': 'Keine Domain verlangt eine Verbindung, die nicht funktioniert',
    'domain-records-found': 'Keiner fehlt',
    'no-directory-fails': 'Kein Verzeichnis scheitert',
    'directory-tokens-last': ({ days }) => `Kein Verzeichnis braucht innerhalb von ${days} Tagen ein neues Token`,
    'automatic-clients-have-room': ({ below }) => `Keine hat ${number(below)} oder mehr`,
    'client-documents-readable': 'Kein Dokument, das eine Organisation braucht, ist gescheitert',
    'no-setup-link-ends': ({ hours }) => `Kein Einrichtungslink, der benutzt wird, endet innerhalb von ${hours} Stunden`,
    'no-setup-link-waits': ({ days }) => `Nichts wartet länger als ${days} Tage`,
  },

  wrong: {
    'check-not-made': { seen: ({ reason }) => `Die Prüfung war nicht möglich: ${quoted(reason)}`, ...unmade },
    'check-not-ended': {
      seen: ({ seconds }) => `Die Prüfung war nicht möglich: Sie ist nach ${number(seconds)} Sekunden nicht fertig geworden`,
      ...unmade,
    },

    'variables-contradict': {
      seen: ({ mistakes }) => mistakes.map((mistake) => variableMistakeInWords(germanVariableMistakes, mistake)).join('. '),
      why: 'Der Dienst verhält sich anders als gewollt',
      remedy: 'Ändern Sie die Variablen wie beschrieben, und starten Sie den Dienst neu. `gatehouse config print --given` zeigt, was gilt',
    },
    'variables-refused': {
      seen: ({ mistakes }) => mistakes.map(quoted).join(', '),
      why: 'Der Dienst startet nicht',
      remedy: 'Berichtigen Sie die Variablen wie beschrieben; docs/configuration.md erklärt jede',
    },
    'secret-key-of-few-bytes': {
      seen: ({ differentBytes }) =>
        differentBytes === 1
          ? 'Seine 32 Bytes sind alle gleich: Er wurde nicht zufällig erzeugt'
          : `Nur ${differentBytes} seiner 32 Bytes sind verschieden: Er wurde nicht zufällig erzeugt`,
      why: whySecretKey,
      remedy: newKey,
    },
    'secret-key-printable': {
      seen: 'Er besteht aus 32 Buchstaben, Ziffern oder Zeichen: Er wurde nicht zufällig erzeugt',
      why: whySecretKey,
      remedy: newKey,
    },
    'secrets-under-previous-key': {
      seen: ({ secrets }) =>
        `${counted(secrets, 'gespeichertes Geheimnis ist', 'gespeicherte Geheimnisse sind')} noch unter SECRET_KEY_PREVIOUS`,
      why: 'Ohne SECRET_KEY_PREVIOUS wären sie nicht mehr lesbar',
      remedy:
        'Lassen Sie den Dienst fertig werden, oder führen Sie `gatehouse secret-key rotate --yes` aus; entfernen Sie SECRET_KEY_PREVIOUS erst danach',
    },
    'previous-secret-key-not-needed': {
      seen: 'Jedes gespeicherte Geheimnis ist unter SECRET_KEY, und SECRET_KEY_PREVIOUS ist noch gesetzt',
      why: 'Ein Schlüssel, den niemand braucht, kann nur gestohlen werden',
      remedy:
        'Entfernen Sie SECRET_KEY_PREVIOUS, sobald kein Prozess des Dienstes mehr ohne den neuen SECRET_KEY läuft, und starten Sie den Dienst neu',
    },
    'redis-unreachable': {
      seen: ({ server, reason }) =>
        `REDIS_URL: Redis ist unter ${server} nicht erreichbar (${reason}). Jeder Prozess zählt Versuche für sich`,
      why: whyRedis,
      remedy: 'Starten Sie Redis dort, oder setzen Sie REDIS_URL auf die richtige Adresse',
    },
    'redis-refuses-database': {
      seen: ({ reason }) => `Redis lehnt die Datenbank ab, die REDIS_URL nennt: ${quoted(reason)}`,
      why: whyRedis,
      remedy:
        'Berichtigen Sie die Nummer am Ende von REDIS_URL: redis://host:6379/0. Redis hat so viele Datenbanken, von 0 an gezählt, wie seine Einstellung databases sagt, ohne sie 16, ein Cluster nur 0; und sein Benutzer muss SELECT ausführen dürfen',
    },
    'redis-refuses-user': {
      seen: redisSilent,
      why: whyRedis,
      remedy: 'Berichtigen Sie Benutzer und Passwort in REDIS_URL: redis://user:password@host:6379',
    },
    'redis-certificate-refused': {
      seen: redisSilent,
      why: whyRedis,
      remedy:
        'Geben Sie Redis ein Zertifikat für den Host in REDIS_URL, das nicht abgelaufen ist; für eine eigene Zertifizierungsstelle: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    },
    'redis-does-not-answer': {
      seen: redisSilent,
      why: whyRedis,
      remedy: 'Berichtigen Sie REDIS_URL: Host und Port von Redis, rediss:// mit TLS, redis:// ohne',
    },

    'public-url-host-unknown': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) => `Sorgen Sie dafür, dass die Nameserver dieses Rechners ${host} kennen, oder berichtigen Sie PUBLIC_URL`,
    },
    'public-url-certificate-expired': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) =>
        `Erneuern Sie das Zertifikat von ${host}, und lassen Sie den Proxy es neu einlesen: nginx -s reload. Ist es schon erneuert, stellen Sie die Uhr dieses Rechners`,
    },
    'public-url-certificate-not-yet-valid': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: 'Stellen Sie die Uhr dieses Rechners, oder geben Sie dem Proxy ein Zertifikat, das jetzt gültig ist',
    },
    'public-url-certificate-of-another-host': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host }) =>
        `Geben Sie dem Proxy ein Zertifikat, das ${host} nennt, oder setzen Sie PUBLIC_URL auf den Namen, der in seinem Zertifikat steht`,
    },
    'public-url-certificate-untrusted': {
      seen: notReached,
      why: whyPublicUrl,
      remedy:
        'Lassen Sie den Proxy die ganze Zertifikatskette für diesen Namen senden (ssl_certificate fullchain.pem); für eine eigene Zertifizierungsstelle: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    },
    'public-url-without-tls': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ port }) =>
        `Lassen Sie den Proxy auf Port ${port} TLS sprechen: listen ${port} ssl; oder berichtigen Sie den Port in PUBLIC_URL`,
    },
    'public-url-unreachable': {
      seen: notReached,
      why: whyPublicUrl,
      remedy: ({ host, port }) =>
        `Starten Sie den Dienst und seinen Proxy, berichtigen Sie PUBLIC_URL, oder lassen Sie diesen Rechner ${host}:${port} erreichen`,
    },
    'public-url-without-service': {
      seen: refusedThere,
      why: whyPublicUrl,
      remedy: ({ servicePort }) =>
        `Starten Sie den Dienst: Der Proxy antwortet und erreicht nichts hinter sich. Läuft der Dienst, berichtigen Sie, wohin der Proxy Anfragen weitergibt: ${passOn(servicePort)}`,
    },
    'public-url-refused': {
      seen: refusedThere,
      why: whyPublicUrl,
      remedy: ({ servicePort }) =>
        `Setzen Sie PUBLIC_URL auf den Ursprung, unter dem der Dienst ohne Weiterleitung antwortet, und lassen Sie den Proxy jeden Pfad weitergeben: location / { ${passOn(servicePort)}; }`,
    },
    'public-url-of-another-issuer': {
      seen: ({ issuer }) =>
        issuer === null ? 'Das Discovery-Dokument dort nennt keinen Aussteller' : `Das Discovery-Dokument dort ist von ${issuer}`,
      why: 'Anwendungen vergleichen den Aussteller mit der Adresse, die sie gefragt haben, und lehnen ab, was abweicht',
      remedy: ({ publicUrl }) =>
        `Setzen Sie PUBLIC_URL des laufenden Dienstes auf ${publicUrl}, und starten Sie ihn neu; oder berichtigen Sie, wohin ${publicUrl} führt`,
    },
    'public-url-names-other-addresses': {
      seen: ({ fields }) => `Das Discovery-Dokument dort nennt andere Adressen: ${someOf(fields)}`,
      why: 'Anwendungen würden Codes und Secrets an einen anderen Server senden',
      remedy: 'Lassen Sie den Proxy das Dokument unverändert weitergeben, ohne Adressen darin zu ersetzen (kein sub_filter)',
    },
    'doctor-not-known-at-public-url': {
      seen: 'Die Prüfung war nicht möglich: Der Dienst unter PUBLIC_URL kennt den Doctor nicht. Er hat einen anderen SECRET_KEY, seine Uhr geht anders, oder seine Version ist älter',
      ...unmade,
    },
    'echo-refused': { seen: ({ path, status }) => `Die Prüfung war nicht möglich: ${path} antwortet mit ${status}`, ...unmade },
    'cookie-does-not-arrive': {
      seen: 'Das Cookie einer Anfrage kommt nicht an',
      why: whyCookies,
      remedy: 'nginx: proxy_set_header Cookie $http_cookie; (entfernen Sie, was es leert)',
    },
    'cookie-does-not-return': {
      seen: 'Das Cookie einer Antwort kommt nicht zurück',
      why: whyCookies,
      remedy: 'nginx: Entfernen Sie proxy_hide_header Set-Cookie und proxy_ignore_headers Set-Cookie',
    },
    'cookie-without-attributes': {
      seen: ({ attributes }) => `Das Cookie kommt ohne ${attributes.join(', ')} zurück`,
      why: whyCookies,
      remedy:
        'nginx: Entfernen Sie proxy_cookie_flags und proxy_cookie_path aus der location, damit Cookies so weitergegeben werden, wie der Dienst sie setzt',
    },
    'cookie-with-domain': {
      seen: ({ attribute }) => `Das Cookie kommt mit ${attribute} zurück`,
      why: 'Jeder Host unter dieser Domain bekommt die Sitzung',
      remedy: 'nginx: Entfernen Sie proxy_cookie_domain',
    },
    'proxy-passes-header-on': {
      seen: ({ proxy }) => `${proxy} gilt als vertrauter Proxy und gibt weiter, was ein Aufrufer in X-Forwarded-For schreibt`,
      why: whyForwarded,
      remedy: ({ proxy }) => `${forwards} – oder, falls ${proxy} kein Proxy ist: Nehmen Sie die Adresse aus TRUST_PROXY`,
    },
    'proxy-does-not-forward': {
      seen: ({ proxy }) => `Der Proxy ${proxy} sagt nicht, für wen er fragt`,
      why: whyForwarded,
      remedy: ({ proxy }) => `${forwards} und TRUST_PROXY=${proxy}`,
    },
    'proxy-removes-header': {
      seen: ({ proxy }) => `Der Proxy ${proxy} entfernt X-Forwarded-For`,
      why: whyForwarded,
      remedy: ({ proxy, isTrusted }) => `${forwards}${isTrusted ? '' : ` und TRUST_PROXY=${proxy}`}`,
    },
    'proxy-not-trusted': {
      seen: ({ proxy }) => `Dem Proxy ${proxy} wird nicht vertraut: Jeder Aufrufer hat seine Adresse`,
      why: whyForwarded,
      remedy: ({ proxy }) => `TRUST_PROXY=${proxy}`,
    },

    'database-unreachable': {
      seen: ({ reason }) => `Die Datenbank antwortet nicht: ${quoted(reason)}`,
      why: 'In ihr ist alles gespeichert, was der Dienst weiß',
      remedy: ({ remedy }) =>
        remedy === null
          ? 'docs/operations.md beschreibt, was der Dienst von seiner Datenbank braucht'
          : `Der Dienst rät: ${quoted(remedy)}`,
    },
    'database-read-only': {
      seen: 'Die Datenbank nimmt keine Schreibvorgänge an',
      why: 'Jede Änderung scheitert: Niemand kann sich anmelden, und kein Token kann ausgestellt werden',
      remedy:
        'Lassen Sie DATABASE_URL den primären Server nennen, oder befördern Sie das Replikat, das dort steht. Ein primärer Server, den sein Anbieter auf Nur-Lesen gesetzt hat, braucht Platz auf seinem Datenträger; danach ALTER DATABASE <Ihre> RESET default_transaction_read_only, oder für den ganzen Server ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()',
    },
    'no-primary': {
      seen: ({ servers }) => servers.map(({ server, why }) => `${server}: ${passedOverInWords(germanPassedOver, why)}`).join('; '),
      why: 'Der Dienst weiß nicht, auf welchen er schreiben soll, und schreibt auf keinen',
      remedy:
        'Lassen Sie genau einen primären Server übrig: Starten Sie ihn, oder befördern Sie ein Replikat; stoppen Sie jeden anderen Server, der Schreibvorgänge annimmt, und machen Sie ihn zum Replikat',
    },
    'servers-wrong': {
      seen: (values) => `${values.primary} ist der primäre Server; ${ofServers('seen')(values)}`,
      why: ofServers('why'),
      remedy: ofServers('remedy'),
    },
    'replica-not-read': {
      seen: ({ reason }) => `Listen werden nicht vom Replikat gelesen: ${quoted(reason)}`,
      why: 'Listen, Exporte und das Audit-Protokoll werden vom primären Server gelesen, der dann die ganze Last trägt',
      remedy: ({ remedy }) =>
        remedy === null
          ? 'Beheben Sie den genannten Grund; oder entfernen Sie DATABASE_REPLICA_URL, und starten Sie den Dienst neu'
          : `Der Dienst rät: ${quoted(remedy)}`,
    },
    'clocks-apart': {
      seen: clocks,
      why: 'Codes, Links und Token laufen zu früh oder zu spät ab, und andere Server lehnen Token als noch nicht gültig ab',
      remedy:
        'Lassen Sie beide Rechner die Zeit von einem Server beziehen: `timedatectl set-ntp true` auf jedem, danach zeigt `timedatectl timesync-status` das Ergebnis',
    },
    'few-connections-left': {
      seen: connections,
      why: 'Jeder Prozess des Dienstes nimmt bis zu 21. Ist keine frei, scheitern Anfragen mit 503, und kein Prozess kann starten',
      remedy: ({ limit }) =>
        ({
          server: 'ALTER SYSTEM SET max_connections = <mehr>, und PostgreSQL neu starten; oder einen Pooler davorsetzen',
          role: 'ALTER ROLE <die Rolle aus DATABASE_URL> CONNECTION LIMIT -1',
          database: 'ALTER DATABASE <die Datenbank aus DATABASE_URL> CONNECTION LIMIT -1',
        })[limit],
    },
    'database-version-too-old': {
      seen: databaseVersion,
      why: 'Anweisungen des Dienstes brauchen, was ältere Versionen nicht haben',
      remedy: ({ oldest }) =>
        `Heben Sie den Server auf PostgreSQL ${oldest} oder neuer (pg_upgrade), oder lassen Sie DATABASE_URL einen solchen nennen`,
    },
    'role-of-superuser': {
      seen: 'Die Rolle ist Superuser oder umgeht Row-Level Security',
      why: 'Row-Level Security trennt die Organisationen, und für diese Rolle gilt sie nicht: Eine einzige fehlerhafte Anweisung liest alle',
      remedy: [
        "CREATE ROLE gatehouse LOGIN PASSWORD '…' NOINHERIT NOSUPERUSER NOBYPASSRLS",
        'GRANT gatehouse_tenant, gatehouse_system TO gatehouse',
        'ALTER DATABASE <Ihre> OWNER TO gatehouse',
        'GRANT USAGE, CREATE ON SCHEMA public TO gatehouse',
        'REASSIGN OWNED BY <die bisherige Rolle> TO gatehouse (von der Rolle postgres: pg_dump --no-owner, als gatehouse wiederhergestellt)',
        'danach nennen Sie sie in DATABASE_URL (docs/operations.md)',
      ].join('; '),
    },
    'role-inherits': {
      seen: 'Die Rolle erbt gatehouse_system',
      why: 'Sie liest jede Organisation, ohne erst eine Rolle anzunehmen',
      remedy: ({ statement }) => `Lassen Sie die Rolle, die sie ihr verliehen hat, ausführen: ${statement}`,
    },
    'roles-not-separated': {
      seen: ({ mistakes }) => someOf(mistakes.map((mistake) => roleMistakes[mistake.mistake](mistake))),
      why: 'Was einer Organisation dient, könnte die anderen erreichen',
      remedy: ({ mistakes }) => `Als Superuser: ${mistakes.map(({ statement }) => statement).join('; ')}`,
    },
    'row-level-security-not-forced': {
      seen: ({ tables }) => `Nicht erzwungen für ${someOf(tables)}`,
      why: whyRowLevelSecurity,
      remedy: ({ tables }) => forcing(tables),
    },
    'row-level-security-without-policy': {
      seen: ({ tables }) => `Keine Policy bindet gatehouse_tenant an seine Organisation: ${someOf(tables)}`,
      why: whyRowLevelSecurity,
      remedy: ({ tables }) => policies(tables),
    },
    'migrations-pending': {
      seen: ({ migrations }) => `${counted(migrations.length, 'Migration steht', 'Migrationen stehen')} aus: ${someOf(migrations)}`,
      why: 'Diese Version liest Tabellen und Spalten, die es nicht gibt',
      remedy:
        '`gatehouse migrate status` zeigt, für welche die bisherige Version gestoppt sein muss; danach führen Sie `gatehouse migrate up` aus',
    },
    'migrations-unknown': {
      seen: ({ migrations }) => `Diese Version kennt nicht: ${someOf(migrations)}`,
      why: 'Eine neuere Version hat die Tabellen geändert: Was diese hineinschreibt, kann falsch sein',
      remedy:
        'Starten Sie überall die neuere Version, oder gehen Sie zurück, indem Sie ein Backup der Datenbank von vor dem Upgrade wiederherstellen',
    },
    'listen-url-without-notices': {
      seen: 'Ein NOTIFY kommt über DATABASE_LISTEN_URL nicht an',
      why: whyLate,
      remedy:
        'Lassen Sie DATABASE_LISTEN_URL PostgreSQL selbst nennen, nicht den Pooler, mit der Datenbank von DATABASE_URL; oder entfernen Sie die Variable, dann fragt der Dienst alle paar Sekunden ab',
    },
    'notices-lost': { seen: 'Ein NOTIFY kommt nicht an', why: whyLate, remedy: withoutPooler },
    'connection-state-lost': {
      seen: 'Was auf einer Verbindung vorbereitet oder gesetzt wird, ist bei der nächsten Anweisung weg',
      why: 'Ein Pooler gibt jeder Transaktion eine andere Verbindung: Anweisungen scheitern oder laufen mit der Rolle einer anderen',
      remedy: withoutPooler,
    },

    'dead-rows-left': {
      seen: ({ tables }) =>
        someOf(tables.map(({ table, dead, live }) => `${table} hat ${number(dead)} gelöschte Zeilen neben ${number(live)} vorhandenen`)),
      why: 'Abfragen lesen an ihnen vorbei, und die Dateien wachsen',
      remedy: ({ tables }) =>
        `VACUUM (ANALYZE) ${tables.map(({ table }) => table).join(', ')}; und sehen Sie nach, ob autovacuum an ist und keine Transaktion stundenlang offen bleibt (pg_stat_activity.xact_start)`,
    },
    'indexes-unused': {
      seen: ({ indexes }) => someOf(indexes.map(({ index, bytes }) => `${index} (${size(bytes)})`)),
      why: 'Jeder Schreibvorgang in der Tabelle muss auch sie ändern',
      remedy: ({ indexes }) =>
        `Wenn auch Replikate ihn nicht benutzen: DROP INDEX CONCURRENTLY ${indexes[0]?.index}. Sagen Sie uns Bescheid: Jeder Index des Dienstes ist für eine Anweisung da`,
    },
    'disk-nearly-full': {
      seen: room,
      why: 'Ohne Platz kann die eingebettete Datenbank nicht schreiben, und der Dienst antwortet nicht mehr',
      remedy:
        'Schaffen Sie Platz auf dem Datenträger, oder ziehen Sie um: Stoppen Sie den Dienst, kopieren Sie DATA_DIR auf einen größeren, und setzen Sie DATA_DIR darauf',
    },

    'mail-server-not-set': {
      seen: 'Es ist kein Mailserver gesetzt: E-Mails werden als Dateien in DATA_DIR/mail abgelegt',
      why: 'Niemand bekommt einen Link zu einem neuen Passwort, eine Einladung oder einen Code',
      remedy: 'SMTP_URL=smtp://user:password@host:587 und MAIL_FROM=Name <address@your.domain>',
    },
    'mail-server-unencrypted': {
      seen: 'Der Server nimmt den Dienst ohne TLS an',
      why: 'E-Mails enthalten Links, die einen Benutzer anmelden, und jeder Server unterwegs kann sie lesen',
      remedy: ({ server }) => `SMTP_URL=smtp://…@${server}?starttls=required, oder smtps:// für einen Port, der mit TLS beginnt (465)`,
    },
    'mail-server-certificate-refused': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: ({ host }) =>
        `Geben Sie dem Mailserver ein Zertifikat, das ${host} nennt und nicht abgelaufen ist; hat es eine eigene Zertifizierungsstelle ausgestellt, starten Sie den Dienst mit NODE_EXTRA_CA_CERTS=<Datei dieser Stelle>`,
    },
    'mail-server-refuses-user': {
      seen: mailRefused,
      why: whyMailServer,
      remedy:
        'Berichtigen Sie Benutzer und Passwort in SMTP_URL, mit % und seinem Code für jedes Zeichen, das in einer URL nicht stehen darf',
    },
    'mail-server-without-tls': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: 'Lassen Sie den Mailserver STARTTLS anbieten, oder nehmen Sie seinen Port, der mit TLS beginnt: SMTP_URL=smtps://…:465',
    },
    'mail-server-does-not-answer': {
      seen: mailRefused,
      why: whyMailServer,
      remedy: 'Berichtigen Sie SMTP_URL: Host und Port; smtps:// für einen Port, der mit TLS beginnt (465), smtp:// für jeden anderen',
    },
    'mails-late': {
      seen: waitingMails,
      why: 'Benutzer warten auf Links und Codes, die bei der Ankunft schon abgelaufen sein können; nach zwei Tagen wird eine E-Mail aufgegeben',
      remedy: ({ lastError }) =>
        lastError
          ? 'Beheben Sie an SMTP_URL, was der Fehler nennt; die E-Mails werden dann von selbst gesendet'
          : 'Lassen Sie einen Prozess mit den Workern laufen (`gatehouse serve`); suchen Sie in seinem Log nach „mail“',
    },

    'webhooks-late': {
      seen: pendingDeliveries,
      why: 'Programme, die auf Ereignisse warten, erfahren spät von ihnen',
      remedy:
        'Lassen Sie einen Prozess mit den Workern laufen (`gatehouse serve`). Läuft schon einer, zeigt `gatehouse webhooks deliveries`, welche Empfänger langsam sind: Starten Sie einen weiteren Prozess',
    },
    'webhooks-deactivated': {
      seen: ({ webhooks, first, more }) => {
        const shown = first.map(({ organisation, host }) => `${organisation} (${host ?? 'unlesbare URL'})`)
        return `${counted(webhooks, 'Webhook', 'Webhooks')}: ${someOf(shown, more)}`
      },
      why: 'Nach zehn Fehlern in Folge wird ihnen nichts mehr gesendet; die Organisation hat eine E-Mail bekommen',
      remedy:
        'Lassen Sie den Empfänger in Ordnung bringen, aktivieren Sie den Webhook in der Konsole (Webhooks, Aktivieren), und senden Sie erneut, was er verpasst hat',
    },
    'logouts-late': {
      seen: pendingDeliveries,
      why: 'Wer sich hier abgemeldet hat, bleibt in den Anwendungen angemeldet',
      remedy:
        'Lassen Sie einen Prozess mit den Workern laufen (`gatehouse serve`), mit backchannel_logout in OAUTH_EXTENSIONS. Läuft schon einer, sind Empfänger langsam: Starten Sie einen weiteren Prozess',
    },
    'logouts-failing': {
      seen: ({ applications, first, more }) => {
        const shown = first.map(
          ({ organisation, application, failed, status }) =>
            `${organisation} (${application}): ${number(failed)} gescheitert, zuletzt ${status === null ? 'ohne Antwort' : `mit ${status}`}`,
        )
        return `${counted(applications, 'Anwendung', 'Anwendungen')}: ${someOf(shown, more)}`
      },
      why: 'Wer sich hier abgemeldet hat, bleibt dort angemeldet, bis die Sitzung der Anwendung selbst endet',
      remedy: 'Öffnen Sie die Anwendung in der Konsole (Abmeldung): Dort steht jeder Versuch mit seiner Antwort und lässt sich wiederholen',
    },

    'no-signing-key': {
      seen: 'Kein Schlüssel signiert',
      why: 'Es kann kein Token ausgestellt werden',
      remedy: 'Starten Sie den Dienst, der den ersten erzeugt: `gatehouse serve`',
    },
    'signing-keys-late': {
      seen: ({ keys, lateDays }) =>
        `${signingKeys(keys)}. Das ist ${lateDays.map((days) => counted(days, 'Tag', 'Tage')).join(' und ')} zu spät`,
      why: ({ signsForDays }) => `Ein Schlüssel signiert ${signsForDays} Tage lang, damit ein gestohlener nicht ewig nutzbar ist`,
      remedy: 'Lassen Sie einen Prozess mit den Workern laufen (`gatehouse serve`), oder führen Sie `gatehouse keys rotate` aus',
    },
    'signing-keys-unreadable': {
      seen: ({ keys, of }) =>
        `${number(keys.length)} von ${number(of)} ${keys.length === 1 ? 'lässt' : 'lassen'} sich nicht entschlüsseln: ${someOf(keys)}`,
      why: 'Ein Prozess, der startet, kann keine Token signieren und andere Geheimnisse, die unter demselben Schlüssel liegen, nicht lesen',
      remedy:
        'Setzen Sie SECRET_KEY auf den Schlüssel, unter dem sie gespeichert wurden, oder SECRET_KEY_PREVIOUS, solange SECRET_KEY neu ist',
    },
    'secrets-unreadable': {
      seen: ({ secrets }) =>
        counted(secrets, 'Geheimnis ist unter einem anderen Schlüssel', 'Geheimnisse sind unter einem anderen Schlüssel'),
      why: 'Ihre Benutzer können sich nicht mit zweitem Faktor oder über eine Verbindung anmelden, und ihre Webhooks erhalten nichts',
      remedy:
        'Wurde ein Wechsel von SECRET_KEY unterbrochen, stoppen Sie den Dienst, und führen Sie mit dem Schlüssel, unter dem sie liegen, als SECRET_KEY aus: `gatehouse secret-key rotate --new-key-file <Datei mit dem jetzigen SECRET_KEY>`. Ist dieser Schlüssel verloren, richten Benutzer einen neuen zweiten Faktor ein, und Administratoren setzen die Secrets von Verbindungen und Webhooks neu',
    },
    'platforms-without-keys': {
      seen: ({ first, more, notAsked }) => {
        const shown = first.map(({ issuer, organisations, reason }) => `${issuer} (${organisations.join(' ')}): ${quoted(reason)}`)
        return `${someOf(shown, more)}${notAskedMore(notAsked)}`
      },
      why: 'Jobs und Dienste dieser Plattform bekommen keine Token: Schlüssel, die zuvor gelesen wurden, gelten noch 24 Stunden',
      remedy:
        'Lassen Sie diesen Dienst die Plattform per https erreichen, mit OUTGOING_PRIVATE_HOSTS für eine im eigenen Netz und NODE_EXTRA_CA_CERTS für eine eigene Zertifizierungsstelle; oder nennen Sie ihre Schlüssel als jwks in den Zugangsdaten',
    },
    'trust-without-extension': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, name }) => `${organisation} (${name})`)
        return `Nicht nutzbar: ${someOf(shown, more)}`
      },
      why: 'OAUTH_EXTENSIONS enthält federated_credentials nicht, daher werden Token von Plattformen abgelehnt',
      remedy: 'Nehmen Sie federated_credentials in OAUTH_EXTENSIONS auf, oder lassen Sie einen Administrator das Vertrauen entfernen',
    },
    'trust-unused': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            (one) =>
              `${one.organisation} (${one.name}): ${one.idle === 'unused' ? `seit ${day(one.usedAt)} nicht benutzt` : idle[one.idle]}`,
          ),
          more,
        ),
      why: 'Was dort Vertrauen genießt, ist vielleicht vergessen: Ein Repository oder ein Cluster kann in andere Hände geraten, und keine andere Anwendung kann die Identität bekommen',
      remedy:
        'Lassen Sie einen Administrator das Vertrauen entfernen oder die Anwendung oder den API-Schlüssel löschen (Anwendungen, Sicherheit; API-Schlüssel)',
    },

    'no-organisation': {
      seen: 'Es gibt keine Organisation',
      why: 'Niemand kann sich anmelden',
      remedy: ({ hasSystemKey }) =>
        hasSystemKey
          ? '`gatehouse organisation create`, oder POST /v1/organisations mit SYSTEM_API_KEY'
          : '`gatehouse organisation create`, oder einmal mit BOOTSTRAP_OWNER_EMAIL und BOOTSTRAP_OWNER_PASSWORD starten',
    },
    'trials-beyond-limit': {
      seen: ({ first, more, usersMax }) =>
        someOf(
          first.map(({ organisation, users }) => `${organisation} hat ${number(users)} Benutzer von ${number(usersMax)}`),
          more,
        ),
      why: 'Sie können keine weiteren anlegen und wissen vielleicht nicht, warum',
      remedy: ({ first }) => `\`gatehouse organisation activate ${first[0]?.organisation}\`, oder ein höheres TRIAL_MAX_USERS`,
    },
    'second-factors-impossible': {
      seen: ({ first, more }) => someOf(first, more),
      why: 'Benutzer ohne zweiten Faktor können keinen einrichten und kommen mit einem Passwort nicht hinein',
      remedy:
        'Setzen Sie SMS_GATEWAY_URL, falls SMS benutzt werden; sonst erlaubt ein Administrator Authenticator-Apps (Organisation, Anmeldung) oder verlangt keinen zweiten Faktor mehr',
    },
    'single-sign-on-broken': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            ({ organisation, domain, connection, why }) =>
              `${organisation} verlangt für ${domain} die Verbindung ${connection}, die ${brokenConnections[why]}`,
          ),
          more,
        ),
      why: 'Von den Benutzern dieser Domains kommen nur der Inhaber und die Ausnahmen hinein',
      remedy:
        'Lassen Sie den Inhaber die Verbindung in Ordnung bringen (Verbindungen): ihr Secret setzen, ihre Schlüssel erneuern und dem Anbieter geben, oder sie aktivieren. Bis dahin lassen Sie die Domain Single Sign-on nur anbieten (Domains)',
    },
    'domain-records-missing': {
      seen: ({ first, more }) =>
        someOf(
          first.map(
            ({ domain, organisation, requiresSingleSignOn, since: from }) =>
              `${domain} von ${organisation}${requiresSingleSignOn ? ', die Single Sign-on verlangt,' : ''} ${from === null ? 'ist verfallen' : `seit ${day(from)}`}`,
          ),
          more,
        ),
      why: 'Eine Domain ohne ihren Eintrag verfällt nach einer Woche: Sie verlangt dann kein Single Sign-on mehr, und eine andere Organisation kann sie nachweisen',
      remedy:
        'Lassen Sie einen Administrator den TXT-Eintrag wiederherstellen und die Domain erneut bestätigen oder sie entfernen (Domains). Wird keine Ihrer Domains gefunden, prüfen Sie DNS_SERVERS',
    },
    'directories-failing': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, directory, error, mistake }) => {
          const said = reasonInWords(germanDirectoryMistakes, mistake) ?? (error === null ? undefined : quoted(error))
          return `${organisation} (${directory})${said === undefined ? '' : `: ${said}`}`
        })
        return someOf(shown, more)
      },
      why: 'Wer dort hinzukommt oder geht, ist hier nicht bekannt: Wer gegangen ist, kann sich noch anmelden',
      remedy: ({ first }) =>
        `Die Anfragen in der Konsole (Verzeichnisse, Anfragen) nennen den Grund; oder \`gatehouse directory list --organisation ${first[0]?.organisation}\``,
    },
    'directory-tokens-end': {
      seen: ({ first, more }) => {
        const shown = first.map(
          ({ organisation, directory, endsAt, hasEnded }) => `${organisation} (${directory}) ${hasEnded ? 'seit' : 'ab'} ${day(endsAt)}`,
        )
        return `Ohne Token: ${someOf(shown, more)}`
      },
      why: 'Ohne Token werden Anfragen eines Verzeichnisses abgelehnt, und wer dort geht, bleibt hier aktiv',
      remedy:
        'Lassen Sie einen Administrator ein weiteres Token erstellen (Verzeichnisse, Token erstellen) und im Verzeichnis einfügen, womit das bisherige endet',
    },
    'automatic-clients-full': {
      seen: ({ first, more, clientsMax }) => {
        const shown = first.map(({ organisation, clients }) => `${organisation} ${number(clients)}`)
        return `Von ${number(clientsMax)}: ${someOf(shown, more)}`
      },
      why: 'Darüber hinaus können Benutzer keine weitere zulassen',
      remedy: ({ first }) =>
        `Löschen Sie, was nicht benutzt wird (Anwendungen, Herkunft: durch ein Dokument), oder \`gatehouse client list --origin metadata_document --organisation ${first[0]?.organisation}\`; was 30 Tage lang nicht benutzt wird, verschwindet von selbst`,
    },
    'client-documents-unreadable': {
      seen: ({ first, more }) =>
        someOf(
          first.map(({ client, since: from }) => `${client} seit ${moment(from)}`),
          more,
        ),
      why: 'Sobald die gespeicherte Kopie abgelaufen ist, kann sich niemand mehr an der Anwendung anmelden; eine mit Schlüsseln verliert einen Tag später den Zugang',
      remedy:
        'Öffnen Sie die Adresse so, wie dieser Dienst es täte: Sie muss https und öffentlich sein (OUTGOING_PRIVATE_HOSTS öffnet andere) und ein gültiges Dokument liefern. `gatehouse explain sign-in` sagt, was falsch ist; gibt es die Anwendung nicht mehr, löschen Sie sie',
    },
    'setup-links-end': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, link, endsAt }) => `${organisation} (${link}) bis ${moment(endsAt)}`)
        return `Nicht abgeschlossen: ${someOf(shown, more)}`
      },
      why: 'Wer mit ihm eine Domain, eine Anmeldung oder ein Verzeichnis einrichtet, kann danach nicht weitermachen',
      remedy: ({ first }) =>
        `Lassen Sie einen Administrator an den Abschluss erinnern oder einen weiteren Link erstellen (Einrichtungslinks); \`gatehouse setup-link list --organisation ${first[0]?.organisation}\` listet sie auf`,
    },
    'setup-links-wait': {
      seen: ({ first, more }) => {
        const shown = first.map(({ organisation, link, made }) => `${organisation} (${link}: ${made})`)
        return `Nicht eingeschaltet: ${someOf(shown, more)}`
      },
      why: 'Der Kunde, der es eingerichtet hat, glaubt, dass es funktioniert; und was nicht benutzt wird, hat weiterhin seine Geheimnisse und Token',
      remedy:
        'Lassen Sie einen Administrator es auf der Seite des Links einschalten (Einrichtungslinks, Alles einschalten) oder die Verbindung und das Verzeichnis löschen',
    },
  },
}
