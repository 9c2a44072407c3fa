import { type Language, LANGUAGE_NAMES, LANGUAGES } from '@meridian/contract/fields';
import { useState } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { PanelTabs } from '../../ui/PanelTabs.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { PlanValues } from './plan-values.ts';

const PARTS = ['displayName', 'description', 'features'] as const;

/** What the public reads, a language at a time. */
export function PlanTextsCard({ form }: { form: Form<PlanValues> }) {
  const [language, setLanguage] = useState<Language>('en');
  const [seenFailures, setSeenFailures] = useState(0);
  const isInvalid = (candidate: Language) =>
    PARTS.some((part) => form.errorAt(`${part}.${candidate}`) !== undefined);

  // A failed attempt leads to the first field to correct, which may be behind another tab.
  const { failures } = form.shell;
  if (failures !== seenFailures) {
    setSeenFailures(failures);
    const wrong = isInvalid(language) ? undefined : LANGUAGES.find(isInvalid);
    if (wrong !== undefined) setLanguage(wrong);
  }

  const isEnglish = language === 'en';
  return (
    <Card aria-labelledby="plan-texts">
      <CardHeader
        title="Names and descriptions"
        titleId="plan-texts"
        description="English is required. Other languages are optional."
      />
      <CardBody>
        <PanelTabs
          label="Language"
          tabs={LANGUAGES.map((value) => ({
            value,
            label: LANGUAGE_NAMES[value],
            marked: PARTS.some((part) => form.values[part][value].trim() !== ''),
            invalid: isInvalid(value),
          }))}
          value={language}
          onValueChange={setLanguage}
        >
          {/* Fields of their own per language, so that undo never crosses over. */}
          <div key={language} lang={language} className="flex flex-col gap-4">
            <TextField
              label="Display name"
              required={isEnglish}
              dir="auto"
              {...form.text(`displayName.${language}`)}
            />
            <TextArea
              label="Description"
              required={isEnglish}
              rows={2}
              dir="auto"
              {...form.text(`description.${language}`)}
            />
            <TextArea
              label="Features"
              hint="One per line. Blank lines are ignored."
              rows={4}
              dir="auto"
              {...form.text(`features.${language}`)}
            />
          </div>
        </PanelTabs>
      </CardBody>
    </Card>
  );
}
