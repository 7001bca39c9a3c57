import type en from '../en/assertion-checks.ts'

export default {
  title: 'Assertion prüfen',
  description:
    'Fügen Sie eine Assertion (ID-JAG) ein, die eine Anwendung von ihrem Identitätsanbieter bekommen hat, um jede Prüfung zu sehen, auf die sie hier trifft. Sie wird weder verbraucht noch gespeichert.',
  assertion: 'Assertion',
  application: 'Anwendung, die sie vorlegt',
  named: 'Die Anwendung, die sie nennt',
  inspect: 'Prüfen',
  another: 'Eine andere prüfen',

  allowed: 'Die Anwendung bekäme ein Zugriffstoken',
  refused: (count) =>
    count === 1 ? 'Sie wird abgelehnt: 1 Prüfung ist nicht erfüllt' : `Sie wird abgelehnt: ${count} Prüfungen sind nicht erfüllt`,
  facts: { user: 'Benutzer', application: 'Anwendung', connection: 'Verbindung', resources: 'APIs', scope: 'Scopes' },
  newUser: 'Neu, wird bei der ersten Verwendung angelegt',

  checks: 'Prüfungen',
  states: { met: 'Erfüllt', not_met: 'Nicht erfüllt', not_reached: 'Nicht erreicht' },
  expected: 'Erwartet',
  received: 'Erhalten',
  error: 'Fehler',
  notReached: 'Lässt sich erst sagen, wenn die anderen erfüllt sind.',

  names: {
    client_id: 'Die Anwendung gehört zur Organisation',
    client_state: 'Die Anwendung ist aktiv',
    grant_type: 'Die Anwendung darf Assertions verwenden',
    organisation: 'Die Organisation ist in Betrieb',
    client_type: 'Die Anwendung ist vertraulich',
    assertion: 'Es ist ein signiertes JWT',
    assertion_type: 'Es ist eine Assertion über eine Identität',
    assertion_algorithm: 'Ihr Algorithmus wird akzeptiert',
    assertion_issuer: 'Eine Verbindung akzeptiert Assertions ihres Ausstellers',
    assertion_tenant: 'Ihr Mandant ist der, dem vertraut wird',
    assertion_audience: 'Sie ist allein für diesen Dienst',
    assertion_client: 'Sie ist für diese Anwendung',
    assertion_lifetime: 'Sie ist jetzt gültig, und nur kurz',
    assertion_signature: 'Der Identitätsanbieter hat sie signiert',
    resource: 'Ihre APIs sind erlaubt',
    scope: 'Es bleiben Scopes übrig',
    assertion_subject: 'Ihr Benutzer darf sich über die Verbindung anmelden',
    acr_values: 'Die Anmeldung war stark genug',
    max_age: 'Die Anmeldung ist neu genug',
    assertion_id: 'Sie wurde noch nicht verwendet',
  },
} satisfies typeof en
