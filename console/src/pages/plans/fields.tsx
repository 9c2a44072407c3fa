import { type ReactNode, useState } from 'react';
import { type Language, LANGUAGE_NAMES, LANGUAGES, UNLIMITED } from '@meridian/contract/fields';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import {
  PLAN_LIMIT_LABELS,
  PLAN_LIMIT_RANGES,
  type PlanLimitName,
  SCHEDULE_INTERVALS,
} from '@meridian/contract/plan-limits';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField, type NumberFieldProps } from '@meridian/ui/NumberField.tsx';
import { Checkbox, Select, Switch } from '@meridian/ui/choices.tsx';
import { TextArea, TextField } from '@meridian/ui/fields.tsx';
import type { Form } from '@meridian/ui/form/use-form.ts';
import { PanelTabs } from '@meridian/ui/tabs.tsx';
import { type FlagLimit, type NumberLimit, PLAN_LABELS, type PlanValues } from './values.ts';

export function PlanBasicsCard({ form, tier }: { form: Form<PlanValues>; tier: ReactNode }) {
  return (
    <Card aria-labelledby="plan-basics">
      <CardHeader title="Plan" titleId="plan-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        {tier}
        <TextField
          label={PLAN_LABELS.name}
          hint="Internal. Only administrators see it."
          autoComplete="off"
          required
          {...form.text('name')}
        />
        <NumberField
          label={PLAN_LABELS.displayOrder}
          hint="Lower numbers come first."
          min={0}
          {...form.number('displayOrder')}
        />
        <div className="flex flex-col gap-4 @xl:col-span-2">
          <Switch
            label={PLAN_LABELS.isActive}
            description="Inactive plans aren't published, and new tickets can't grant them."
            {...form.flag('isActive')}
          />
          <Switch
            label={PLAN_LABELS.isVisible}
            description="Hidden plans aren't published, but tickets can grant them."
            {...form.flag('isVisible')}
          />
        </div>
      </CardBody>
    </Card>
  );
}

const PARTS = ['displayName', 'description', 'features'] as const;

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
          {/* The key gives each language its own fields, so that undo stays within one. */}
          <div key={language} lang={language} className="flex flex-col gap-4">
            <TextField
              label={PLAN_LABELS.displayName}
              required={isEnglish}
              dir="auto"
              {...form.text(`displayName.${language}`)}
            />
            <TextArea
              label={PLAN_LABELS.description}
              required={isEnglish}
              rows={2}
              dir="auto"
              {...form.text(`description.${language}`)}
            />
            <TextArea
              label={PLAN_LABELS.features}
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

export function PlanLimitsCard({ form }: { form: Form<PlanValues> }) {
  return (
    <Card aria-labelledby="plan-limits">
      <CardHeader title="Limits" titleId="plan-limits" />
      <CardBody className="flex flex-col gap-6">
        {GROUPS.map(({ title, names }) => (
          <fieldset key={title} className="border-t border-border pt-4 first:border-0 first:pt-0">
            <legend className="float-start mb-3 w-full text-sm font-semibold text-muted">
              {title}
            </legend>
            <div className="clear-both grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2 @3xl:grid-cols-3">
              {names.map((name) => (
                <PlanLimitField key={name} form={form} name={name} />
              ))}
            </div>
          </fieldset>
        ))}
      </CardBody>
    </Card>
  );
}

const GROUPS: readonly { title: string; names: readonly PlanLimitName[] }[] = [
  {
    title: 'Posts & Scheduling',
    names: [
      'monthly_posts_limit',
      'pending_posts_limit',
      'concurrent_posts_limit',
      'max_schedule_days',
      'schedule_interval_minutes',
    ],
  },
  {
    title: 'Content',
    names: ['max_post_length', 'markdown_support', 'thread_posts', 'thread_posts_limit'],
  },
  { title: 'Images', names: ['max_images_per_post', 'max_image_size_mb'] },
  {
    title: 'Video',
    names: ['video_upload_enabled', 'max_video_size_mb', 'video_processing_minutes_per_month'],
  },
  {
    title: 'Storage & API',
    names: ['storage_mb', 'api_rate_limit_per_hour', 'data_retention_days'],
  },
];

