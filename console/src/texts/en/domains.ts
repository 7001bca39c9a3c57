export default {
  count: (count: number) => (count === 1 ? '1 domain' : `${count} domains`),
  add: 'Add domain',
  empty: 'No domains yet',
  emptyDescription:
    'Prove that a domain is yours, and you decide how everyone with an address of it signs in: for example only by single sign-on through your identity provider.',

  domain: 'Domain',
  domainHint: 'What follows the @ in the addresses of your users. Subdomains are domains of their own.',
  state: 'State',
  states: { pending: 'Not proven', verified: 'Verified', lapsed: 'Lapsed' },
  missing: 'Record missing',
  checked: 'Last checked',
  added: 'Added',

  proof: 'Proof',
  proofDescription: 'Create this record in the DNS of the domain, and leave it there: it is checked every day.',
  recordType: 'Type',
  value: 'Value',
  check: 'Check now',
  pendingEffect:
    'Create this record in the DNS, then check. A new record can take minutes, with some providers hours, to be visible everywhere.',
  verifiedEffect: 'The record is there: the domain is yours.',
  missingSince: (since: string) => `The record went missing ${since}`,
  missingEffect: 'After seven days the domain lapses. Put the record back.',
  lapsedEffect:
    'Single sign-on is no longer required, and new users of the domain no longer get an account automatically. Put the record back, and check.',
  foreignAccounts: (count: number) =>
    count === 1
      ? '1 account with an address of this domain is in another organisation'
      : `${count} accounts with addresses of this domain are in other organisations`,
  foreignAccountsEffect: 'They stay as they are, and your requirements do not apply to them. The operator of the service can list them.',
  notFound: 'The record was not found',
  answered: 'This is what the name servers answered:',
  noRecord: 'no TXT record with this name',

  sso: 'Single sign-on',
  ssoDescription: (domain: string) => `How people with an address @${domain} sign in, while the domain is verified.`,
  ssoNames: { off: 'Off', offered: 'Offered', required: 'Required' },
  ssoHints: {
    off: 'They sign in like all other users.',
    offered: 'They are led to the connection, but may sign in in other ways.',
    required: 'They sign in only with the connection.',
  },
  connection: 'Connection',
  noConnections: 'There is no connection to choose yet.',
  needsConnection: 'First choose a connection',
  requiredTitle: (domain: string) => `This affects every user with an address @${domain}`,
  requiredEffect:
    'Their password, passkeys and e-mail codes no longer sign them in, and they get no mail for a forgotten password. Only the owner and the users named below can still sign in in other ways. Try the connection first.',
  noUserNow: 'At present it affects no user.',
  seeUsers: (count: number, formatted: string) => (count === 1 ? 'See the one user' : `See the ${formatted} users`),
  bypass: 'Who may sign in otherwise',
  bypassHint: 'At most five users with a second factor, in case the identity provider fails.',
  endSessions: 'End other sessions now',
  endSessionsHint: 'Ends sessions and tokens of these users that did not begin with the connection. Otherwise they last until they expire.',
  onlyVerified: 'Only once the domain is verified',

  remove: 'Remove',
  removeQuestion: (domain: string) => `Remove ${domain}?`,
  removeName: (domain: string) => `Remove ${domain}`,
  removeEffect: 'Its users sign in as they did before it was added. If you add it again, you have to verify it again.',
  removeRequired:
    'Single sign-on is then no longer required: its users can sign in with a password again. If you add it again, you have to verify it again.',
}
