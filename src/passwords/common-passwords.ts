const shortest = 8

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password, in any case, is one of the most common ones. The list is loaded at first use (40 ms) and stays in memory (4 MB);
 * passwords shorter than any policy allows are left out.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= loadCommonPasswords()
  return (await common).has(password.toLowerCase())
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => String(password).length >= shortest).map(String))
}
