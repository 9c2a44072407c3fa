import { type ListedPost, TRUNCATE, type userPosts } from '@meridian/contract/posts';
import {
  type Clause,
  SCHEDULE_CHECK_MESSAGES,
  type ScheduleCheck,
  type scheduleCheckGet,
} from '@meridian/contract/schedule-check';
import type { User } from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { LoadError, LoadNote } from '@meridian/ui/failures.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { AppLink, LinkButton } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { CountLink, postListAt } from '../../components/figures.tsx';
import { limitEntries, limitLabel, limitText } from '../../components/limits.tsx';
import { paths, withSearch } from '../../paths.ts';
import { AccountBadge } from './manage.tsx';
import { DescriptionItem, DescriptionList, Disclosure } from '@meridian/ui/DescriptionList.tsx';

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

interface RecentPostsCardProps {
  user: User;
  query: EndpointQuery<typeof userPosts>;
}

export function RecentPostsCard({ user, query }: RecentPostsCardProps) {
  useLoggedError("Failed to load the user's posts", query.error);
  const { data, isPending } = query;
  const posts = data?.posts ?? [];
  return (
    <Card aria-labelledby="recent-posts">
      <CardHeader
        title="Recent Posts"
        titleId="recent-posts"
        // As tall without the link, which comes with the posts.
        className="min-h-[calc(var(--spacing-control-sm)+1.75rem)]"
        actions={
          posts.length > 0 && (
            <LinkButton
              size="sm"
              to={withSearch(paths.posts, { userFilter: user.did || user.handle })}
            >
              See all posts
            </LinkButton>
          )
        }
      />
      {isPending && <RecentPostRows />}
      {posts.length > 0 && (
        <ul className="divide-y divide-border">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      )}
      {posts.length === 0 && !isPending && (
        <CardBody>
          <LoadNote query={query}>The posts could not be loaded.</LoadNote>
          {data !== undefined && <p className="text-base text-muted">No scheduled posts</p>}
        </CardBody>
      )}
    </Card>
  );
}

function RecentPost({ post }: { post: ListedPost }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <AppLink
          to={paths.post(post.id)}
          dir="auto"
          className="-my-1 block rounded-sm py-1 wrap-anywhere hover:text-accent-text hover:underline"
        >
          <PostExcerpt {...post} length={TRUNCATE.recentContent} />
        </AppLink>
        {post.error_msg !== null && post.error_msg !== '' && (
          <p dir="auto" className="mt-0.5 overflow-clip text-sm wrap-anywhere text-danger">
            <SafeText as="span">{post.error_msg}</SafeText>
          </p>
        )}
      </div>
      <span className="@xl:w-28">
        <StatusBadge status={post.status} />
      </span>
      {/* As wide as the longest, so that the badges stand in one line; on a phone, beside them. */}
      <span
        style={{ minWidth: `min(${DATE_TIME_WIDTH}, 50%)` }}
        className="text-muted @xl:text-end"
      >
        <Time value={post.scheduled_at} />
      </span>
    </li>
  );
}

const ROWS = ['80%', '65%', '75%'] as const;

/** The lines of a few posts, before it is known which. */
function RecentPostRows() {
  return (
    <div aria-hidden="true" className="divide-y divide-border">
      {ROWS.map((width) => (
        <div key={width} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3">
          <div className="min-w-0 flex-1 basis-72">
            <Skeleton width={width} />
          </div>
          <Skeleton round width="5rem" height="1.375rem" />
          <Skeleton width="9rem" />
        </div>
      ))}
    </div>
  );
}
