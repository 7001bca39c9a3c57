const longest = 255

/** Derives a slug from a name: `Support (Europe)` → `support-europe`. It is empty for a name without Latin letters or digits. */
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
