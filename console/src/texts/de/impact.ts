import type en from '../en/impact.ts'

const de: typeof en = {
  fromTo: (from, to) => `${from} → ${to}`,
  effects: {
    'must-enrol': ({ users }) => `Bei der nächsten Anmeldung muss ein zweiter Faktor eingerichtet werden: ${users}.`,
    'need-not-enrol': ({ users }) => `Ohne zweiten Faktor können sich dann anmelden: ${users}.`,
    'no-phone-for-sms': ({ users }) =>
      `Keine Telefonnummer ist hinterlegt, und SMS ist das einzige Verfahren: ${users}, die einen zweiten Faktor einrichten müssen.`,
    'factors-stay': ({ users }) =>
      `Einen Faktor eines Verfahrens, das sich nicht mehr einrichten lässt, haben: ${users}. Er bleibt bestehen und gilt weiter.`,
    'cannot-sign-in': ({ users }) =>
      `Nicht mehr anmelden können sich: ${users}. Sie haben keinen gültigen Passkey und nichts anderes, das erlaubt ist.`,
    'can-sign-in-again': ({ users }) => `Wieder anmelden können sich: ${users}.`,
    'must-set-password': ({ users }) => `Ein Passwort fehlt: ${users}. Zum Anmelden legen sie eines über „Passwort vergessen?“ fest.`,
    'must-register-passkey': ({ users }) =>
      `Noch keinen Passkey haben: ${users}. Bei der nächsten Anmeldung registrieren sie zuerst einen.`,
    'need-no-passkey': ({ users }) => `Keinen Passkey mehr brauchen: ${users}, die keinen haben.`,
    'passkeys-stop': ({ users }) => `Passkeys funktionieren sofort nicht mehr: ${users}. Sie bleiben gespeichert.`,
    'passkeys-work-again': ({ users }) => `Gespeicherte Passkeys funktionieren wieder: ${users}.`,
    'second-factor-too': ({ users }) => `Nach dem Passkey wird auch der zweite Faktor verlangt: ${users}.`,
    'passkey-suffices': ({ users }) => `Nach dem Passkey wird kein zweiter Faktor mehr verlangt: ${users}.`,
    'for-new-passwords': () => 'Gilt für neue Passwörter. Niemand wird ausgesperrt.',
    'password-expires': ({ users }) => `Bei der nächsten Anmeldung muss ein neues Passwort gewählt werden: ${users}.`,
    'password-no-longer-expires': ({ users }) => `Kein neues Passwort mehr nötig: ${users}.`,
    'for-new-sessions': ({ users }) => `Gilt für neue Sitzungen. Laufende Sitzungen behalten den bisherigen Wert: ${users}.`,
    'for-new-tokens': ({ clients }) => `Gilt für neue Token von ${clients} ohne eigene Gültigkeitsdauer.`,
    'clients-outside': ({ clients }) =>
      `Eine Adresse außerhalb der Liste haben: ${clients}. Sie gilt weiter, bis die Adressen der Anwendung das nächste Mal geändert werden; dann wird sie abgelehnt.`,
    'origins-removed': ({ origins }) => `Seiten von ${origins} können die API nicht mehr aufrufen.`,
  },
  origins: (count, shown) => (count === 1 ? '1 Origin' : `${shown} Origins`),
  andMore: (names, more) => `${names} und ${more} weitere`,
}

export default de
