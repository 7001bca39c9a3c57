import type { DirectoryMistake } from '../../../../shared/directory-mistakes/texts.ts'

const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)

export default {
  count: (count: number) => (count === 1 ? '1 directory' : `${count} directories`),
  connect: 'Connect a directory',
  empty: 'No directories yet',
  emptyDescription:
    'Your company directory can create, change and deactivate users here by SCIM: who joins is there on the first day, and who leaves is out at once.',
  kind: 'Directory',
  kinds: { entra: 'Microsoft Entra ID', okta: 'Okta', google: 'Google Workspace', other: 'Another one' },
  state: 'State',
  on: 'On',
  off: 'Off',
  failing: 'Failing',
  /** Undefined where the words of the API do. */
  reasonOf: (_reason: DirectoryMistake<string> | null): string | undefined => undefined,
  managed: 'Users',
  lastRequest: 'Last request',

  overview: 'Overview',
  requests: 'Requests',
  groups: 'Groups',
  settings: 'Settings',
  history: 'History',

  connection: 'Connect it',
  connectionDescription: 'Give the directory this address and a token.',
  baseUrl: 'Address',
  guide: 'Your directory',
  steps: {
    entra: [
      'In the Entra admin centre, open Enterprise applications, create an application of your own and choose Provisioning.',
      'Set the mode to Automatic. Paste the address as Tenant URL and a token as Secret Token, then choose Test Connection.',
      'Assign users and groups, and start provisioning. Entra sends changes about every 40 minutes.',
    ],
    okta: [
      'In the Okta admin console, add the application “SCIM 2.0 Test App (OAuth Bearer Token)”, or switch SCIM on for your own.',
      'At Provisioning, paste the address as Base URL and a token as OAuth Bearer Token, then choose Test API Credentials.',
      'Switch on Create Users, Update User Attributes and Deactivate Users, and assign people. Groups are sent by Push Groups.',
    ],
    google: [
      'In the Google Admin console, open Apps, Web and mobile apps, and the SAML application whose users are to be sent.',
      'At Auto-provisioning, paste a token as access token and the address as endpoint URL.',
      'Map the attributes, choose the groups whose users are sent, and switch auto-provisioning on. Google sends the users of these groups, and no groups.',
    ],
    other: [
      'Paste the address where the directory asks for a base URL, SCIM endpoint or tenant URL.',
      'Paste a token where it asks for a bearer token, API token or secret.',
      'Choose userName as the unique field, and let it send active, emails, name and, if you want teams, groups.',
    ],
  },
  newDescription: 'A name, a token, what to paste where, and then this page waits for the first request.',
  attributesTitle: 'What it has to send',
  copyAttributes: 'Copy the attributes',
  attribute: 'Attribute',
  attributeFrom: 'From',
  attributePurpose: 'What for',
  attributes: {
    userName: {
      entra: 'userPrincipalName',
      okta: 'userName',
      google: 'Primary email',
      other: 'the name that users sign in with',
    },
    externalId: { entra: 'objectId', okta: 'externalId', google: 'Unique ID', other: 'an id that never changes' },
    active: {
      entra: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")',
      okta: 'Deactivate Users',
      google: 'sent by itself',
      other: 'whether they may sign in',
    },
    'emails[type eq "work"].value': { entra: 'mail', okta: 'email', google: 'Primary email', other: 'the address, of a verified domain' },
    'name.givenName': { entra: 'givenName', okta: 'firstName', google: 'First name', other: 'the first name' },
    'name.familyName': { entra: 'surname', okta: 'lastName', google: 'Last name', other: 'the last name' },
  },
  attributePurposes: {
    userName: 'How the directory names the user',
    externalId: 'Finds them again after any other change',
    active: 'Blocks who leaves, at once',
    'emails[type eq "work"].value': 'The address with which they sign in here',
    'name.givenName': 'First name',
    'name.familyName': 'Last name',
  },
  arrivedTitle: 'What arrived',
  arrivedDescription: 'The latest requests, newest first.',
  openIt: (name: string) => `Open ${name}`,
  waiting: 'Waiting for the first request',
  waitingDescription: 'This page notices by itself when the directory calls.',
  arrived: (when: string) => `The last request arrived ${when}`,
  refused: (when: string) => `Requests are refused; the last one arrived ${when}`,
  failingSince: (since: string) => `Failing, first ${since}`,
  seeRequests: 'See its requests',
  manages: 'What it manages',
  usersOf: users,
  groupsOf: (count: number) => (count === 1 ? '1 group' : `${count} groups`),

  tokens: 'Tokens',
  tokensDescription: 'At most two work at a time, so that one can replace the other without a gap.',
  noToken: 'There is no token yet: the directory cannot call.',
  token: 'Token',
  expires: 'Expires',
  expired: 'Expired',
  lastUsed: 'Last used',
  createToken: 'Create token',
  tokenQuestion: 'Create a token?',
  tokenEffect: 'A program that has it decides who the users of this directory are. It is shown once.',
  lifetime: 'Expires after',
  lifetimes: { '90': '90 days', '365': 'One year', '730': 'Two years', never: 'Never' },
  former: 'Former tokens',
  formers: { stay: 'Stay as they are', '0': 'End at once', '86400': 'End after a day', '604800': 'End after a week' },
  tokenMade: 'The new token',
  tokenDescription: 'Paste it at the directory now: it cannot be shown again.',
  endToken: 'End',
  endTokenOf: (prefix: string) => `End the token ${prefix}…`,
  endQuestion: (prefix: string) => `End the token ${prefix}…?`,
  endEffect: 'Requests with it are refused from now on.',

  noRequests: 'No requests yet',
  noRequestsDescription:
    'Every request with a valid token is here for seven days, with its values masked; those that were too many are not.',
  when: 'When',
  request: 'Request',
  result: 'Result',
  detail: 'Why',
  outcome: 'Result',
  anyOutcome: 'Any result',
  outcomes: { accepted: 'Accepted', refused: 'Refused' },
  method: 'Method',
  anyMethod: 'Any method',
  sent: 'What was sent',
  answered: 'What was answered',
  filter: 'Filter',
  from: 'From',
  took: 'Took',
  milliseconds: (count: number) => `${count} ms`,
  masked: 'Values are masked; names of attributes and the structure are as they came.',
  tryRequest: 'Try a request',
  tryAgain: 'Try such a request',
  tryIt: 'Try it',
  tryDescription:
    'The request is carried out as if the directory had sent it, and taken back at once: nothing stays but an entry in the audit log.',
  path: 'Path',
  pathHint: 'What follows the address of the directory, with the query, or the whole address',
  body: 'Body',
  bodyHint: 'JSON, as the directory sends it. Bodies in the list are masked: copy one from the log of the directory.',
  noJson: 'This is not JSON',
  wouldGet: 'The directory would get',
  wouldChangeNothing: 'Nothing would change.',
  wouldRecord: (count: number) => (count === 1 ? 'The audit log would say:' : `The audit log would say, in ${count} entries:`),
  onlyFirst: (count: number) => `These are the first ${count}.`,

  mappings: 'Groups to roles and teams',
  mappingsDescription: 'What the members of a group get while they are in it. What else gives them a role or team stays.',
  mappingsQuestion: (name: string) => `Change what the groups of ${name} give?`,
  mappingsEffect:
    'Members get and lose these roles and teams at once. The team that a group itself has been goes when the group is mapped to teams, unless others are in it. The administrators of the directory decide who is in a group, and so who has what it gives.',
  impactNothing: 'No present member gains or loses anything.',
  impactRole: {
    gains: (role: string, count: number, formatted: string) =>
      count === 1 ? `1 user gets the role ${role}.` : `${formatted} users get the role ${role}.`,
    losses: (role: string, count: number, formatted: string) =>
      count === 1 ? `1 user loses the role ${role}.` : `${formatted} users lose the role ${role}.`,
  },
  impactTeam: {
    gains: (team: string, count: number, formatted: string) =>
      count === 1 ? `1 user joins the team ${team}.` : `${formatted} users join the team ${team}.`,
    losses: (team: string, count: number, formatted: string) =>
      count === 1 ? `1 user leaves the team ${team}.` : `${formatted} users leave the team ${team}.`,
  },
  impactFurther: (count: number, formatted: string) => (count === 1 ? 'One more changes.' : `${formatted} more change.`),
  settingsQuestion: (name: string) => `Change what ${name} does?`,
  groupsEffect: {
    teams: 'Groups that have no team get one each, with their members.',
    mappings_only: 'Users leave these teams at once. The teams themselves stay.',
  },
  deletesEffect:
    'Users whom the directory deletes from now on are deleted here, too. Their addresses stay reserved and cannot be sent again.',
  noMappings: 'No group gives a role yet.',
  groupBy: 'Named by',
  groupNames: { displayName: 'Name', externalId: 'Id at the directory' },
  group: 'Group',
  givesRoles: 'Roles',
  givesTeams: 'Teams',
  addMapping: 'Add a group',

  fields: {
    name: 'Name',
    userMatch: 'First sign-in',
    connectionId: 'Connection',
    emailChanges: 'Changes of addresses',
    deletes: 'Users whom it deletes',
    groups: 'Groups',
    groupMappings: 'Groups to roles and teams',
  },
  choices: {
    userMatch: {
      email: 'Users are found by their address',
      externalId: 'Users are found by their id at a connection',
    },
    emailChanges: {
      verified_domains: 'Accepted within verified domains',
      refuse: 'Refused',
    },
    deletes: {
      block: 'Are blocked, and found again when they are sent once more',
      delete: 'Are deleted',
    },
    groups: {
      teams: 'Each group is a team',
      mappings_only: 'Only mapped groups have an effect',
    },
  },

  switchOff: 'Switch off',
  switchOn: 'Switch on',
  offQuestion: (name: string) => `Switch ${name} off?`,
  offEffect: (count: number) =>
    count === 0
      ? 'Its requests are refused.'
      : `Its requests are refused. ${count === 1 ? '1 user stays as they are' : `${count} users stay as they are`}, and nothing of them changes.`,
  remove: 'Delete',
  removeQuestion: (name: string) => `Delete ${name}?`,
  removeName: (name: string) => `Delete ${name}`,
  removeEffect: (count: number) =>
    count === 0
      ? 'Its tokens stop working.'
      : `Its tokens stop working. ${
          count === 1
            ? '1 user stays, is managed by administrators from then on, and loses'
            : `${count} users stay, are managed by administrators from then on, and lose`
        } the roles and teams that the directory alone gave.`,
}
