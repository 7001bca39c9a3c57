/** The roles that every organisation starts with, by their slug, until a user gives them other words. */
export default {
  roles: {
    owner: { name: 'Owner', description: 'May do everything' },
    admin: { name: 'Admin', description: 'May do everything but delete the organisation' },
    member: { name: 'Member', description: 'May use applications' },
  },
}
