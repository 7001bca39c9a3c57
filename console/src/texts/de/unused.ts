import type en from '../en/unused.ts'

const de: typeof en = {
  title: 'Ungenutztes',
  description: 'Was lange niemand verwendet hat.',
  nothing: 'Nichts Ungenutztes gefunden.',
  oldest: (count) => `Berücksichtigt sind nur die ältesten ${count}.`,
  name: 'Name',
  lastUsed: 'Zuletzt verwendet',
  created: 'Angelegt',
  permissionCount: (count) => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),

  roles: 'Rollen ohne Benutzer',
  rolesHint: 'Die Standardrolle für neue Benutzer ist nicht aufgeführt.',
  deleteRoles: 'Löschen',
  deleteRolesQuestion: (count) => (count === 1 ? '1 Rolle löschen?' : `${count} Rollen löschen?`),
  deletedRoles: (count) => (count === 1 ? '1 Rolle gelöscht' : `${count} Rollen gelöscht`),

  permissions: 'Berechtigungen, die nur die Rolle des Inhabers gibt',
  permissionsHint: 'Niemand sonst hat sie. Legen Sie eine Rolle dafür an, um sie anderen zu geben.',

  keys: 'API-Schlüssel, seit 90 Tagen nicht verwendet',
  keysHint: 'Programme, die einen gelöschten Schlüssel verwenden, werden abgewiesen.',
  deleteKeys: 'Löschen',
  deleteKeysQuestion: (count) => (count === 1 ? '1 API-Schlüssel löschen?' : `${count} API-Schlüssel löschen?`),
  deletedKeys: (count) => (count === 1 ? '1 API-Schlüssel gelöscht' : `${count} API-Schlüssel gelöscht`),

  clients: 'Anwendungen, seit 90 Tagen nicht verwendet',
  clientsHint: 'Eine widerrufene Anwendung erhält keine Token mehr. Sie kann wieder aktiviert werden.',
  revokeClients: 'Widerrufen',
  revokeClientsQuestion: (count) => (count === 1 ? '1 Anwendung widerrufen?' : `${count} Anwendungen widerrufen?`),
  revokedClients: (count) => (count === 1 ? '1 Anwendung widerrufen' : `${count} Anwendungen widerrufen`),

  users: 'Benutzer, die sich nie angemeldet haben',
  usersHint:
    'Senden Sie ihnen einen Link zum Setzen des Passworts, oder löschen Sie sie: In der Liste der Benutzer geht beides für viele auf einmal.',
  allUsers: (count, formatted) => (count === 1 ? '1 anzeigen' : `Alle ${formatted} anzeigen`),
}

export default de
