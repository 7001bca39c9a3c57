import type en from '../en/unused.ts'

const de: typeof en = {
  title: 'Ungenutztes',
  description: 'Was lange niemand gebraucht hat und wegkann.',
  nothing: 'Hier ist nichts ungenutzt.',
  oldest: (count) => `Nur die ältesten ${count} wurden angesehen.`,
  name: 'Name',
  lastUsed: 'Zuletzt genutzt',
  created: 'Angelegt',
  permissionCount: (count) => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),

  roles: 'Rollen, die niemand hat',
  rolesHint: 'Die voreingestellte Rolle für neue Benutzer wird trotzdem gebraucht und fehlt hier.',
  deleteRoles: 'Löschen',
  deleteRolesQuestion: (count) => (count === 1 ? '1 Rolle löschen?' : `${count} Rollen löschen?`),
  deletedRoles: (count) => (count === 1 ? '1 Rolle gelöscht' : `${count} Rollen gelöscht`),

  permissions: 'Berechtigungen, die nur die Rolle des Inhabers gibt',
  permissionsHint: 'Niemand sonst kann das tun. Mit einer Rolle dafür könnte der Inhaber es anderen überlassen.',

  keys: 'API-Schlüssel ohne Nutzung seit 90 Tagen',
  keysHint: 'Programme, die noch einen davon haben, werden nach dem Löschen abgewiesen.',
  deleteKeys: 'Löschen',
  deleteKeysQuestion: (count) => (count === 1 ? '1 API-Schlüssel löschen?' : `${count} API-Schlüssel löschen?`),
  deletedKeys: (count) => (count === 1 ? '1 API-Schlüssel gelöscht' : `${count} API-Schlüssel gelöscht`),

  clients: 'Anwendungen ohne Nutzung seit 90 Tagen',
  clientsHint: 'Eine widerrufene Anwendung erhält keine Token mehr. Sie kann wieder aktiviert werden.',
  revokeClients: 'Widerrufen',
  revokeClientsQuestion: (count) => (count === 1 ? '1 Anwendung widerrufen?' : `${count} Anwendungen widerrufen?`),
  revokedClients: (count) => (count === 1 ? '1 Anwendung widerrufen' : `${count} Anwendungen widerrufen`),

  users: 'Benutzer, die sich nie angemeldet haben',
  usersHint:
    'Senden Sie ihnen einen Link zum Setzen des Passworts, oder löschen Sie sie: Die Liste der Benutzer kann beides für viele auf einmal.',
  allUsers: (count, formatted) => (count === 1 ? 'Den einen anzeigen' : `Alle ${formatted} anzeigen`),
}

export default de
