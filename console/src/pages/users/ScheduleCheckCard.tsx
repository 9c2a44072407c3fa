import {
  type Clause,
  type ScheduleCheck,
  SCHEDULE_CHECK_MESSAGES,
  type scheduleCheckGet,
} from '@meridian/contract/schedule-check';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { CountLink } from '../../components/CountLink.tsx';
import { limitEntries, limitLabel, limitText } from '../../components/limit-text.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { postListAt } from '../../components/post-list-address.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { AccountBadge } from './AccountBadge.tsx';

interface ScheduleCheckCardProps {
  userId: string;
  query: EndpointQuery<typeof scheduleCheckGet>;
}

/** Whether the user can schedule and publish, why not, and where that can be changed. */
export function ScheduleCheckCard({ userId, query }: ScheduleCheckCardProps) {
  const { data } = query;
  const pendingPosts = postListAt({ userId, status: 'PENDING' });
  return (
    <Card aria-labelledby="scheduleCheck">
      <CardHeader title="What this user can do" titleId="scheduleCheck" />
      <LoadError className="mx-5 mb-5" query={query} failed={SCHEDULE_CHECK_MESSAGES.loadFailed} />
      {data && <ScheduleCheckBody scheduleCheck={data.scheduleCheck} pendingPosts={pendingPosts} />}
    </Card>
  );
}

type BodyProps = { scheduleCheck: ScheduleCheck; pendingPosts: string | undefined };

function ScheduleCheckBody({ scheduleCheck, pendingPosts }: BodyProps) {
  const { scheduling, publishing, account, source } = scheduleCheck;
  return (
    <>
      <CardBody className="flex flex-col gap-3">
        <Answer question="Can schedule" clauses={scheduling} pendingPosts={pendingPosts} />
        <Answer question="Would go out now" clauses={publishing} pendingPosts={pendingPosts} />
        {account.host !== null && (
          <p className="text-sm text-muted">
            Account: <AccountBadge state={account.state} /> on <SafeText>{account.host}</SafeText>{' '}
            since <Time value={account.since} />
          </p>
        )}
      </CardBody>
      {source !== null && (
        <Disclosure
          summary={
            <span className="min-w-0 wrap-anywhere">
              Limits in force: <SafeText>{source.plan}</SafeText>
              {source.assignmentId === null && ', without an assignment'}
              {source.ticketCode !== null && `, by ticket ${source.ticketCode}`}
            </span>
          }
        >
          <Limits scheduleCheck={scheduleCheck} pendingPosts={pendingPosts} />
        </Disclosure>
      )}
    </>
  );
}

type AnswerProps = {
  question: string;
  /** None: yes. */
  clauses: readonly Clause[];
  pendingPosts: string | undefined;
};

function Answer({ question, clauses, pendingPosts }: AnswerProps) {
  const isYes = clauses.length === 0;
  /** `none`: only the user or the host can change it. */
  const controls: Record<Clause['control'], [label: string, to: string | undefined]> = {
    user: ['User Management', '#management'],
    settings: ['Service Settings', paths.settings],
    assignments: ['Plan Assignments', '#assignments'],
    posts: ['Pending posts', pendingPosts],
    none: ['', undefined],
  };
  return (
    <div>
      <p className="font-medium">
        {question}:{' '}
        <span className={isYes ? 'text-green' : 'text-red'}>{isYes ? 'yes' : 'no'}</span>
        {!isYes && ', because'}
      </p>
      {!isYes && (
        <ul aria-label={`${question}: why not`} className="mt-1 list-disc ps-5">
          {clauses.map(({ word, sentence, control }) => {
            const [label, to] = controls[control];
            return (
              <li key={word}>
                {sentence}
                {to && ' · '}
                {to && <CountLink to={to}>{label}</CountLink>}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** Each with its source and, where it is counted, how much of it is used. */
function Limits({ scheduleCheck: { limits }, pendingPosts }: BodyProps) {
  const ordered = limitEntries(Object.fromEntries(limits.map((limit) => [limit.name, null])));
  return (
    <DescriptionList minColumn="7rem">
      {ordered.map(([name]) => {
        const limit = limits.find((one) => one.name === name);
        if (limit === undefined) return null;
        const list = name === 'pending_posts_limit' ? pendingPosts : undefined;
        return (
          <DescriptionItem key={name} label={limitLabel(name)}>
            {limitText(name, limit.effective)}
            <span className="block text-sm text-muted">
              {limit.override === null
                ? 'Of the plan'
                : `Override, plan ${limitText(name, limit.plan)}`}
              {limit.usage !== null && ', used '}
              {limit.usage !== null && (
                <CountLink to={list} label={`${limitLabel(name)}: ${formatNumber(limit.usage)}`}>
                  {formatNumber(limit.usage)}
                </CountLink>
              )}
            </span>
          </DescriptionItem>
        );
      })}
    </DescriptionList>
  );
}