const HINTS: Partial<Record<PlanLimitName, string>> = {
  max_post_length: `Bluesky allows ${NETWORK_LIMITS.characters} characters per post.`,
  thread_posts_limit: `Not counting the first post. Bluesky allows ${NETWORK_LIMITS.threadPosts} posts per thread in total.`,
  max_images_per_post: `Bluesky allows ${NETWORK_LIMITS.images} images per post.`,
  max_image_size_mb: `Bluesky allows images of up to ${NETWORK_LIMITS.imageMb} MB.`,
  max_video_size_mb: '0 means not available.',
  video_processing_minutes_per_month: 'Leave empty if not available.',
};

const SHOWN_WITH: Partial<Record<PlanLimitName, FlagLimit>> = {
  thread_posts_limit: 'thread_posts',
  max_video_size_mb: 'video_upload_enabled',
  video_processing_minutes_per_month: 'video_upload_enabled',
};

function PlanLimitField({ form, name }: { form: Form<PlanValues>; name: PlanLimitName }) {
  const label = PLAN_LIMIT_LABELS[name];
  const flag = SHOWN_WITH[name];
  if (flag !== undefined && !form.values.limits[flag]) return null;
  if (name === 'schedule_interval_minutes') {
    const interval = form.choice(`limits.${name}`);
    const { value } = interval;
    const options = intervalOptions(value);
    return <Select label={label} options={options} {...interval} value={value || null} />;
  }
  if (!isNumberLimit(name)) {
    return <Switch label={label} className="col-span-full" {...form.flag(`limits.${name}`)} />;
  }
  const { min, max } = PLAN_LIMIT_RANGES[name];
  const props = {
    label: name.endsWith('_mb') ? `${label} (MB)` : label,
    hint: HINTS[name],
    placeholder: name === 'concurrent_posts_limit' ? 'Optional' : undefined,
    min,
    max,
    ...form.number(`limits.${name}`),
  };
  return min === UNLIMITED ? <PlanCountField {...props} /> : <NumberField {...props} />;
}

const isNumberLimit = (name: PlanLimitName): name is NumberLimit => name in PLAN_LIMIT_RANGES;

/** A plan with another interval than the four choices keeps it as a fifth. */
function intervalOptions(current: string) {
  const values = SCHEDULE_INTERVALS.map(String);
  if (current !== '' && !values.includes(current)) values.push(current);
  return values.map((value) => ({ value, label: value === '1' ? '1 minute' : `${value} minutes` }));
}

const WITHOUT_LIMIT = String(UNLIMITED);

/** An unlimited count is -1 on the server and a checkbox on the screen. */
function PlanCountField({
  value,
  onValueChange,
  label,
  ...rest
}: NumberFieldProps & { label: string }) {
  const isUnlimited = value.trim() === WITHOUT_LIMIT;
  // While someone types -1, the field stays a number: it is disabled when it is left.
  const [isTyping, setTyping] = useState(false);
  const [lastCount, setLastCount] = useState(isUnlimited ? '' : value);
  const isOff = isUnlimited && !isTyping;

  return (
    <div className="min-w-0">
      <NumberField
        {...rest}
        label={label}
        value={isOff ? '' : value}
        placeholder={isOff ? 'Unlimited' : rest.placeholder}
        disabled={isOff}
        onValueChange={(text) => {
          setTyping(true);
          onValueChange(text);
        }}
        onBlur={() => setTyping(false)}
      />
      <Checkbox
        className="mt-1.5"
        label="Unlimited"
        about={label}
        checked={isUnlimited}
        onCheckedChange={(isOn) => {
          setTyping(false);
          if (isOn) setLastCount(value);
          onValueChange(isOn ? WITHOUT_LIMIT : lastCount);
        }}
      />
    </div>
  );
}
