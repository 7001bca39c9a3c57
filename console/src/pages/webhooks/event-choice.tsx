import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../api/profile.ts'
import { eventsQuery } from '../../api/webhooks.ts'
import { CategoryPicker } from '../../parts/category-picker.tsx'
import { eventMeanings } from '../../texts/event-meanings.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { RadioCards } from '../../ui/radio-cards.tsx'

interface EventChoiceProps {
  /** The names; `*` is all events, including those of later releases. */
  value: readonly string[]
  onValueChange: (names: string[]) => void
}

/** Chooses all events, or some of the catalogue, for users who may read it. */
export function EventChoice({ value, onValueChange }: EventChoiceProps) {
  const isAll = value.includes('*')
  // The choice before "all" is restored afterwards.
  const [former, setFormer] = useState<string[]>(isAll ? [] : [...value])
  const mayRead = useMay()('GET /v1/admin/events')
  const { data } = useQuery({ ...eventsQuery, enabled: mayRead })
  const choices = (data?.data ?? []).map(({ name, description }) => ({
    value: name,
    hint: eventMeanings.meaningOf({ name, description }),
    category: name.split('.')[0] as string,
  }))
  const choose = (names: string[]) => {
    setFormer(names)
    onValueChange(names)
  }
  return (
    <>
      <RadioCards
        legend={t.events}
        name="events"
        value={isAll ? 'all' : 'chosen'}
        onValueChange={(choice) => onValueChange(choice === 'all' ? ['*'] : former)}
        options={[
          { value: 'all', label: t.allEvents, hint: t.allEventsHint },
          ...(mayRead
            ? [{ value: 'chosen', label: isAll ? t.chosenEvents : t.chosenEventCount(value.length), hint: t.chosenEventsHint }]
            : []),
        ]}
      />
      {!isAll && <CategoryPicker legend={t.chosenEvents} choices={choices} value={value} onValueChange={choose} />}
    </>
  )
}
