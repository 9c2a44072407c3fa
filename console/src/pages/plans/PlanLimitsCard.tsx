import { PLAN_LIMIT_LABELS, SCHEDULE_INTERVALS } from '@meridian/contract/plan-limits';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import type { Form } from '../../components/form/use-form.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { PlanLimitField } from './PlanLimitField.tsx';
import { PlanLimitGroup } from './PlanLimitGroup.tsx';
import type { PlanValues } from './plan-values.ts';

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
