import type en from '../en/event-meanings.ts'

/** The meanings by the name of the event. An event that a newer service adds is described in English. */
export const meanings: Readonly<Record<string, string>> = {
  'user.created': 'Ein Benutzer wurde angelegt, hat eine Einladung angenommen oder wurde wiederhergestellt',
  'user.updated': 'Ein Benutzer wurde geändert, gesperrt oder entsperrt',
  'user.deleted': 'Ein Benutzer wurde gelöscht',
  'user.blocked': 'Ein Benutzer wurde gesperrt, und seine Sitzungen wurden beendet',
  'user.login': 'Ein Benutzer hat sich angemeldet',
  'user.logout': 'Ein Benutzer hat sich abgemeldet',
  'auth.login': 'Eine Anmeldung ist gelungen',
  'auth.login.failed': 'Eine Anmeldung an einem bestehenden Konto ist fehlgeschlagen',
  'auth.logout': 'Ein Benutzer hat sich abgemeldet',
  'auth.password_reset': 'Ein Benutzer hat über einen Link aus einer E-Mail ein Passwort gesetzt',
  'auth.email_verified': 'Ein Benutzer hat bestätigt, dass eine Adresse ihm gehört',
  'login.success': 'Eine Anmeldung ist gelungen',
  'login.failed': 'Eine Anmeldung an einem bestehenden Konto ist fehlgeschlagen',
  'session.created': 'Eine Sitzung hat begonnen',
  'session.revoked': 'Eine Sitzung wurde vorzeitig beendet',
  'mfa.enabled': 'Ein Benutzer hat die Mehr-Faktor-Authentifizierung eingeschaltet',
  'mfa.disabled': 'Die Mehr-Faktor-Authentifizierung eines Benutzers wurde ausgeschaltet',
  'passkey.registered': 'Ein Benutzer hat einen Passkey registriert',
  'passkey.deleted': 'Ein Passkey wurde gelöscht',
  'identity.linked': 'Ein Benutzer wurde mit einem Konto bei einem Identitätsanbieter verknüpft oder bei der Anmeldung dort angelegt',
  'identity.unlinked': 'Ein Konto bei einem Identitätsanbieter wurde von einem Benutzer getrennt',
  'connection.created': 'Ein Identitätsanbieter wurde verbunden',
  'connection.updated': 'Eine Verbindung wurde geändert, oder ihr Secret wurde erneuert',
  'connection.failing': 'Die letzten drei Versuche, eine Verbindung zu nutzen, sind beim Identitätsanbieter gescheitert',
  'connection.certificate_expiring': 'Das letzte Zertifikat einer SAML-Verbindung läuft binnen 30 Tagen ab, oder binnen 7',
  'connection.deleted': 'Eine Verbindung wurde gelöscht, samt den Verknüpfungen, die über sie entstanden sind',
  'role.created': 'Eine Rolle wurde angelegt',
  'role.updated': 'Eine Rolle wurde geändert',
  'role.deleted': 'Eine Rolle wurde gelöscht',
  'role.assigned': 'Ein Benutzer hat eine Rolle bekommen',
  'role.unassigned': 'Einem Benutzer wurde eine Rolle entzogen',
  'permission.granted': 'Eine Rolle hat eine Berechtigung bekommen',
  'team.created': 'Ein Team wurde angelegt',
  'team.updated': 'Ein Team wurde geändert, oder der Benutzer `user` ist beigetreten oder ausgeschieden',
  'team.deleted': 'Ein Team wurde gelöscht',
  'directory.failing': 'Die letzten 20 Anfragen eines Verzeichnisses wurden abgelehnt, oder seit einer Woche kam keine',
  'domain.verified': 'Die Organisation hat nachgewiesen, dass ihr eine Domain gehört',
  'domain.lapsed': 'Der Eintrag, der eine Domain nachweist, fehlt seit sieben Tagen',
  'client.created': 'Eine Anwendung wurde registriert',
  'client.updated': 'Eine Anwendung wurde geändert, widerrufen oder wieder aktiviert',
  'client.deleted': 'Eine Anwendung wurde gelöscht',
  'client.revoked': 'Eine Anwendung und alle ihre Token wurden widerrufen',
  'oauth2.token.issued': 'Eine Anwendung hat Token bekommen, für den Benutzer `user` oder für sich selbst',
  'oauth2.token.revoked':
    'Eine Anwendung hat ein Token widerrufen oder einen Code oder ein Refresh-Token zweimal verwendet, was das dafür Ausgestellte widerruft',
  'oauth2.consent.granted': 'Ein Benutzer hat einer Anwendung erlaubt, worum sie gebeten hat',
  'oauth2.consent.revoked': 'Ein Benutzer hat die Zustimmung zu einer Anwendung widerrufen',
}

const de: typeof en = {
  meaningOf: ({ name, description }) => meanings[name] ?? description,
}

export default de
