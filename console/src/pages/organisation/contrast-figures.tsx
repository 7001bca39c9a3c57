import { contrastOf, leastContrast, parseColour, readableOn, surfaces, textOn, white, writeColour } from '../../../../shared/colour.ts'
import { formatNumber } from '../../parts/format.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Facts } from '../../ui/definition-list.tsx'

/** Rounds down: 4.49 must not be shown as 4.5. */
const ratio = (value: number) => formatNumber(Math.floor(value * 10) / 10)

/** The contrast of the chosen colour, and the colour that the pages show if it is too low. */
export function Contrast({ colour: text }: { colour: string }) {
  const colour = parseColour(text)
  if (!colour) return null
  const onButton = textOn(colour)
  return (
    <section aria-label={t.contrast} aria-live="polite">
      <Facts
        items={(['light', 'dark'] as const).map((scheme) => {
          const link = readableOn(colour, ...surfaces[scheme])
          const reached = ratio(leastContrast(colour, surfaces[scheme]))
          const isAsChosen = writeColour(link) === writeColour(colour)
          return {
            term: t.contrastOf[scheme],
            value: isAsChosen ? t.asChosen(reached) : t.adjusted(reached, writeColour(link), ratio(leastContrast(link, surfaces[scheme]))),
          }
        })}
      />
      <p>{t.onButton(onButton === white ? t.white : t.black, ratio(contrastOf(colour, onButton)))}</p>
    </section>
  )
}
