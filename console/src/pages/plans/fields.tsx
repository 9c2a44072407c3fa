import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { type Language, LANGUAGE_NAMES, LANGUAGES } from '@meridian/contract/fields';
import type { Plan } from '@meridian/contract/plans';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField } from '@meridian/ui/NumberField.tsx';
import { Switch } from '@meridian/ui/choices.tsx';
import { cx } from '@meridian/ui/classes.ts';
import { TextArea, TextField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import type { Form } from '@meridian/ui/form/use-form.ts';
import {
  FieldSkeleton,
  LoadingNote,
  Skeleton,
  SwitchSkeleton,
} from '@meridian/ui/placeholders.tsx';
import { PanelTabs } from '@meridian/ui/tabs.tsx';
import { paths } from '../../paths.ts';
import { PlanLimitsCard } from './limits.tsx';
import { type CurrenciesForPrices, PlanPricingCard } from './prices.tsx';
import type { PlanValues } from './values.ts';

interface PlanFormProps {
  form: Form<PlanValues>;
  currencies: CurrenciesForPrices;
  /** The one that is edited; undefined for a new one. */
  plan?: Plan | undefined;
  /** A select for a new plan, read-only for an existing one. */
  tier: ReactNode;
  submitLabel: string;
  busyLabel: string;
  /** Under the fields. */
  children?: ReactNode;
}

/** Everything a new plan and an edited one have in common. */
export function PlanForm({
  form,
  currencies,
  plan,
  tier,
  submitLabel,
  busyLabel,
  children,
}: PlanFormProps) {
  return (
    <PlanFormLayout>
      <FormShell
        {...form.shell}
        submitLabel={submitLabel}
        busyLabel={busyLabel}
        cancelTo={paths.plans}
        isLong
      >
        <PlanBasicsCard form={form} tier={tier} />
        <PlanTextsCard form={form} />
        <PlanPricingCard form={form} currencies={currencies} plan={plan} />
        <PlanLimitsCard form={form} />
        {children}
      </FormShell>
    </PlanFormLayout>
  );
}

/** The form, and beside it, where there is room, links to its sections. */
function PlanFormLayout({ children }: { children: ReactNode }) {
  const current = useCurrentSection();
  return (
    <div className="xl:@4xl:grid xl:@4xl:grid-cols-[minmax(0,48rem)_minmax(0,1fr)] xl:@4xl:gap-10">
      <div className="min-w-0">{children}</div>
      <nav aria-label="Sections of the form" className="hidden xl:@4xl:block">
        <ul className="sticky top-7 flex flex-col border-s border-border">
          {PLAN_SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                replace
                aria-current={id === current ? 'location' : undefined}
                className={cx(
                  '-ms-px block border-s-2 px-3 py-1.5 text-sm',
                  id === current
                    ? 'border-accent font-medium text-text'
                    : 'border-transparent text-muted hover:text-text',
                )}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** The cards of the plan form in their order; the ids are those of their headings. */
const PLAN_SECTIONS = [
  { id: 'plan-basics', title: 'Plan' },
  { id: 'plan-texts', title: 'Names and descriptions' },
  { id: 'plan-pricing', title: 'Pricing' },
  { id: 'plan-limits', title: 'Limits' },
] as const;

const FIRST = PLAN_SECTIONS[0].id;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}

/** The last section whose heading has reached the upper third of the screen. */
function sectionInSight(): string {
  const line = window.innerHeight / 3;
  const reached = PLAN_SECTIONS.filter(({ id }) => {
    const heading = document.getElementById(id);
    return heading !== null && heading.getBoundingClientRect().top <= line;
  });
  return reached.at(-1)?.id ?? FIRST;
}

function useCurrentSection(): string {
  return useSyncExternalStore(subscribe, sectionInSight);
}

/** The boxes of the form's first screenful, before it is known what they hold. */
export function PlanFormSkeleton() {
  return (
    <PlanFormLayout>
      <LoadingNote />
      <Card as="div" className="mb-4">
        <CardHeader title="Plan" />
        <CardBody className="grid gap-x-4 gap-y-5 @xl:grid-cols-2">
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <div className="flex min-w-0 flex-col gap-4 @xl:col-span-2">
            <SwitchSkeleton />
            <SwitchSkeleton />
          </div>
        </CardBody>
      </Card>
      <Card as="div">
        <CardHeader
          title="Names and descriptions"
          description="English is required. Other languages are optional."
        />
        <CardBody className="flex flex-col gap-4">
          <Skeleton height="var(--control-height)" className="block rounded" />
          <FieldSkeleton />
          <FieldSkeleton height="3.5rem" />
          <FieldSkeleton hint height="6rem" />
        </CardBody>
      </Card>
    </PlanFormLayout>
  );
}

interface PlanBasicsCardProps {
  form: Form<PlanValues>;
  /** A select for a new plan, read-only for an existing one. */
  tier: ReactNode;
}

export function PlanBasicsCard({ form, tier }: PlanBasicsCardProps) {
  return (
    <Card aria-labelledby="plan-basics">
      <CardHeader title="Plan" titleId="plan-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        {tier}
        <TextField
          label="Name"
          hint="Internal. Only administrators see it."
          autoComplete="off"
          required
          {...form.text('name')}
        />
        <NumberField
          label="Display order"
          hint="Lower numbers come first."
          min={0}
          {...form.number('displayOrder')}
        />
        <div className="flex flex-col gap-4 @xl:col-span-2">
          <Switch
            label="Active"
            description="Inactive plans aren't published, and new tickets can't grant them."
            {...form.flag('isActive')}
          />
          <Switch
            label="Visible"
            description="Hidden plans aren't published, but tickets can grant them."
            {...form.flag('isVisible')}
          />
        </div>
      </CardBody>
    </Card>
  );
}

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
