import type en from '../en/questions.ts'

const de: typeof en = {
  newHostQuestion: (application) => `Darf ${application} Benutzer zu einem neuen Host schicken?`,
  newHost: {
    redirectUris: (application) =>
      `Bisher hat ${application} keine Redirect-URI bei diesem Host. Er erhält die Codes, mit denen sich Benutzer anmelden: Wer ihn betreibt, kann für sie handeln. Jeder kann eine Anfrage senden, die einen eigenen Host nennt.`,
    postLogoutRedirectUris: (application) =>
      `Bisher hat ${application} keine Abmelde-URI bei diesem Host. Benutzer kommen nach dem Abmelden dorthin. Jeder kann eine Anfrage senden, die einen eigenen Host nennt.`,
  },
  addHost: (host) => `${host} hinzufügen`,

  giveAllQuestion: (role, to) => `${role} an ${to} vergeben?`,
  giveAllTo: (count) => (count === 1 ? 'eine Person' : `${count} Personen`),
  giveAll: (role, all) =>
    `${role} hat alle ${all} Berechtigungen der Organisation: Sie darf Benutzer, Rollen, Anwendungen und Einstellungen lesen, ändern und löschen und das alles an andere vergeben.`,
  givesNew: (count) => `${count} davon sind neu für diese Person:`,
  give: (role) => `${role} vergeben`,
  everyPermission: (role) =>
    `${role} erhält alle Berechtigungen der Organisation. Wer die Rolle hat, kann dann alles ändern und das alles an andere vergeben.`,
  makeDefault: (role) => `${role} hat alle Berechtigungen der Organisation. Wer ohne Rolle angelegt wird, kann dann alles ändern.`,

  trustQuestion: {
    connection: (name) => `${name} so weit vertrauen?`,
    directory: (name) => `${name} so weit vertrauen?`,
    domain: (domain) => `Ändern, wer sich als Benutzer von ${domain} anmelden kann?`,
    setupLink: (name) => `${name} so weit vertrauen?`,
  },
  switchOnQuestion: (connection) => `Darf ${connection} Benutzer anmelden?`,
  directoryOnQuestion: (directory) => `Darf ${directory} Benutzer verwalten?`,
  trust: {
    connection: (name) => `Wer ${name} kontrolliert, kann sich als jeder Benutzer anmelden, den diese Einstellungen zulassen:`,
    directory: (name) =>
      `Wer ${name} kontrolliert, kann jeden Benutzer ändern, sperren und mit Rollen versehen, den diese Einstellungen zulassen:`,
    domain: (domain) => `Diese Einstellungen entscheiden, wer sich als Benutzer mit einer Adresse @${domain} anmelden kann:`,
    setupLink: (name) =>
      `Kein Administrator sieht es mehr an: Wer kontrolliert, was ${name} einrichtet, kann sich als jeder Benutzer anmelden und ihn verwalten, den diese Einstellungen zulassen:`,
  },
  trustAction: {
    connection: 'Speichern und vertrauen',
    directory: 'Speichern und vertrauen',
    domain: 'Ändern',
    setupLink: 'Erstellen und vertrauen',
  },

  writeKeyQuestion: (name) => `${name} mit Schreibrechten erstellen?`,
  writeKey: 'Wer diesen Schlüssel hat, darf ohne Anmeldung und zweiten Faktor:',
  writeKeyAction: 'Diesen Schlüssel erstellen',
}

export default de
