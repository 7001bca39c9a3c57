import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './tabs.module.css'

export interface TabsProps {
  label: string
  tabs: { value: string; label: string; content: ReactNode }[]
  value?: string
  onValueChange?: (value: string) => void
}

/** Tabs within a page. */
export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  return (
    <BaseTabs.Root
      {...(value === undefined ? { defaultValue: tabs[0]?.value } : { value })}
      onValueChange={(chosen) => onValueChange?.(String(chosen))}
    >
      <BaseTabs.List aria-label={label} className={classNames(styles.strip, styles.list)}>
        {tabs.map((tab) => (
          <BaseTabs.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
