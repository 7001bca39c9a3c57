/** Where text messages leave the service. */
export interface SmsSender {
  /** Resolves when the message has been taken over; throws when it has not. @param to E.164, such as `+4915112345678` */
  send(message: { to: string; text: string }): Promise<void>
}
