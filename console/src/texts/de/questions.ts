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

  trustQuestion: (connection) => `${connection} so weit vertrauen?`,
  switchOnQuestion: (connection) => `Darf ${connection} Benutzer anmelden?`,
  trust: (connection) => `Wer ${connection} kontrolliert, kann sich als jeder Benutzer anmelden, den diese Einstellungen zulassen:`,
  trustAction: 'Speichern und vertrauen',

  writeKeyQuestion: (name) => `${name} mit Schreibrechten erstellen?`,
  writeKey: 'Wer diesen Schlüssel hat, darf ohne Anmeldung und zweiten Faktor:',
  writeKeyAction: 'Diesen Schlüssel erstellen',
}

export default de
