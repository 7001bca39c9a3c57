import type en from '../en/client-security.ts'

const de: typeof en = {
  authentication: 'Wie sie beweist, welche Anwendung sie ist',
  method: 'Verfahren',
  secretMethodHint: 'Das Secret wird auf beiden Wegen angenommen; Bibliotheken erfahren den gewählten.',
  methodHint: 'Mit einem Schlüssel oder Zertifikat sendet die Anwendung kein Secret, und ihr Secret gilt nicht.',
  publicHasNoKey: 'Eine Anwendung ohne Secret kann nicht beweisen, welche sie ist: Sie hat auch keinen Schlüssel.',
  keysHint:
    'Mit einem Schlüssel signiert die Anwendung für jede Anfrage eine kurze Erklärung. Die private Hälfte hat nur sie, hier ist nichts Geheimes gespeichert. Braucht die Erweiterung private_key_jwt.',
  keyName: 'Name (kid)',
  keyKind: 'Art',
  makeKey: 'Schlüssel erzeugen',
  makeKeyQuestion: 'Einen Schlüssel erzeugen und verwenden?',
  makeKeyEffect:
    'Ihr Browser erzeugt ihn und speichert die private Hälfte als Datei für die Anwendung. Sie wird nie gesendet und lässt sich nicht noch einmal speichern.',
  removeKey: 'Entfernen',
  removeKeyName: (name) => `Entfernen: ${name}`,
  removeKeyQuestion: (name) => `Den Schlüssel ${name} entfernen?`,
  removeKeyEffect: 'Was die Anwendung damit signiert, wird sofort abgelehnt.',
  pasteKeys: 'Eigene öffentliche Schlüssel',
  pasteKeysHint: 'Ein JSON Web Key oder mehrere als Menge. Nur die öffentlichen Hälften.',
  keysAddress: 'Adresse ihrer Schlüssel',
  keysAddressHint:
    'Statt Schlüsseln hier: eine https-Adresse, unter der die Anwendung sie veröffentlicht. Sie wird alle zehn Minuten neu gelesen.',
  changeAuthentication: 'Ändern',
  saveFirst: 'Speichern oder verwerfen Sie zuerst Ihre Änderungen',
  authenticationQuestion: (name) => `Ändern, wie ${name} sich ausweist?`,
  methodEffect: (from, to) => `Bisher: ${from}. Danach gilt nur noch: ${to}.`,
  secretAgainEffect:
    'Ihre Schlüssel oder ihr Zertifikat genügen nicht mehr. Das letzte Secret gilt wieder; erneuern Sie es, wenn Sie nicht wissen, wer es hat.',
  keysEffect: 'Was die Anwendung mit ihren jetzigen Schlüsseln signiert, wird sofort abgelehnt.',
  certificateNameEffect: 'Ein Zertifikat mit einem anderen Namen wird sofort abgelehnt.',
  certificateBoundEffect: 'Eine Anfrage nach Token ohne Zertifikat wird sofort abgelehnt.',
  signingAlgorithmEffect: (algorithm) => `Was sie anders als mit ${algorithm} signiert, wird sofort abgelehnt.`,
  requestAlgorithmEffect: (algorithm) => `Eine Anfrage, die sie anders als mit ${algorithm} signiert, wird sofort abgelehnt.`,
  tokenEndpointAuthSigningAlg: 'Algorithmus ihrer Signaturen',
  anyAlgorithm: 'Jeder',
  requestObjectSigningAlg: 'Algorithmus signierter Anfragen',
  algorithmHint: 'Nur dieser wird angenommen.',

  certificate: 'Zertifikat',
  certificateHint:
    'Mit einem Zertifikat beweist schon die Verbindung, welche Anwendung es ist (Mutual TLS). Nur wirksam, wenn der Betreiber mtls eingeschaltet hat und ein Proxy Zertifikate weitergibt.',
  certificateNameKind: 'Welcher Name des Zertifikats',
  certificateNames: {
    subjectDn: 'Inhaber (Subject)',
    sanDns: 'DNS-Name',
    sanUri: 'URI',
    sanIp: 'IP-Adresse',
    sanEmail: 'E-Mail-Adresse',
  },
  certificateName: 'Name des Zertifikats',
  certificateSubjectHint:
    'Der genaueste Name zuerst, wie „openssl x509 -subject -nameopt RFC2253“ ihn ausgibt: CN=portal.acme.test,O=Acme,C=DE',
  certificateKeysHint:
    'Der öffentliche Schlüssel des Zertifikats als JSON Web Key, oder mehrere als Menge. Er kommt zu den vorhandenen Schlüsseln hinzu.',
  certificateBoundAccessTokensHint:
    'Die Anwendung erhält Token nur über eine Verbindung mit Zertifikat, und ohne dieses sind sie wertlos. Weist sie einen Schlüssel nach (DPoP), so sind sie an diesen gebunden.',

  profile: 'FAPI-2.0-Sicherheitsprofil',
  profileHint:
    'Für Anwendungen mit hohem Schutzbedarf, etwa bei Banken. Das Profil stellt ein, was es verlangt, und lehnt ab, was ihm widerspricht. Braucht die Erweiterungen private_key_jwt, par und dpop; anstelle der ersten und der letzten genügt mtls.',
  profileDemand: 'Was es verlangt',
  profileState: 'Diese Anwendung',
  profileMet: 'Erfüllt',
  profileSets: 'Wird eingestellt',
  profileNotMet: 'Vorher ändern',
  profileOurs: 'Regel dieses Dienstes',
  profileDemands: {
    origin: 'Ein Administrator hat die Anwendung registriert',
    clientType: 'Die Anwendung kann ein Secret aufbewahren',
    requireDpop: 'Token sind an einen Schlüssel oder ein Zertifikat gebunden',
    tokenEndpointAuthMethod: 'Sie weist sich mit einem Schlüssel oder einem Zertifikat aus',
    jwks: 'Sie hat einen Schlüssel, der anders als mit RS256 signiert',
    federatedCredentials: 'Sie weist sich auf keine andere Weise aus',
    authorizationCodeTtl: 'Ein Code gilt höchstens 60 Sekunden',
    requirePushedAuthorizationRequests: 'Anfragen werden vorab gesendet',
    requirePkce: 'PKCE wird verlangt',
    allowPlainPkce: 'PKCE nur mit S256',
    redirectUris: 'Redirect-URIs mit https, oder mit http auf dem Rechner selbst',
    tokenEndpointAuthSigningAlg: 'Sie weist sich nicht mit RS256 aus',
    requestObjectSigningAlg: 'Sie signiert Anfragen nicht mit RS256',
    idTokenSignedResponseAlg: 'ID-Token werden mit EdDSA signiert',
    introspectionSignedResponseAlg: 'Introspection wird nicht mit RS256 signiert',
  },
  holdToProfile: 'Profil anwenden',
  holdToProfileQuestion: 'Das FAPI-2.0-Profil anwenden?',
  holdToProfileEffect:
    'Von da an muss sich die Anwendung mit ihrem Schlüssel oder Zertifikat ausweisen, Anfragen vorab senden und für jedes Token einen Schlüssel oder ihr Zertifikat beweisen. Ihr Secret gilt nicht mehr.',
  inUse:
    'Die Anwendung wurde in den letzten 7 Tagen benutzt. Stellen Sie sicher, dass sie vorbereitet ist: Sonst scheitern ihre Anmeldungen sofort.',
  leaveProfile: 'Profil entfernen',
  leaveProfileQuestion: 'Das FAPI-2.0-Profil entfernen?',
  leaveProfileEffect: 'Die Einstellungen bleiben, lassen sich aber wieder ändern. Refresh-Token werden bei jeder Verwendung getauscht.',

  secret: 'Secret',
  secretHint: 'Es kann nicht noch einmal angezeigt werden. Sie können es aber erneuern.',
  secretUnusedHint:
    'Das jetzige Verfahren nimmt kein Secret an. Erneuern Sie es, bevor Sie zu einem wechseln, das eines annimmt: Dann haben nur Sie es.',
  secretMade: 'Erstellt',
  secretUsed: 'Zuletzt verwendet',
  formerSecret: 'Früheres Secret',
  formerWorks: (left) => `gilt noch ${left}`,
  formerEnded: 'gilt nicht mehr',
  rotate: 'Secret erneuern',
  rotateQuestion: 'Ein neues Secret erstellen?',
  rotateEffect: 'Das bisherige Secret gilt so lange weiter, wie Sie wählen. Ein noch älteres wird sofort ungültig.',
  rotateUnusedEffect: 'Jedes frühere Secret wird endgültig ungültig.',
  overlap: 'So lange gilt das bisherige Secret weiter',
  overlaps: {
    '0': { label: 'Gar nicht', hint: 'Wenn es in falsche Hände geraten ist. Die Anwendung funktioniert erst mit dem neuen wieder.' },
    '3600': { label: '1 Stunde', hint: 'Wenn Sie das neue sofort eintragen.' },
    '86400': { label: '24 Stunden', hint: 'Wenn andere es eintragen.' },
    '604800': { label: '7 Tage', hint: 'Wenn dafür ein Release nötig ist.' },
  },
  newSecret: 'Das neue Secret',
  newSecretDescription: 'Es wird nur dieses eine Mal angezeigt. Tragen Sie es in die Konfiguration der Anwendung ein.',
}

export default de
