/** Questions before a change that lets others act for users, or gives them every permission. */
export default {
  newHostQuestion: (application: string) => `Let ${application} send people to a new host?`,
  newHost: {
    redirectUris: (application: string) =>
      `No redirect URI of ${application} is at this host so far. It will receive the codes that sign users in: its operator can act for them. Anyone can send a request that names a host of their own.`,
    postLogoutRedirectUris: (application: string) =>
      `No sign-out URI of ${application} is at this host so far. People who have signed out will be sent there. Anyone can send a request that names a host of their own.`,
  },
  addHost: (host: string) => `Add ${host}`,

  giveAllQuestion: (role: string, to: string) => `Give ${role} to ${to}?`,
  giveAllTo: (count: number) => (count === 1 ? 'one person' : `${count} people`),
  giveAll: (role: string, all: string) =>
    `${role} has every permission of the organisation, ${all} in all: to read, change and delete users, roles, applications and settings, and to give the same to others.`,
  givesNew: (count: string) => `${count} of them are new to this person:`,
  give: (role: string) => `Give ${role}`,
  everyPermission: (role: string) =>
    `${role} will have every permission of the organisation. Users with the role can then change everything, and give the same to others.`,
  makeDefault: (role: string) =>
    `${role} has every permission of the organisation. Users who are created without a role will be able to change everything.`,

  trustQuestion: {
    connection: (name: string) => `Trust ${name} with this?`,
    directory: (name: string) => `Trust ${name} with this?`,
    domain: (domain: string) => `Change who can sign in as users of ${domain}?`,
    setupLink: (name: string) => `Trust ${name} with this?`,
  },
  switchOnQuestion: (connection: string) => `Let ${connection} sign users in?`,
  directoryOnQuestion: (directory: string) => `Let ${directory} manage users?`,
  trust: {
    connection: (name: string) => `The administrators of ${name} can sign in as the users that it names, as far as these settings allow:`,
    directory: (name: string) =>
      `The administrators of ${name} can change, block and give roles to the users that it names, as far as these settings allow:`,
    domain: (domain: string) => `These settings decide who can sign in as a user with an address @${domain}:`,
    setupLink: (name: string) =>
      `No administrator looks at it any more: the administrators of what ${name} sets up can sign in as the users that it names, and manage them, as far as these settings allow:`,
  },
  trustAction: { connection: 'Save and trust it', directory: 'Save and trust it', domain: 'Change it', setupLink: 'Create and trust it' },

  writeKeyQuestion: (name: string) => `Create ${name}, a key that can change things?`,
  writeKey: 'Anyone with this key can do the following without signing in and without a second factor:',
  writeKeyAction: 'Make this key',
}
