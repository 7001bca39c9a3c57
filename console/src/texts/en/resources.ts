export default {
  count: (count: number) => (count === 1 ? '1 API' : `${count} APIs`),
  register: 'Register an API',
  empty: 'No APIs yet',
  emptyDescription:
    'An API of yours gets access tokens that are for it alone, with scopes of its own. Applications ask for them by its identifier.',
  state: 'State',
  on: 'On',
  off: 'Off',
  identifierHint: 'The address of the API, such as https://api.example.com/orders. Tokens name it, and it never changes.',

  overview: 'Overview',
  scopes: 'Scopes',
  applications: 'Applications',
  metadata: 'Metadata',
  claims: 'Claims',
  history: 'History',

  settings: 'Settings',
  scopesTitle: 'What applications can be allowed here',
  scopesDescription:
    'An application may ask for those that its own scopes name. Users read the descriptions when they are asked for consent.',
  scopesHint: 'One a line: its name, a space, and what it allows.',
  mayAskForScope: (count: number, formatted: string) =>
    count === 1 ? '1 application may ask for it' : `${formatted} applications may ask for it`,
  removeScopesQuestion: (count: number) => (count === 1 ? 'Remove a scope that is in use?' : `Remove ${count} scopes that are in use?`),
  removeAnyScopesQuestion: (count: number) => (count === 1 ? 'Remove a scope?' : `Remove ${count} scopes?`),
  removeScopesEffect: (count: number): string =>
    count === 1
      ? 'Applications can no longer ask for it. Tokens that were issued keep it until they expire.'
      : 'Applications can no longer ask for them. Tokens that were issued keep them until they expire.',
  fields: {
    name: 'Name',
    identifier: 'Identifier',
    accessTokenLifetime: 'Lifetime of access tokens',
    accessTokenSigningAlg: 'Signature',
    allowsAutomaticClients: 'Applications that introduce themselves may ask for it',
    includeAuthenticationContext: 'Tokens say how and when users signed in',
    requireDpop: 'Its tokens are bound to a key of the application',
    scopes: 'Scopes',
  },
  requireDpopHint: 'An application without a proof of a key (DPoP) gets no token for it. Works only if the operator has switched on dpop.',
  followsApplication: 'As the application',

  mayAsk: 'Applications that may ask for it',
  mayAskDescription: 'These get tokens for this API when they name it as resource.',
  noApplications: 'No application yet',
  allow: 'Allow',
  allowName: (name: string) => `Allow ${name}`,
  takeAway: 'Take away',
  takeAwayFrom: (name: string) => `Take it away from ${name}`,
  isAllowed: 'May ask for it',
  isNotAllowed: 'Not allowed',
  isDefault: 'Its default',
  makeDefault: 'Make default',
  makeDefaultOf: (name: string) => `Make default of ${name}`,
  noDefault: 'No longer default',
  noDefaultOf: (name: string) => `No longer default of ${name}`,
  mayIntrospect: 'May introspect',
  letIntrospect: 'Let it introspect',
  letIntrospectName: (name: string) => `Let it introspect: ${name}`,
  endIntrospection: 'No longer introspect',
  endIntrospectionOf: (name: string) => `No longer introspect: ${name}`,

  publish: 'What the API publishes',
  publishDescription: 'Clients such as those of MCP find this server by a document that the API itself serves.',
  documentAt: 'Address of the document',
  document: 'The document',
  header: 'WWW-Authenticate of its responses with status 401',

  addMcpServer: 'Add an MCP server',
  mcpDescription:
    'Agents find the way to this service by what the MCP server itself answers. This page asks it what they ask, and says what is wrong.',
  mcpAddress: 'Address of the MCP server',
  mcpAddressHint: 'As agents are given it, such as https://mcp.example.com/notes. It becomes the identifier, and never changes.',
  checkIt: 'Check the server',
  whatItAnswers: 'What the server answers',
  leadsHere: 'Its answers lead agents here',
  doesNotLeadHere: 'Agents do not find the way here until the server answers as it should',
  outcomes: { met: 'Right', unmet: 'Wrong', 'not-checked': 'Not checked' },
  mcpChecks: {
    'refuses-without-token': {
      title: 'It refuses a request without a token',
      remedy:
        'Let it check the token of each request, and answer 401 where there is none. It has to answer this service from where it runs.',
    },
    'names-its-metadata': {
      title: 'The refusal names where its metadata is',
      remedy: 'Add this header WWW-Authenticate to the refusal.',
    },
    'publishes-its-metadata': {
      title: 'It publishes its metadata',
      remedy: 'Serve the document at this address, as a JSON object and without a redirect.',
    },
    'names-itself': {
      title: 'The document names exactly this address',
      remedy: 'Agents compare the address as a string: write it as resource, without another slash or port.',
    },
    'names-this-issuer': {
      title: 'The document names this service',
      remedy: 'Name this service in authorization_servers, exactly so.',
    },
  },
  expected: 'Expected',
  received: 'Received',
  nothing: 'Nothing',
  addIt: 'Register it as an API',
  addItDescription: 'It can be registered before it answers as it should.',
  automaticHint:
    'Agents that no administrator has registered. The host has to be a verified domain, and the service to have an extension for them.',

  switchOn: 'Switch on',
  switchOff: 'Switch off',
  offQuestion: (name: string) => `Switch off ${name}?`,
  offEffect: 'Its access tokens end at once, for good, and none is issued. Refresh tokens keep working for other APIs.',
  remove: 'Delete',
  removeQuestion: (name: string) => `Delete ${name}?`,
  removeName: (name: string) => `Delete ${name}`,
  removeEffect: 'Its access tokens end at once, and no application may ask for it any more.',
}
