/** The members of a JSON Web Key by which it can sign or decrypt (RFC 7518 §6), and those of a shared secret. */
export const privateKeyMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const
