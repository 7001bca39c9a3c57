const longest = 255

/** The short name that a name suggests: `Support (Europe)` → `support-europe`. Empty where the name has no Latin letters or digits. */
export function slugOf(name: string): string {
  return name
    .replaceAll(/[ßẞ]/g, 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-|-$/g, '')
}
