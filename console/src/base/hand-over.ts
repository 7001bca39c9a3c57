let isHandedOver = false

/** Whether another user has signed in, so that nothing is asked about what the former one has typed: it cannot be sent in their name. */
export const isOfAnother = (): boolean => isHandedOver

/** Reloads a page whose user is no longer the one who is signed in. */
export function handOver(): void {
  isHandedOver = true
  location.reload()
}
