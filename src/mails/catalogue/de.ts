import type { MailTexts } from './en.ts'

/** German. The first sentence after a greeting begins in lower case, after its comma. */
export const de: MailTexts = {
  greeting: (name) => `Guten Tag ${name},`,
  greetingWithoutName: 'Guten Tag,',

  welcome: {
    subject: (organisation) => `Willkommen bei ${organisation}`,
    lead: (organisation) =>
      `die Organisation ${organisation} wurde für Sie eingerichtet, und Sie haben darin alle Berechtigungen. Wählen Sie ein Passwort, um sich zum ersten Mal anzumelden.`,
    action: 'Passwort wählen',
    validity: 'Der Link gilt sieben Tage lang und kann einmal verwendet werden.',
  },

  signUp: {
    subject: 'Bestätigen Sie Ihre neue Organisation',
    lead: (link) =>
      `bei ${link.host} wurde eine Organisation angelegt mit dieser Adresse als der des Inhabers. Wenn Sie das waren, wählen Sie ein Passwort: Damit bestätigen Sie die Adresse und können sich anmelden.`,
    action: 'Bestätigen und Passwort wählen',
    validity: 'Der Link gilt sieben Tage lang und kann einmal verwendet werden. Ohne Bestätigung wird die Organisation danach entfernt.',
    unexpected: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihre Adresse wird für nichts verwendet.',
  },

  accountCreated: {
    subject: (organisation) => `Ihr Konto bei ${organisation}`,
    lead: (organisation) =>
      `bei ${organisation} wurde ein Konto für Sie angelegt. Wählen Sie ein Passwort, um sich zum ersten Mal anzumelden.`,
    action: 'Passwort wählen',
    validity:
      'Der Link gilt sieben Tage lang und kann einmal verwendet werden. Danach erhalten Sie über „Passwort vergessen?“ auf der Anmeldeseite einen neuen.',
    unexpected: 'Wenn Sie nicht wissen, worum es geht, können Sie diese E-Mail ignorieren.',
  },

  invitation: {
    subject: (organisation) => `Einladung zu ${organisation}`,
    lead: (inviter, organisation) =>
      `${inviter} lädt Sie ein, ${organisation} beizutreten. Wenn Sie die Einladung annehmen, wählen Sie Ihren Namen und ein Passwort.`,
    role: (role) => `Ihre Rolle wird ${role} sein.`,
    teams: (teams) => `Sie gehören dann zum Team ${teams}.`,
    application: (application) => `Nach der Annahme geht es weiter zu ${application}.`,
    action: 'Einladung annehmen',
    validity: (until) =>
      `Der Link gilt bis zum ${until.toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} Uhr (UTC) und kann einmal verwendet werden.`,
    unexpected: 'Wenn Sie nicht wissen, worum es geht, können Sie diese E-Mail ignorieren.',
  },

  passwordReset: {
    subject: 'Neues Passwort wählen',
    lead: (organisation) => `für Ihr Konto bei ${organisation} wurde ein neues Passwort angefordert.`,
    action: 'Neues Passwort wählen',
    validity:
      'Der Link gilt eine Stunde lang und kann einmal verwendet werden. Wenn Sie ein neues Passwort setzen, werden Sie überall abgemeldet.',
    unexpected: 'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
  },

  emailCode: {
    subject: (organisation) => `Anmeldung bei ${organisation}`,
    lead: (organisation) => `geben Sie diesen Code dort ein, wo Sie ihn angefordert haben, um sich bei ${organisation} anzumelden.`,
    code: 'Ihr Code',
    action: 'Seite zum Anmelden öffnen',
    validity:
      'Code und Link gelten einmal, zehn Minuten lang. Im Browser, in dem Sie ihn angefordert haben, meldet der Link Sie an; in jedem anderen zeigt er nur den Code.',
    unexpected:
      'Wenn Sie keinen Code angefordert haben, ignorieren Sie diese E-Mail, und geben Sie den Code nie weiter: Wer ihn angefordert hat, würde sich damit als Sie anmelden.',
  },

  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    lead: (organisation) => `das Passwort Ihres Kontos bei ${organisation} wurde geändert.`,
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
    keysEnded: (names) =>
      `Zur Sicherheit gelten die API-Schlüssel nicht mehr, die in den letzten 24 Stunden in Ihrem Namen erstellt wurden: ${names}. Erstellen Sie neue, wenn sie fehlen.`,
    credentialsEnded: (names) =>
      `Zur Sicherheit können die Workloads diese API-Schlüssel nicht mehr verwenden, die ihnen in den letzten 24 Stunden hinzugefügt wurden: ${names}. Fügen Sie sie wieder hinzu, wenn es Ihre sind.`,
    keysLeft: (names) => `Diese API-Schlüssel von Ihnen gelten weiterhin: ${names}. Löschen Sie alle, die Sie nicht kennen.`,
    passkeysEnded: (names) =>
      `Zur Sicherheit wurden die Passkeys gelöscht, die in den letzten 24 Stunden registriert wurden: ${names}. Registrieren Sie sie neu, wenn es Ihre sind.`,
    passkeysLeft: (names) =>
      `Mit diesen Passkeys kann man sich weiterhin bei Ihrem Konto anmelden: ${names}. Löschen Sie alle, die Sie nicht kennen:`,
    accountsEnded: (names) =>
      `Zur Sicherheit wurden die Konten getrennt, die in den letzten 24 Stunden verknüpft wurden: ${names}. Verknüpfen Sie sie neu, wenn es Ihre sind.`,
    accountsLeft: (names) =>
      `Mit diesen verknüpften Konten kann man sich weiterhin bei Ihrem Konto anmelden: ${names}. Trennen Sie alle, die Sie nicht kennen:`,
  },

  emailVerification: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead: (organisation) => `bitte bestätigen Sie, dass dies die E-Mail-Adresse Ihres Kontos bei ${organisation} ist.`,
    action: 'Adresse bestätigen',
    validity: 'Der Link gilt einen Tag lang und kann einmal verwendet werden.',
    unexpected: 'Wenn Sie kein solches Konto haben, können Sie diese E-Mail ignorieren.',
  },

  addressChanged: {
    subject: 'Die E-Mail-Adresse Ihres Kontos hat sich geändert',
    lead: (organisation, directory) =>
      `${organisation} verwaltet Ihr Konto durch das Verzeichnis ${directory}, das ihm eine andere E-Mail-Adresse gegeben hat.`,
    former: 'An diese Adresse kommen keine E-Mails zum Konto mehr, und Links, die hierher gesandt wurden, gelten nicht mehr.',
    present: 'Melden Sie sich ab jetzt mit dieser Adresse an. E-Mails zum Konto kommen hierher.',
    note: 'Wenn Sie den Grund nicht kennen, fragen Sie die Administratoren Ihrer Organisation.',
  },

  mfaDisabled: {
    subject: 'Die Bestätigung in zwei Schritten wurde ausgeschaltet',
    lead: (organisation) =>
      `die Administration von ${organisation} hat die Bestätigung in zwei Schritten für Ihr Konto ausgeschaltet, und Sie wurden überall abgemeldet.`,
    next: 'Melden Sie sich mit Ihrem Passwort an, und schalten Sie sie so bald wie möglich wieder ein.',
    unexpected: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihre Administration.',
  },

  mfaEnabled: {
    subject: 'Die Bestätigung in zwei Schritten wurde eingeschaltet',
    lead: (organisation, factor) => `zur Anmeldung an Ihrem Konto bei ${organisation} gehört jetzt auch ${factor}.`,
    factors: { totp: 'ein Code aus einer Authenticator-App', sms: 'ein Code aus einer Textnachricht', passkey: 'ein Passkey' },
    others: 'Überall sonst wurden Sie abgemeldet.',
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  mfaSwitchedOff: {
    subject: 'Die Bestätigung in zwei Schritten wurde ausgeschaltet',
    lead: (organisation) =>
      `die Bestätigung in zwei Schritten wurde für Ihr Konto bei ${organisation} ausgeschaltet. Zur Anmeldung genügt jetzt Ihr Passwort.`,
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  passkeyRegistered: {
    subject: 'Ein Passkey wurde registriert',
    lead: (organisation, passkey) => `der Passkey ${passkey} wurde für Ihr Konto bei ${organisation} registriert.`,
    next: 'Wenn Sie das nicht waren, löschen Sie ihn sofort, wählen Sie ein neues Passwort, und wenden Sie sich an Ihre Administration.',
    action: 'Passkeys ansehen',
    note: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  passkeyDeleted: {
    subject: 'Ein Passkey wurde gelöscht',
    lead: (organisation, passkey) =>
      `der Passkey ${passkey} Ihres Kontos bei ${organisation} wurde gelöscht. Er funktioniert nicht mehr; Sie können ihn auch von Ihrem Gerät entfernen.`,
    action: 'Passkeys ansehen',
    note: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  passkeyTaken: {
    subject: 'Ihr Passkey wurde gelöscht',
    lead: (organisation, passkey) =>
      `die Administration von ${organisation} hat den Passkey ${passkey} Ihres Kontos gelöscht, und Sie wurden überall abgemeldet.`,
    next: 'Ihr Konto hat kein Passwort. Wählen Sie eines über den Link unten. Er gilt eine Stunde lang und kann einmal verwendet werden; über „Passwort vergessen?“ auf der Anmeldeseite erhalten Sie einen neuen.',
    action: 'Passwort wählen',
    note: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihre Administration.',
  },

  passkeyCloned: {
    subject: 'Ihr Passkey wurde abgelehnt',
    lead: (organisation, passkey) =>
      `der Passkey ${passkey} Ihres Kontos bei ${organisation} wurde abgelehnt: Sein Zähler ist seit der letzten Verwendung nicht gestiegen. Es kann eine Kopie von ihm geben.`,
    next: 'Wenn das noch einmal geschieht oder Sie es nicht waren, löschen Sie den Passkey, und registrieren Sie einen neuen.',
    action: 'Passkeys ansehen',
    note: 'Auch ein Gerät, das aus einer Sicherung wiederhergestellt wurde, kann das verursachen.',
  },

  passwordBreached: {
    subject: 'Ihr Passwort ist aus einem Datenleck bekannt',
    lead: (organisation) =>
      `Sie haben sich bei Ihrem Konto bei ${organisation} mit einem Passwort angemeldet, das auf einer Liste von Passwörtern aus Datenlecks steht. Vielleicht wurde es bei einem anderen Dienst gestohlen, oder jemand anders verwendet das gleiche.`,
    next: 'Wählen Sie hier ein neues Passwort, und auch überall sonst, wo Sie dieses verwenden.',
    action: 'Neues Passwort wählen',
    once: 'Sie erhalten diese E-Mail nur einmal, bis Sie ein neues Passwort gewählt haben.',
  },

  passwordRemoved: {
    subject: 'Ihr Passwort wurde entfernt',
    lead: (organisation) => `das Passwort Ihres Kontos bei ${organisation} wurde entfernt: Ab jetzt melden Sie sich nur mit Passkeys an.`,
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das waren, brauchen Sie nichts zu tun. Über „Passwort vergessen?“ auf der Anmeldeseite setzen Sie ein neues.',
  },

  wrongCodes: {
    subject: 'Falsche Codes für Ihr Konto',
    lead: (organisation) =>
      `zehnmal nacheinander wurde für die Bestätigung in zwei Schritten Ihres Kontos bei ${organisation} ein falscher Code eingegeben.`,
    wait: 'In den nächsten 15 Minuten wird kein Code angenommen. Nach je fünf weiteren falschen Codes verdoppelt sich die Wartezeit, bis zu einem Tag; ein richtiger Code beendet sie.',
    unexpected: 'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Wählen Sie über den Link unten sofort ein neues.',
    action: 'Das war ich nicht',
    expected: 'Wenn Sie es waren, warten Sie, und geben Sie dann einen neuen Code oder einen Ersatzcode ein.',
    once: 'Sie erhalten diese E-Mail einmal, bis ein richtiger Code eingegeben wurde.',
  },

  apiKeyCreated: {
    subject: 'In Ihrem Namen wurde ein API-Schlüssel erstellt',
    lead: (organisation, key) =>
      key.prefix === ''
        ? `der API-Schlüssel ${key.name} bei ${organisation} wurde in Ihrem Namen erstellt. Er hat kein Geheimnis: Die Workloads, die er nennt, haben seine Berechtigungen, solange auch Sie sie haben.`
        : `der API-Schlüssel ${key.name} bei ${organisation}, der mit ${key.prefix} beginnt, wurde in Ihrem Namen erstellt. Programme mit diesem Schlüssel haben seine Berechtigungen, solange auch Sie sie haben.`,
    next: 'Wenn Sie das nicht erwartet haben, löschen Sie den Schlüssel, und wählen Sie sofort ein neues Passwort.',
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das erwartet haben, brauchen Sie nichts zu tun.',
  },

  apiKeyTrusted: {
    subject: 'Ein Workload kann einen API-Schlüssel von Ihnen verwenden',
    lead: (organisation, key) =>
      `den API-Schlüssel ${key.name} bei ${organisation}, der in Ihrem Namen erstellt wurde, können jetzt verwenden: ${key.workloads}. Sie haben seine Berechtigungen, solange auch Sie sie haben.`,
    next: 'Wenn Sie das nicht erwartet haben, löschen Sie den Schlüssel, und wählen Sie sofort ein neues Passwort.',
    action: 'Das war ich nicht',
    expected: 'Wenn Sie das erwartet haben, brauchen Sie nichts zu tun.',
  },

  identityLinked: {
    subject: 'Ein Konto wurde mit Ihrem verknüpft',
    lead: (organisation, account) =>
      `ab jetzt können Sie sich bei Ihrem Konto bei ${organisation} mit einem Konto bei ${account} anmelden.`,
    next: 'Wenn Sie das nicht waren, trennen Sie es sofort, wählen Sie ein neues Passwort, und wenden Sie sich an Ihre Administration.',
    action: 'Verknüpfte Konten ansehen',
    note: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  identityUnlinked: {
    subject: 'Ein Konto wurde von Ihrem getrennt',
    lead: (organisation, account) =>
      `bei Ihrem Konto bei ${organisation} können Sie sich nicht mehr mit Ihrem Konto bei ${account} anmelden.`,
    next: 'Wenn das weder Sie noch Ihre Administration waren, prüfen Sie Ihre anderen Anmeldemöglichkeiten, und wenden Sie sich an Ihre Administration.',
    action: 'Verknüpfte Konten ansehen',
    note: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  },

  recovery: {
    subject: (organisation) => `Ihr Konto bei ${organisation} wurde wiederhergestellt`,
    lead: (organisation) =>
      `der Betreiber dieses Dienstes hat Ihr Konto bei ${organisation} geändert, damit Sie sich wieder anmelden können:`,
    removeSecondFactors:
      'Die Bestätigung in zwei Schritten wurde ausgeschaltet, und Sie wurden überall abgemeldet. Schalten Sie sie bald wieder ein.',
    everything:
      'Ihr Passwort, Ihre Passkeys, verknüpften Konten, API-Schlüssel und Zustimmungen für Anwendungen wurden entfernt, damit niemand sonst das Konto nutzen kann. Steht unten kein Link, wählen Sie ein neues Passwort über „Passwort vergessen?“ auf der Anmeldeseite.',
    unlock: 'Die Sperre nach zu vielen falschen Anmeldungen wurde aufgehoben.',
    unblock: 'Ihr Konto ist nicht mehr gesperrt.',
    passwordLink: 'Mit dem Link unten können Sie ein neues Passwort wählen.',
    handedOverLink: 'Es wurde ein Link zum Setzen eines neuen Passworts erstellt; der Betreiber gibt ihn Ihnen.',
    unexpected: 'Wenn Sie das nicht erwartet haben, wenden Sie sich sofort an Ihre Administration.',
  },

  ownership: {
    subject: (organisation) => `${organisation} hat einen anderen Inhaber`,
    given: (organisation) => `der Betreiber dieses Dienstes hat Sie zum Inhaber von ${organisation} gemacht.`,
    taken: (organisation, owner) =>
      `der Betreiber dieses Dienstes hat ${owner} anstelle von Ihnen zum Inhaber von ${organisation} gemacht.`,
    unexpected: 'Wenn Sie das nicht erwartet haben, fragen Sie sofort den Betreiber.',
  },

  webhookDeactivated: {
    subject: (url) => `Webhook an ${url.host} wurde deaktiviert`,
    lead: ({ id, url, organisation, failures }) =>
      `${failures} Zustellungen an den Webhook-Endpunkt ${id} von ${organisation} bei ${url.host} sind nacheinander fehlgeschlagen, daher wurde er deaktiviert. Er erhält nichts, bis er wieder aktiviert wird; ausstehende Zustellungen bleiben erhalten.`,
    next: 'Sehen Sie in seinen Zustellungen nach, was schiefgegangen ist. Aktivieren Sie ihn dann wieder, und wiederholen Sie die fehlgeschlagenen Zustellungen.',
  },

  connectionFailing: {
    subject: (connection) => `Anmeldungen über ${connection} schlagen fehl`,
    lead: (connection, organisation) =>
      `Die letzten drei Versuche, sich bei ${organisation} über die Verbindung ${connection} anzumelden oder zu lesen, was ihr Identitätsanbieter veröffentlicht, sind dort fehlgeschlagen. Benutzer können es weiterhin versuchen; mit der ersten erfolgreichen Anmeldung gilt die Verbindung wieder als intakt.`,
    next: 'Die Konsole zeigt bei der Verbindung, warum der letzte Versuch fehlgeschlagen ist. Testen Sie sie dort, sobald die Ursache behoben ist.',
  },

  certificateExpiring: {
    subject: (connection) => `Das Zertifikat von ${connection} läuft ab`,
    lead: (connection, organisation, at) =>
      `Das letzte Zertifikat, mit dem der Identitätsanbieter der Verbindung ${connection} von ${organisation} signiert, läuft am ${at.toLocaleString('de-DE', { dateStyle: 'long', timeZone: 'UTC' })} ab. Der Anbieter wird bis dahin ein anderes verwenden, und Anmeldungen schlagen fehl, bis die Verbindung es kennt.`,
    next: 'Eine Verbindung mit der Adresse der Metadaten erfährt davon selbst. Sonst lassen Sie sich das nächste Zertifikat geben und fügen Sie es der Verbindung neben dem jetzigen hinzu.',
  },
}
