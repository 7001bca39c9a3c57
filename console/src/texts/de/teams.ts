import type en from '../en/teams.ts'

const members = (count: number, formatted: string) => (count === 1 ? '1 Mitglied' : `${formatted} Mitglieder`)

const de: typeof en = {
  title: 'Teams',
  count: (count, formatted) => (count === 1 ? '1 Team' : `${formatted} Teams`),
  search: 'Name oder Kurzname',
  create: 'Team anlegen',
  empty: 'Noch keine Teams',
  emptyDescription: 'Ein Team ist eine Gruppe von Benutzern der Organisation. Es gibt keine Berechtigungen.',
  name: 'Name',
  members: 'Mitglieder',
  memberCount: members,
  created: 'Angelegt',
  settings: 'Einstellungen',
  history: 'Verlauf',

  searchMembers: 'Name oder E-Mail-Adresse',
  noMembers: 'Noch ist niemand in diesem Team',
  noMembersDescription: 'Fügen Sie Benutzer der Organisation hinzu. In ihren anderen Teams bleiben sie.',
  add: 'Ins Team aufnehmen',
  addCount: (count) => (count > 1 ? `${count} Benutzer aufnehmen` : 'Aufnehmen'),
  added: (count) => (count === 1 ? '1 Benutzer aufgenommen' : `${count} Benutzer aufgenommen`),
  notAdded: (count) => (count === 1 ? '1 Benutzer wurde nicht aufgenommen' : `${count} Benutzer wurden nicht aufgenommen`),
  remove: 'Entfernen',
  removeName: (name) => `${name} entfernen`,
  removed: (name) => `${name} ist nicht mehr im Team`,
  addedBy: (sources) => `durch ${sources}`,
  stays: (name, sources) => `${name} bleibt wegen ${sources} im Team`,
  staysBecause: (sources) => `bleibt wegen ${sources} im Team`,
  tooMany: (most) => `Höchstens ${most} Benutzer auf einmal`,
  removeMany: (count) => (count === 1 ? '1 Mitglied entfernen?' : `${count} Mitglieder entfernen?`),
  removeManyEffect: 'Sie bleiben Benutzer der Organisation.',
  removedMany: (count) => (count === 1 ? '1 Mitglied entfernt' : `${count} Mitglieder entfernt`),

  delete: 'Team löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (name) => `Das Team ${name} löschen?`,
  deleteEffect: (count, formatted) =>
    count === 0
      ? 'Es hat keine Mitglieder. Auch aus offenen Einladungen verschwindet es.'
      : `${members(count, formatted)} ${count === 1 ? 'verlässt' : 'verlassen'} es und ${count === 1 ? 'bleibt' : 'bleiben'} Benutzer der Organisation. Auch aus offenen Einladungen verschwindet das Team.`,
}

export default de
