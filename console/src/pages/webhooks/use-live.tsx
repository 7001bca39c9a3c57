import { useCallback, useState } from 'react'
import { type Delivery, pollDelivery } from '../../api/webhooks.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Switch } from '../../ui/switch.tsx'

/** Refreshes a list of deliveries while one of them is pending, and as long as the switch is on. */
export function useLive() {
  const [isLive, setLive] = useState(false)
  const refetchInterval = useCallback(
    (rows: readonly Delivery[]) => {
      const intervals = rows.map(pollDelivery).filter((interval) => interval !== false)
      return isLive ? 2000 : intervals.length > 0 && Math.min(...intervals)
    },
    [isLive],
  )
  return { refetchInterval, tools: <Switch label={t.live} checked={isLive} onCheckedChange={setLive} /> }
}
