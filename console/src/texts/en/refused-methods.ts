export default {
  advice: {
    key: 'The application authenticates by its key: it sends an assertion that it has signed, and no secret. Its keys, and another method, are on the page “Security”.',
    certificate:
      'The application authenticates by its certificate: it connects with it and sends only its client_id. What is known of the certificate, and another method, is on the page “Security”.',
  },
  snippets: {
    key: 'In place of the secret',
    certificate: 'Over a connection with the certificate',
  },
}
