import { foreignForms } from './forms.ts'

const longest = 1_024

/** The reason why the hash of another system is refused; undefined when it can be verified at the next sign-in. */
export function whyHashRefused(hash: string): string | undefined {
  if (hash.length > longest) return `the password hash has more than ${longest} characters`
  for (const { name, pattern, whyRefused } of foreignForms) {
    const parts = pattern.exec(hash)?.groups
    if (!parts) continue
    const why = whyRefused(parts)
    return why && `${name}: ${why}`
  }
  return `the form of the password hash is unknown: ${foreignForms.map(({ name }) => name).join(', ')} can be taken`
}
