const scheme = /[a-z][a-z\d+.-]*:\/+\S*/giu
const host = /(?:[^\s@]+@)?(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.)+\p{L}[\p{L}\p{M}\p{N}-]+(?::\d+)?(?:[/?#]\S*)?/gu
// Dots that a browser treats as one (UTS 46), and invisible characters between the letters of an address.
const otherDots = /[\u3002\uff0e\uff61\u2024]/gu
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu

/**
 * A name without anything that looks like a web or mail address. Strangers choose names freely, and mail programs
 * turn whatever looks like an address into a link: an invitation would carry advertisements, or lead to a copy of our pages.
 * A name that is nothing but an address is shown as words: `Booking.com` as `Booking com`.
 */
export function plainName(name: string): string {
  // Only a name that looks like an address is shown differently from how it was written.
  const recognisable = name.replace(otherDots, '.').normalize('NFKC').replace(invisible, '')
  const plain = recognisable.replace(scheme, ' ').replace(host, ' ')
  if (plain === recognisable) return name
  const words = /[\p{L}\p{N}]/u.test(plain)
    ? plain
    : recognisable.replace(/^[a-z][a-z\d+.-]*:\/+/iu, '').replace(/[^\p{L}\p{M}\p{N}-]+/gu, ' ')
  return words.replace(/\s+/g, ' ').trim()
}
