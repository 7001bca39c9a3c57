const users = (count: number, formatted: string) => (count === 1 ? '1 user' : `${formatted} users`)

export default {
  title: 'Roles',
  count: (count: number, formatted: string) => (count === 1 ? '1 role' : `${formatted} roles`),
  search: 'Name or short name',
  create: 'Create role',
  matrix: 'Matrix',
  name: 'Name',
  users: 'Users',
  permission: 'Permission',
  permissions: 'Permissions',
  changed: 'Changed',
  default: 'Default',
  settings: 'Settings',
  history: 'History',
  duplicate: 'Duplicate',
  copyOf: (name: string) => `Copy of ${name}`,
  beginWith: 'Begin with',
  permissionsOf: (name: string) => `The permissions of ${name}`,
  copyIsShort: 'The role has permissions that you cannot grant. They are left out.',
  templates: {
    empty: 'No permissions',
    reader: 'Read everything',
    helpDesk: 'Help desk',
    peopleManager: 'Users and teams',
    developer: 'Applications and webhooks',
  },
  newRoleImpact: '0 users are affected: no user has this role yet.',

  isOwnerRole: 'This is the role of owners. It keeps all permissions and cannot be deleted.',
  beyondYou: (permission: string) => `You cannot change this role, since it has a permission that you do not have yourself: ${permission}`,

  hasRole: (count: number, formatted: string) => (count === 0 ? 'No user has this role.' : `${users(count, formatted)} with this role.`),
  allUsers: (count: string) => `Show all ${count} in the list of users`,

  makeDefault: 'Make default',
  makeDefaultQuestion: (name: string) => `Make ${name} the default role?`,
  makeDefaultEffect: (name: string, former: string | undefined) =>
    `From now on users who are created or sign up without a role get ${name}${former ? `, no longer ${former}` : ''}. Existing users do not change.`,
  delete: 'Delete role',
  deleteName: (name: string) => `Delete ${name}`,
  deleteQuestion: (name: string) => `Delete the role ${name}?`,
  deleteEffect: (name: string, count: number, formatted: string) =>
    count === 0 ? `No user has ${name}.` : `${users(count, formatted)} ${count === 1 ? 'loses' : 'lose'} the role ${name}.`,

  saveQuestion: (name: string) => `Change what ${name} permits?`,
  usersChange: (count: number, formatted: string) => (count === 1 ? '1 user is affected.' : `${formatted} users are affected.`),
  nobodyChanges: 'No user’s permissions change.',
  userCount: users,
  gains: 'Gained',
  losses: 'Lost',
  keysChange: (count: number, formatted: string) =>
    count === 1 ? '1 of their API keys changes.' : `${formatted} of their API keys change.`,
  these: 'Who is affected',
  someOfThem: 'Some of them',

  matrixSearch: 'Role or permission',
  matrixTitle: 'Roles and permissions',
  matrixHint: 'Tick what each role permits. Before anything is saved, you see the impact.',
  cell: (permission: string, role: string) => `${permission} for ${role}`,
  changedCell: (cell: string) => `${cell}, not saved`,
  change: (permission: string, role: string, isGiven: boolean) => `${role} ${isGiven ? '+' : '−'} ${permission}`,
  review: (count: number) => (count === 1 ? 'Review 1 change' : `Review ${count} changes`),
  gives: 'Gives',
  takes: 'Takes away',
  changedMeanwhile: 'Another administrator has changed this role since you opened the matrix. That change stays; yours are added to it.',
  eachAlone: (permissions: string) =>
    `More than one role changes ${permissions}. Each count below is of its role alone: users who have several of these roles may gain or lose more or less.`,
  saveRoles: (count: number) => (count === 1 ? 'Save 1 role' : `Save ${count} roles`),
  rolesChanged: (count: number) => (count === 1 ? '1 role changed' : `${count} roles changed`),
  nothingToSave: 'There is nothing to save',
}
