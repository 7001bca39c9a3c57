const shortest = 8

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password, in whatever case, is one of the most common ones. The list is loaded when it is first asked for
 * (40 ms) and kept (4 MB); shorter ones than any policy allows are left out.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= loadCommonPasswords()
  return (await common).has(password.toLowerCase())
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => String(password).length >= shortest).map(String))
}
