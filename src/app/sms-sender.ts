import { join } from 'node:path'
import { fileSender, gatewaySender } from '../platform/sms/senders.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import type { Config } from './config.ts'

/** How text messages are sent: undefined where they cannot be, and SMS is no second factor. */
export function smsSenderOf({ smsGateway, production, dataDir }: Config): SmsSender | undefined {
  if (smsGateway) return gatewaySender(smsGateway)
  return production ? undefined : fileSender(join(dataDir, 'sms'))
}
