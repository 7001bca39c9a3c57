import type en from '../en/sign-in-check.ts'

const de: typeof en = {
  title: 'Warum klappt eine Anmeldung nicht?',
  description:
    'Geben Sie eine E-Mail-Adresse ein: Sie sehen jeden Schritt, den eine Anmeldung jetzt durchlaufen würde. Niemand wird angemeldet. Die Prüfung wird im Audit-Protokoll festgehalten.',
  email: 'E-Mail-Adresse',
  application: 'Anwendung',
  anyApplication: 'Beliebig',
  connection: 'Verbindung',
  anyWay: 'Jeder Weg',
  further: 'Weitere Angaben',
  redirectUri: 'Redirect-URI',
  redirectUriHint: 'Wie die Anwendung sie sendet.',
  permission: 'Berechtigung',
  permissionHint: 'Die der Benutzer braucht, etwa orders:read.',
  check: 'Prüfen',
  again: 'Erneut prüfen',
  begin: 'Noch keine Adresse eingegeben',
  beginDescription:
    'Geprüft wird nach denselben Regeln wie bei der Anmeldung: Sperren, Fehlversuche, Domain, Passwort, Passkey, zweiter Faktor, Verbindung.',

  can: '{email} kann sich anmelden',
  cannot: '{email} kann sich nicht anmelden',
  cannotUse: '{email} kann sich anmelden, aber das Gewünschte nicht nutzen',

  shared: 'Bei jeder Anmeldung',
  wanted: 'Anwendung und Berechtigung',
  ways: {
    password: 'Mit Passwort',
    passkey: 'Mit Passkey',
    email_code: 'Mit einem Code per E-Mail',
    connection: 'Über die Verbindung {connection}',
  },
  leadsTo: {
    session: 'Meldet an',
    confirmation: 'Verlangt eine Bestätigung',
    enrolment: 'Verlangt eine Einrichtung',
    new_password: 'Verlangt ein neues Passwort',
    refusal: 'Wird abgelehnt',
  },
  met: 'Erfüllt',
  unmet: 'Nicht erfüllt',
  methods: { totp: 'Authenticator-App', sms: 'SMS', passkey: 'Passkey', backup_code: 'Ersatzcodes' },

  found: {
    'account-found': { why: 'Die Adresse hat ein Konto.' },
    'no-account': {
      why: 'Ihre Organisation hat kein Konto mit dieser Adresse.',
      remedy: 'Prüfen Sie die Schreibweise, oder legen Sie den Benutzer an oder laden Sie ihn ein.',
    },
    'account-deleted': { why: 'Das Konto wurde am {since} gelöscht.', remedy: 'Stellen Sie den Benutzer wieder her.' },
    'organisation-running': { why: 'Die Organisation ist in der Testphase oder aktiv.' },
    'organisation-suspended': {
      why: 'Die Organisation ist gesperrt.',
      remedy: 'Bitten Sie den Betreiber dieses Dienstes, sie zu aktivieren.',
    },
    'organisation-cancelled': {
      why: 'Die Organisation ist gekündigt.',
      remedy: 'Der Betreiber kann sie wiederherstellen, bis ihre Daten gelöscht sind.',
    },
    'not-blocked': { why: 'Der Benutzer ist nicht gesperrt.' },
    'user-blocked': { why: 'Der Benutzer ist seit {since} gesperrt.', remedy: 'Heben Sie die Sperre auf.' },
    'deactivated-by-directory': {
      why: 'Das Verzeichnis {directory} hat den Benutzer am {since} deaktiviert.',
      remedy: 'Aktivieren Sie ihn im Verzeichnis. Eine Entsperrung hier hält nur, bis das Verzeichnis ihn wieder schickt.',
    },
    'domain-open': { why: 'Keine Domain verlangt einen anderen Weg.' },
    'sso-required': {
      why: 'Die Domain der Adresse verlangt die Anmeldung über ihre Verbindung.',
      remedy: 'Der Benutzer muss sich über die Verbindung anmelden; oder nehmen Sie ihn bei der Domain aus.',
    },
    'not-locked': { why: 'Es gab nicht zu viele Fehlversuche.' },
    'account-locked': {
      why: 'Es gab zu viele Fehlversuche. Der nächste Versuch ist ab {until} möglich.',
      remedy: 'Warten Sie, oder entsperren Sie die Anmeldung des Benutzers.',
    },
    'password-set': { why: 'Der Benutzer hat ein Passwort und darf sich damit anmelden.' },
    'no-password-set': { why: 'Der Benutzer hat kein Passwort gesetzt.', remedy: 'Senden Sie ihm einen Link, mit dem er eines setzt.' },
    'password-disabled': {
      why: 'Die Anmelderegeln lassen keine Passwörter zu.',
      remedy: 'Der Benutzer muss sich anders anmelden; oder lassen Sie Passwörter zu.',
    },
    'passkey-registered': { why: 'Der Benutzer hat einen Passkey zum Anmelden.' },
    'no-passkey': {
      why: 'Der Benutzer hat keinen Passkey, mit dem er sich hier anmelden kann.',
      remedy: 'Er muss sich anders anmelden und kann dann in seinem Konto einen Passkey registrieren.',
    },
    'passkeys-off': {
      why: 'Die Anmelderegeln lassen keine Passkeys zu.',
      remedy: 'Der Benutzer muss sich anders anmelden; oder lassen Sie Passkeys zu.',
    },
    'email-codes-allowed': { why: 'Die Anmelderegeln lassen Codes per E-Mail zu.' },
    'email-codes-off': {
      why: 'Die Anmelderegeln lassen keine Codes per E-Mail zu.',
      remedy: 'Der Benutzer muss sich anders anmelden; oder lassen Sie Codes per E-Mail zu.',
    },
    'connection-usable': { why: 'Die Verbindung {connection} ist aktiv.' },
    'connection-inactive': {
      why: 'Die Verbindung {connection} ist nicht aktiv.',
      remedy: 'Aktivieren Sie sie, oder der Benutzer muss sich anders anmelden.',
    },
    'connection-failing': {
      why: 'Anmeldungen über {connection} schlagen seit {since} fehl: {error}',
      remedy: 'Testen Sie die Verbindung, und beheben Sie, was der Test nennt.',
    },
    'identity-linked': { why: 'Ein Konto beim Identitätsanbieter ist mit dem Benutzer verknüpft.' },
    'identity-links-at-once': {
      why: 'Ein Konto beim Identitätsanbieter wird bei der nächsten Anmeldung verknüpft, wenn der Anbieter dessen Adresse bestätigt hat.',
    },
    'account-is-created': { why: 'Die erste Anmeldung legt das Konto an, sofern keine andere Organisation die Adresse hat.' },
    'invitation-is-accepted': { why: 'Die erste Anmeldung nimmt die offene Einladung an.' },
    'invitation-by-mail': {
      why: 'Die offene Einladung gibt mehr Rechte, als der Benutzer hat, der für die Verbindung bürgt. Deshalb nimmt die Verbindung sie nicht an.',
      remedy:
        'Der Benutzer muss die Einladung über den Link in der E-Mail annehmen, oder jemand mit diesen Rechten muss die Verbindung aus- und wieder einschalten.',
    },
    'confirmation-asked': {
      why: 'Der Benutzer muss sich erst auf einem bisherigen Weg anmelden, damit das Konto beim Identitätsanbieter verknüpft wird.',
      remedy: 'Er muss sich noch einmal anmelden, wenn er um die Bestätigung gebeten wird.',
    },
    'address-unproven': {
      why: 'Der Benutzer hat die Adresse nie bestätigt, deshalb wird das Konto beim Identitätsanbieter nicht ohne Rückfrage verknüpft.',
      remedy: 'Er muss die Adresse über den Link in der E-Mail bestätigen oder sich noch einmal anmelden, wenn er darum gebeten wird.',
    },
    'link-while-signed-in': {
      why: 'Die Verbindung verknüpft keine Konten über die Adresse.',
      remedy: 'Der Benutzer muss sich anders anmelden und kann das Konto dann selbst verknüpfen.',
    },
    'another-connection-required': {
      why: 'Die Domain der Adresse verlangt die Anmeldung über eine andere Verbindung.',
      remedy: 'Der Benutzer muss sich über diese Verbindung anmelden.',
    },
    'not-provisioned': {
      why: 'Die Verbindung legt für diese Adresse kein Konto an.',
      remedy: 'Legen Sie den Benutzer an oder laden Sie ihn ein, oder lassen Sie die Verbindung Konten dieser Domain anlegen.',
    },
    'trial-limit-reached': {
      why: 'Die Verbindung würde ein Konto anlegen, aber in der Testphase sind nicht mehr Benutzer möglich.',
      remedy: 'Bitten Sie den Betreiber dieses Dienstes, die Organisation zu aktivieren.',
    },
    'address-unusable': {
      why: 'Die Adresse kann über diese Verbindung nicht verwendet werden.',
      remedy: 'Stellen Sie den Benutzer mit der Adresse wieder her, oder verwenden Sie eine andere Adresse.',
    },
    'no-second-factor-asked': { why: 'Es wird kein zweiter Faktor verlangt.' },
    'second-factor-asked': { why: 'Ein zweiter Faktor wird verlangt, und der Benutzer hat einen: {methods}.' },
    'second-factor-by-provider': { why: 'Ein zweiter Faktor beim Identitätsanbieter zählt, wenn der Anbieter ihn meldet.' },
    'second-factor-refused-until': {
      why: 'Es gab zu viele falsche Codes des zweiten Faktors. Der nächste ist ab {until} möglich.',
      remedy: 'Warten Sie, oder entsperren Sie die Anmeldung des Benutzers.',
    },
    'no-usable-second-factor': {
      why: 'Ein zweiter Faktor wird verlangt, und der Benutzer hat keinen zulässigen.',
      remedy: 'Entfernen Sie den zweiten Faktor, damit er einen anderen einrichtet, oder lassen Sie Passkeys wieder zu.',
    },
    'password-current': { why: 'Das Passwort muss nicht ersetzt werden.' },
    'password-expired': {
      why: 'Das Passwort ist älter, als die Organisation erlaubt.',
      remedy: 'Der Benutzer muss ein neues wählen, wenn er bei der Anmeldung darum gebeten wird.',
    },
    'password-breached': {
      why: 'Das Passwort ist aus einem Datenleck bekannt.',
      remedy: 'Der Benutzer muss ein neues wählen, wenn er bei der Anmeldung darum gebeten wird.',
    },
    'nothing-to-enrol': { why: 'Es muss nichts eingerichtet werden.' },
    'second-factor-enrolment': {
      why: 'Die Organisation verlangt einen zweiten Faktor, und der Benutzer hat keinen.',
      remedy: 'Er muss einen einrichten, wenn er bei der Anmeldung darum gebeten wird.',
    },
    'passkey-enrolment': {
      why: 'Die Organisation verlangt einen Passkey, und der Benutzer hat keinen zum Anmelden.',
      remedy: 'Er muss einen registrieren, wenn er bei der Anmeldung darum gebeten wird.',
    },
    'client-active': { why: 'Die Anwendung ist aktiv.' },
    'client-deactivated': { why: 'Die Anwendung wurde widerrufen.', remedy: 'Aktivieren Sie die Anwendung.' },
    'document-usable': { why: 'Das Dokument, mit dem sich die Anwendung vorstellt, ist brauchbar.' },
    'document-unusable': {
      why: 'Das Dokument, mit dem sich die Anwendung vorstellt, ist nicht brauchbar: {reason}',
      remedy: 'Der Hersteller der Anwendung muss das Dokument berichtigen.',
    },
    'document-refused': {
      why: 'Die Organisation lässt keine Anwendungen des Hosts {host} zu, oder keine, die auf einen anderen Host umleiten.',
      remedy: 'Geben Sie den Host frei, oder ändern Sie die Regeln der Organisation für solche Dokumente.',
    },
    'automatic-clients-full': {
      why: 'Die Organisation hat bereits so viele Anwendungen, die sich selbst vorgestellt haben, wie sie haben kann.',
      remedy: 'Löschen Sie die, die nicht benutzt werden.',
    },
    'code-grant-allowed': { why: 'Die Anwendung darf Benutzer anmelden.' },
    'device-grant-allowed': { why: 'Die Anwendung darf Benutzer auf Geräten ohne Browser anmelden.' },
    'no-code-grant': {
      why: 'Der Anwendung fehlt der Grant authorization_code, mit dem sich Benutzer anmelden.',
      remedy: 'Geben Sie ihr den Grant authorization_code und eine Redirect-URI.',
    },
    'redirect-uri-registered': { why: 'Die Redirect-URI ist registriert.' },
    'redirect-uri-unregistered': {
      why: 'Die Redirect-URI ist bei der Anwendung nicht registriert.',
      remedy: 'Registrieren Sie genau die Redirect-URI, die die Anwendung sendet: {difference}',
    },
    'authorization-granted': { why: 'Die Anwendung erhält Token für den Benutzer.' },
    'consent-asked': { why: 'Der Benutzer wird um seine Zustimmung gebeten, dann erhält die Anwendung Token.' },
    'authorization-refused': {
      why: 'Die Anwendung erhält keine Token für den Benutzer: {description}',
      remedy: 'Die Ablehnungen der Anwendung zeigen, was erwartet und was empfangen wurde.',
    },
    'permission-held': { why: 'Eine Rolle des Benutzers gibt die Berechtigung {permission}.' },
    'permission-missing': {
      why: 'Keine Rolle des Benutzers gibt die Berechtigung {permission}.',
      remedy: 'Geben Sie dem Benutzer eine Rolle mit dieser Berechtigung.',
    },
  },
}

export default de
