import type en from '../en/palette.ts'

const de: typeof en = {
  paletteHint: 'Fügen Sie eine ID oder die Kennung einer Fehlerseite ein, um den Eintrag zu öffnen.',
  pasted: 'Aus dem eingefügten Text',
  pages: 'Seiten',
  records: 'Einträge',
  whyNoSignIn: (email) => `Warum kann sich ${email} nicht anmelden?`,
  createUser: 'Benutzer anlegen',
  invite: 'Jemanden einladen',
  createRole: 'Rolle anlegen',
  createTeam: 'Team anlegen',
  createApplication: 'Anwendung anlegen',
  createApiKey: 'API-Schlüssel anlegen',
  checkSignIn: 'Prüfen, warum eine Anmeldung nicht klappt',
  createWebhook: 'Webhook anlegen',
  idOnly: 'Geben Sie die ID ein, da Sie die Liste nicht sehen dürfen.',
  firstOfMore: (count) => `Die ersten ${count}. Andere finden Sie, indem Sie tippen.`,
}

export default de
