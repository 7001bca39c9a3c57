import type { MadeOrganisation } from '../seeds/organisations.ts'

/** Whom one signs in as: a password of a seed is no secret. */
export const linesOfSeeded = ({ name, slug, owner, users, clients }: MadeOrganisation) =>
  [
    `\n  ${name} (${slug})`,
    ...[owner, ...users].map(({ email, password }) => `    ${email}  ${password}`),
    ...clients.map(({ key, id, secret }) => `    ${key}: ${[id, ...(secret === null ? [] : [secret])].join('  ')}`),
    '',
  ].join('\n')
