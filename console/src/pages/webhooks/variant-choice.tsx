import type { Variant } from '../../../../shared/webhook-signature.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { RadioCards } from '../../ui/radio-cards.tsx'

export function VariantChoice({ value, onValueChange }: { value: Variant; onValueChange: (variant: Variant) => void }) {
  return (
    <RadioCards
      legend={t.variant}
      name="variant"
      value={value}
      onValueChange={(chosen) => onValueChange(chosen as Variant)}
      options={[
        { value: 'B', label: t.variantB, hint: t.variantBHint },
        { value: 'A', label: t.variantA, hint: t.variantAHint },
      ]}
    />
  )
}
