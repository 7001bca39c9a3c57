import type en from '../en/problems.ts'

const de: typeof en = {
  tooMany: (seconds) =>
    seconds < 90
      ? `Zu viele Anfragen. Versuchen Sie es in ${seconds} Sekunden wieder.`
      : `Zu viele Anfragen. Versuchen Sie es in ${Math.ceil(seconds / 60)} Minuten wieder.`,

  refusals: {
    unreachable: 'Gatehouse ist nicht erreichbar.',
    'response-lost-saved': 'Die Antwort ging unterwegs verloren. Gatehouse wurde gefragt: Es wurde gespeichert.',
    'response-lost-not-saved':
      'Die Antwort ging unterwegs verloren. Gatehouse wurde gefragt: Es wurde nicht gespeichert. Sie können es erneut versuchen.',
    'response-lost-unknown':
      'Es ist nicht bekannt, ob das gespeichert wurde: Die Antwort ging verloren, und Gatehouse konnte nicht gefragt werden. Sehen Sie nach, bevor Sie es erneut versuchen.',
    'service-unavailable': 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
    'unexpected-error': 'Im Dienst ist ein unerwarteter Fehler aufgetreten',
    'too-many-messages': 'Gerade werden zu viele Nachrichten von Identitätsanbietern gelesen. Versuchen Sie es gleich noch einmal.',
    'too-many-passwords': 'Gerade werden zu viele Passwörter geprüft. Versuchen Sie es gleich noch einmal.',
  },
}

export default de
