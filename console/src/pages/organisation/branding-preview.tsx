import { useEffect, useState } from 'react'
import { parseColour } from '../../../../shared/colour.ts'
import { type Language, language, languages } from '../../texts/language.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PreviewFrame } from '../../ui/preview-frame.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import styles from './organisation.module.css'

interface Draft {
  primaryColor: string
  logoUrl: string
  faviconUrl: string
}

/** Whether the API may accept the address of a picture; it knows further reasons to refuse it. */
const isAddress = (text: string) => text === '' || (URL.canParse(text) && /^https?:\/\/[^/]/.test(text))
const isRight = ({ primaryColor, logoUrl, faviconUrl }: Draft) =>
  (primaryColor === '' || parseColour(primaryColor) !== undefined) && isAddress(logoUrl) && isAddress(faviconUrl)

/** The real sign-in page with the unsaved branding: light and dark, on a phone and a desktop. */
export function BrandingPreview(draft: Draft) {
  const [shownLanguage, setLanguage] = useState<Language>(language)
  const shown = useSettled(draft)
  return (
    <Panel
      title={t.preview}
      description={t.previewHint}
      actions={
        <Segmented
          label={t.previewLanguage}
          options={languages.map((value) => ({ value, label: t.previewLanguages[value] }))}
          value={shownLanguage}
          onValueChange={setLanguage}
        />
      }
    >
      {!isRight(draft) && <Notice tone="neutral">{t.notPreviewed}</Notice>}
      <div className={styles.frames}>
        {(['light', 'dark'] as const).map((scheme) =>
          (['desktop', 'phone'] as const).map((screen) => (
            <PreviewFrame
              key={`${scheme} ${screen}`}
              screen={screen}
              title={t.previewTitle(t.schemes[scheme], t.screens[screen])}
              src={addressOf(shown, shownLanguage, scheme)}
            />
          )),
        )}
      </div>
    </Panel>
  )
}

function addressOf(draft: Draft, lang: Language, scheme: 'light' | 'dark'): string {
  const filled = Object.entries({ ...draft, lang, scheme }).filter(([, value]) => value !== '')
  return `/login/preview?${new URLSearchParams(filled)}`
}

const pause = 300

/** The last valid draft, after a pause in typing. */
function useSettled({ primaryColor, logoUrl, faviconUrl }: Draft): Draft {
  const [settled, setSettled] = useState<Draft>({ primaryColor, logoUrl, faviconUrl })
  useEffect(() => {
    const draft = { primaryColor, logoUrl, faviconUrl }
    if (!isRight(draft)) return undefined
    const timer = setTimeout(() => setSettled(draft), pause)
    return () => clearTimeout(timer)
  }, [primaryColor, logoUrl, faviconUrl])
  return settled
}
