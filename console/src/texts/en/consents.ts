export default {
  mayDo: 'May',
  allowedFor: 'Allowed',
  lastUsed: 'Last used',
  managedBy: (connection: string) => `Managed by ${connection}, which does not ask the user`,
  endAccess: 'End access',
  endAccessEffect: 'Its tokens for this user stop working at once. At the next sign-in the application asks for consent again.',
  endManagedAccessEffect: (connection: string) =>
    `Its tokens for this user stop working at once. With another assertion of ${connection} it gets new ones, without asking the user.`,

  user: 'User',
  noUsers: 'No user has let it in yet',
  noUsersDescription: 'Users who have allowed the application something appear here.',
  endForUserQuestion: (email: string) => `End its access for ${email}?`,

  application: 'Application',
  noApplications: 'No application has access',
  noApplicationsDescription: 'Applications that the user signs in to appear here, with what each may read.',
  endOfApplicationQuestion: (name: string) => `End the access of ${name}?`,
}
