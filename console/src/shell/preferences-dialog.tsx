import { type Preferences, prefer } from '../parts/preferences.ts'
import { usePreference } from '../parts/use-preference.ts'
import { language } from '../texts/language.ts'
import { preferencesTexts as t } from '../texts/preferences.ts'
import { shellTexts } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Segmented } from '../ui/segmented.tsx'
import styles from './preferences-dialog.module.css'

/** The user's preferences in this browser. */
export function PreferencesDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={shellTexts.preferences}
      description={t.preferencesHint}
      closeLabel={shellTexts.close}
    >
      <div className={styles.choices}>
        <div className={styles.choice}>
          <span>{t.language}</span>
          <Segmented
            label={t.language}
            value={language}
            options={[
              { value: 'en', label: 'English' },
              { value: 'de', label: 'Deutsch' },
            ]}
            onValueChange={(value) => prefer('language', value)}
          />
        </div>
        <Choice name="theme" label={t.theme} options={t.themes} />
        <Choice name="zone" label={t.zone} options={t.zones} />
        <Choice name="times" label={t.times} options={t.timeForms} />
        <Choice name="density" label={t.density} options={t.densities} />
        <Choice name="singleKeys" label={t.singleKeys} options={t.onOff} />
      </div>
    </Dialog>
  )
}

function Choice<Name extends Exclude<keyof Preferences, 'language'>>({
  name,
  label,
  options,
}: {
  name: Name
  label: string
  options: Record<Preferences[Name], string>
}) {
  const value = usePreference(name)
  return (
    <div className={styles.choice}>
      <span>{label}</span>
      <Segmented
        label={label}
        value={value}
        options={(Object.entries(options) as [Preferences[Name], string][]).map(([value, label]) => ({ value, label }))}
        onValueChange={(next) => prefer(name, next as Preferences[Name])}
      />
    </div>
  )
}
