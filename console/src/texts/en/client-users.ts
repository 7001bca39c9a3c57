export default {
  user: 'User',
  noUsers: 'No user has let it in yet',
  noUsersDescription: 'Users who have allowed the application something appear here.',
  moreUsers: (count: number) => `${count} more users have let it in. Their own pages show it, too.`,
  mayDo: 'May',
  allowedFor: 'Allowed',
  lastUsed: 'Last used',
  managedBy: (connection: string) => `Managed by ${connection}, which does not ask the user`,
  endManagedAccessEffect: (connection: string) =>
    `Its tokens for this user stop working at once. With another assertion of ${connection} it gets new ones, without asking the user.`,
  endAccess: 'End access',
  endAccessQuestion: (email: string) => `End its access for ${email}?`,
  endAccessEffect: 'Its tokens for this user stop working at once. At the next sign-in the application asks for consent again.',
}
