import type en from '../en/first-roles.ts'

const de: typeof en = {
  roles: {
    owner: { name: 'Inhaber', description: 'Darf alles' },
    admin: { name: 'Administrator', description: 'Darf alles, außer die Organisation zu löschen' },
    member: { name: 'Mitglied', description: 'Darf Anwendungen verwenden' },
  },
}

export default de
