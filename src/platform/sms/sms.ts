/** Sends text messages out of the service. */
export interface SmsSender {
  /** Resolves when the message is accepted; throws when it is not. @param to E.164, such as `+4915112345678` */
  send(message: { to: string; text: string }): Promise<void>
}
