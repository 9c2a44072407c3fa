import { type ReactNode, useState } from 'react';
import { UNLIMITED } from '@meridian/contract/fields';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import {
  PLAN_LIMIT_LABELS,
  PLAN_LIMIT_RANGES,
  SCHEDULE_INTERVALS,
} from '@meridian/contract/plan-limits';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField, type NumberFieldProps } from '@meridian/ui/NumberField.tsx';
import { Checkbox, Select, Switch } from '@meridian/ui/choices.tsx';
import type { Form } from '@meridian/ui/form/use-form.ts';
import type { NumberLimit, PlanValues } from './values.ts';

const INTERVALS: readonly string[] = SCHEDULE_INTERVALS.map(String);

/** The four choices, and the value of a plan that has none of them. */
function intervalOptions(current: string) {
  const values =
    current === '' || INTERVALS.includes(current) ? INTERVALS : [...INTERVALS, current];
  return values.map((value) => ({
    value,
    label: value === '1' ? '1 minute' : `${value} minutes`,
  }));
}

export function PlanLimitsCard({ form }: { form: Form<PlanValues> }) {
  const interval = form.choice('limits.schedule_interval_minutes');
  return (
    <Card aria-labelledby="plan-limits">
      <CardHeader title="Limits" titleId="plan-limits" />
      <CardBody className="flex flex-col gap-6">
        <PlanLimitGroup title="Posts & Scheduling">
          <PlanLimitField form={form} name="monthly_posts_limit" />
          <PlanLimitField form={form} name="pending_posts_limit" />
          <PlanLimitField form={form} name="concurrent_posts_limit" placeholder="Optional" />
          <PlanLimitField form={form} name="max_schedule_days" />
          <Select
            label={PLAN_LIMIT_LABELS.schedule_interval_minutes}
            options={intervalOptions(interval.value)}
            {...interval}
            value={interval.value === '' ? null : interval.value}
          />
        </PlanLimitGroup>
        <PlanLimitGroup title="Content">
          <PlanLimitField
            form={form}
            name="max_post_length"
            hint={`Bluesky allows ${NETWORK_LIMITS.characters} characters per post.`}
          />
          <Switch
            label={PLAN_LIMIT_LABELS.markdown_support}
            className="col-span-full"
            {...form.flag('limits.markdown_support')}
          />
          <Switch
            label={PLAN_LIMIT_LABELS.thread_posts}
            className="col-span-full"
            {...form.flag('limits.thread_posts')}
          />
          {form.values.limits.thread_posts && (
            <PlanLimitField
              form={form}
              name="thread_posts_limit"
              hint={`Not counting the first post. Bluesky allows ${NETWORK_LIMITS.threadPosts} posts per thread in total.`}
            />
          )}
        </PlanLimitGroup>
        <PlanLimitGroup title="Images">
          <PlanLimitField
            form={form}
            name="max_images_per_post"
            hint={`Bluesky allows ${NETWORK_LIMITS.images} images per post.`}
          />
          <PlanLimitField
            form={form}
            name="max_image_size_mb"
            hint={`Bluesky allows images of up to ${NETWORK_LIMITS.imageMb} MB.`}
          />
        </PlanLimitGroup>
        <PlanLimitGroup title="Video">
          <Switch
            label={PLAN_LIMIT_LABELS.video_upload_enabled}
            className="col-span-full"
            {...form.flag('limits.video_upload_enabled')}
          />
          {form.values.limits.video_upload_enabled && (
            <>
              <PlanLimitField form={form} name="max_video_size_mb" hint="0 means not available." />
              <PlanLimitField
                form={form}
                name="video_processing_minutes_per_month"
                hint="Leave empty if not available."
              />
            </>
          )}
        </PlanLimitGroup>
        <PlanLimitGroup title="Storage & API">
          <PlanLimitField form={form} name="storage_mb" />
          <PlanLimitField form={form} name="api_rate_limit_per_hour" />
          <PlanLimitField form={form} name="data_retention_days" />
        </PlanLimitGroup>
      </CardBody>
    </Card>
  );
}

/** Limits that are read together. */
function PlanLimitGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-border pt-4 first:border-0 first:pt-0">
      <legend className="float-start mb-3 w-full text-sm font-semibold text-muted">{title}</legend>
      <div className="clear-both grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2 @3xl:grid-cols-3">
        {children}
      </div>
    </fieldset>
  );
}

interface PlanLimitFieldProps {
  form: Form<PlanValues>;
  name: NumberLimit;
  hint?: string;
  placeholder?: string;
}

/** A number within the contract's range, under the contract's name. */
function PlanLimitField({ form, name, hint, placeholder }: PlanLimitFieldProps) {
  const { min, max } = PLAN_LIMIT_RANGES[name];
  const unit = name.endsWith('_mb') ? ' (MB)' : '';
  const props = {
    label: `${PLAN_LIMIT_LABELS[name]}${unit}`,
    hint,
    placeholder,
    min,
    max,
    ...form.number(`limits.${name}`),
  };
  return min === UNLIMITED ? <PlanCountField {...props} /> : <NumberField {...props} />;
}

const WITHOUT_LIMIT = String(UNLIMITED);

interface PlanCountFieldProps extends NumberFieldProps {
  label: string;
}

/** A count that may be unlimited: -1 to the server, a checkbox to people. */
function PlanCountField({ value, onValueChange, label, ...rest }: PlanCountFieldProps) {
  const isUnlimited = value.trim() === WITHOUT_LIMIT;
  // Typed as -1 it stays a number until the field is left: nothing moves under a typing hand.
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
