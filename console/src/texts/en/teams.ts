const members = (count: number, formatted: string) => (count === 1 ? '1 member' : `${formatted} members`)

export default {
  title: 'Teams',
  count: (count: number, formatted: string) => (count === 1 ? '1 team' : `${formatted} teams`),
  search: 'Name or short name',
  create: 'Create team',
  empty: 'There are no teams yet',
  emptyDescription: 'A team is a group of users of the organisation. It gives no permissions.',
  name: 'Name',
  members: 'Members',
  memberCount: members,
  created: 'Created',
  settings: 'Settings',
  history: 'History',

  searchMembers: 'Name or e-mail address',
  noMembers: 'No members yet',
  noMembersDescription: 'Add users of the organisation. They stay in their other teams.',
  add: 'Add to the team',
  addCount: (count: number) => (count > 1 ? `Add ${count} users` : 'Add'),
  added: (count: number) => (count === 1 ? '1 user added' : `${count} users added`),
  notAdded: (count: number) => (count === 1 ? '1 user was not added' : `${count} users were not added`),
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} is no longer in the team`,
  addedBy: (sources: string) => `by ${sources}`,
  stays: (name: string, sources: string) => `${name} stays in the team because of ${sources}`,
  staysBecause: (sources: string) => `stays in the team because of ${sources}`,
  tooMany: (most: number) => `At most ${most} users at once`,
  removeMany: (count: number) => (count === 1 ? 'Remove 1 member?' : `Remove ${count} members?`),
  removeManyEffect: 'They stay users of the organisation.',
  removedMany: (count: number) => (count === 1 ? '1 member removed' : `${count} members removed`),

  delete: 'Delete team',
  deleteName: (name: string) => `Delete ${name}`,
  deleteQuestion: (name: string) => `Delete the team ${name}?`,
  deleteEffect: (count: number, formatted: string) =>
    count === 0
      ? 'It has no members. The team disappears from pending invitations, too.'
      : `${members(count, formatted)} ${count === 1 ? 'leaves' : 'leave'} it, and ${count === 1 ? 'stays a user' : 'stay users'} of the organisation. The team disappears from pending invitations, too.`,
}
