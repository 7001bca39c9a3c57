export type { Clock, Duration } from './clock.ts'
export { type RefusedWith, TestingRefused } from './errors.ts'
export {
  type AskedTokens,
  type Bend,
  type ConnectOptions,
  connectToGatehouse,
  type Fault,
  type Gatehouse,
  type Seed,
  type Session,
  type Snapshot,
  type StartOptions,
  startGatehouse,
  type Tokens,
} from './gatehouse.ts'
export type { Mails, Messages, ReceivedWebhook, SentMail, SentText, Texts, Waiting, Webhooks } from './messages.ts'
export type { Client, MadeOrganisation, NewOrganisation, NewUser, Organisation, User } from './organisation.ts'
export type { BrowsedPage, PageLike, VirtualAuthenticator } from './page.ts'
