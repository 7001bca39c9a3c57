const plainHost = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])$/

/**
 * Whether the host of an address can be part of a header or a policy: letters, digits, hyphens and dots, or a bracketed IPv6 address.
 * `https://a;frame-ancestors/` is a URL, too, and its origin would begin a directive of a content security policy.
 */
export const hasPlainHost = (address: string): boolean => plainHost.test(URL.parse(address)?.hostname ?? '')
