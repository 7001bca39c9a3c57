/** Undoing what an entry of the audit log says. */
export default {
  question: 'Undo this change?',
  action: 'Undo this change',
  notNow: 'This cannot be undone',
  follows: 'It is undone by a change of your own. The audit log will then say:',
  field: 'Field',
  left: 'Left by this entry',
  now: 'Now',
  changedBy: (name: string, time: string) => `Changed by ${name}, ${time}`,
  deletedBy: (name: string, time: string) => `Deleted by ${name}, ${time}.`,
  system: 'the service',
  changedByUnknown: 'The audit log does not say who changed it',
  undone: 'Undone',
  staysBlocked: 'A directory has deactivated the user, too: they stay blocked until that is lifted as well.',
}
