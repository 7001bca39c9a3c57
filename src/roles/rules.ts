/**
 * What a record by which another party signs users in gives. It is the whole record, never what a change of it sends: who may choose the other
 * party, or switch it on, gives the roles of all mappings, the ones that stay as they were among them.
 */
export interface Giving {
  /** The roles of its mappings. Those that have been deleted are among them. */
  roleIds: readonly string[]
  /** Whether it creates users, who get the default role. */
  createsUsers: boolean
}

/** What a record gives that says how users sign in, and gives no roles of its own, as a domain does. */
export const givesNoRoles: Giving = { roleIds: [], createsUsers: false }

export const givenByConnection = ({
  roleMappings,
  provisioning,
}: {
  roleMappings: readonly { roleId: string }[]
  provisioning: 'jit' | 'none'
}): Giving => ({ roleIds: roleMappings.map(({ roleId }) => roleId), createsUsers: provisioning === 'jit' })

export const givenByDirectory = ({ groupMappings }: { groupMappings: readonly { roleIds: readonly string[] }[] }): Giving => ({
  roleIds: groupMappings.flatMap(({ roleIds }) => roleIds),
  createsUsers: true,
})
