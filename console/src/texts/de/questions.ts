import type en from '../en/questions.ts'

const de: typeof en = {
  newHostQuestion: (application) => `Darf ${application} Menschen zu einem neuen Host senden?`,
  newHost: {
    redirectUris: (application) =>
      `Bisher hat ${application} keine Redirect-URI bei diesem Host. Er erhält die Codes, mit denen Benutzer angemeldet werden: Wer ihn betreibt, kann für sie handeln. Eine Anfrage, die einen eigenen Host nennt, kann jeder senden.`,
    postLogoutRedirectUris: (application) =>
      `Bisher hat ${application} keine Abmelde-URI bei diesem Host. Wer sich abgemeldet hat, wird dorthin gesendet. Eine Anfrage, die einen eigenen Host nennt, kann jeder senden.`,
  },
  addHost: (host) => `${host} hinzufügen`,

  giveAllQuestion: (role, to) => `${role} an ${to} vergeben?`,
  giveAllTo: (count) => (count === 1 ? 'eine Person' : `${count} Personen`),
  giveAll: (role, all) =>
    `${role} hat alle ${all} Berechtigungen der Organisation: Benutzer, Rollen, Anwendungen und Einstellungen zu lesen, zu ändern und zu löschen und dasselbe an andere zu vergeben.`,
  givesNew: (count) => `${count} davon sind neu für diese Person:`,
  give: (role) => `${role} vergeben`,
  everyPermission: (role) =>
    `${role} wird jede Berechtigung der Organisation haben. Wer die Rolle hat, kann dann alles ändern und dasselbe an andere vergeben.`,
  makeDefault: (role) => `${role} hat jede Berechtigung der Organisation. Wer ohne Rolle angelegt wird, kann dann alles ändern.`,

  trustQuestion: (connection) => `${connection} damit vertrauen?`,
  switchOnQuestion: (connection) => `Darf ${connection} Benutzer anmelden?`,
  trust: (connection) =>
    `Wer ${connection} beherrscht, kann sich als die Benutzer anmelden, die es nennt, soweit diese Einstellungen es zulassen:`,
  trustAction: 'Speichern und vertrauen',

  writeKeyQuestion: (name) => `${name} erstellen, einen Schlüssel, der ändern kann?`,
  writeKey: 'Wer diesen Schlüssel hat, kann ohne Anmeldung und ohne zweiten Faktor:',
  writeKeyAction: 'Diesen Schlüssel erstellen',
}

export default de
