import type en from '../en/refused-methods.ts'

const de: typeof en = {
  advice: {
    key: 'Die Anwendung weist sich mit ihrem Schlüssel aus: Sie sendet eine Assertion, die sie signiert hat, und kein Secret. Ihre Schlüssel und andere Verfahren stehen auf der Seite „Sicherheit“.',
    certificate:
      'Die Anwendung weist sich mit ihrem Zertifikat aus: Sie verbindet sich damit und sendet nur ihre client_id. Was vom Zertifikat bekannt ist, und andere Verfahren stehen auf der Seite „Sicherheit“.',
  },
  snippets: {
    key: 'Anstelle des Secrets',
    certificate: 'Über eine Verbindung mit dem Zertifikat',
  },
}

export default de
