import type en from '../en/invitations.ts'

const de: typeof en = {
  title: 'Einladungen',
  count: (count, formatted) => (count === 1 ? '1 Einladung' : `${formatted} Einladungen`),
  search: 'E-Mail-Adresse',
  invitation: 'Einladung',
  invite: 'Einladen',
  empty: 'Noch wurde niemand eingeladen',
  emptyDescription: 'Eingeladene erhalten per E-Mail einen Link und wählen ein Passwort. Rolle und Teams gelten ab der Annahme.',

  email: 'E-Mail-Adresse',
  status: 'Status',
  anyStatus: 'Jeder Status',
  pending: 'Offen',
  accepted: 'Angenommen',
  expired: 'Abgelaufen',
  role: 'Rolle',
  defaultRole: 'Die Standardrolle',
  teams: 'Teams',
  sent: 'Gesendet',
  expires: 'Läuft ab',
  invitedBy: (name) => `Eingeladen von ${name}`,

  actionsFor: (email) => `Aktionen für die Einladung an ${email}`,
  resend: 'Erneut senden',
  inviteAgain: 'Erneut einladen',
  cancel: 'Einladung zurückziehen',
  cancelled: (email) => `Die Einladung an ${email} ist zurückgezogen`,
  sendAgain: 'Erneut senden',
  sentTo: (email) => `Eine Einladung ist unterwegs an ${email}`,
  notDelivered: 'Dieser Dienst versendet keine E-Mails, sondern schreibt sie in Dateien.',
  openInbox: 'E-Mails öffnen',

  addresses: 'E-Mail-Adressen',
  addressesHint: 'Fügen Sie bis zu 100 ein, untereinander oder hintereinander, mit oder ohne Namen.',
  found: (count, repeated) =>
    [count === 1 ? '1 Adresse.' : `${count} Adressen.`, repeated.length > 0 && `Mehrfach genannt: ${repeated.join(', ')}.`]
      .filter(Boolean)
      .join(' '),
  roleHint: 'Gilt ab der Annahme.',
  roleSlugHint: 'Der Kurzname einer Rolle, etwa member, da Sie die Liste der Rollen nicht sehen dürfen.',
  chooseRole: 'Wählen Sie zuerst eine Rolle',
  validFor: 'Gültigkeit des Links',
  days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
  send: (count) => (count > 1 ? `${count} Einladungen senden` : 'Senden'),
  notAnAddress: (text) => `Keine E-Mail-Adresse: ${text}`,
  tooMany: (most) => `Höchstens ${most} Adressen auf einmal`,
  result: (sent, refused) =>
    refused === 0 ? (sent === 1 ? '1 Einladung gesendet' : `${sent} Einladungen gesendet`) : `${sent} gesendet, ${refused} nicht gesendet`,
  wasSent: 'gesendet',
  wasLeft: 'nicht gesendet, weil Sie angehalten haben',
  returnLink: 'Den Link auch mir zeigen',
  returnLinkHint: 'Damit Sie ihn selbst weitergeben können. Die Adresse gilt dann nicht als bestätigt.',
  copyLink: 'Link kopieren',
  linksOnce: 'Die Links werden nur hier angezeigt. Wer einen Link hat, kann die Einladung annehmen.',
  correct: 'Korrigieren und erneut senden',
}

export default de
