import { type ListedPost, TRUNCATE, type userPosts } from '@meridian/contract/posts';
import {
  type Clause,
  SCHEDULE_CHECK_MESSAGES,
  type ScheduleCheck,
  type scheduleCheckGet,
} from '@meridian/contract/schedule-check';
import type { User } from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList, Disclosure } from '@meridian/ui/DescriptionList.tsx';
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

interface ScheduleCheckCardProps {
  userId: string;
  query: EndpointQuery<typeof scheduleCheckGet>;
}

/** Tells whether the user can schedule and publish, why not, and where that can be changed. */
export function ScheduleCheckCard({ userId, query }: ScheduleCheckCardProps) {
  const scheduleCheck = query.data?.scheduleCheck;
  return (
    <Card aria-labelledby="scheduleCheck">
      <CardHeader title="What this user can do" titleId="scheduleCheck" />
      <LoadError className="mx-5 mb-5" query={query} failed={SCHEDULE_CHECK_MESSAGES.loadFailed} />
      {scheduleCheck && <ScheduleCheckBody scheduleCheck={scheduleCheck} userId={userId} />}
    </Card>
  );
}

function ScheduleCheckBody(props: { scheduleCheck: ScheduleCheck; userId: string }) {
  const { scheduling, publishing, account, source, limits } = props.scheduleCheck;
  const pendingPosts = postListAt({ userId: props.userId, status: 'PENDING' });
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
          <Limits limits={limits} pendingPosts={pendingPosts} />
        </Disclosure>
      )}
    </>
  );
}

interface AnswerProps {
  question: string;
  /** The answer is yes when there are none. */
  clauses: readonly Clause[];
  pendingPosts: string;
}

function Answer({ question, clauses, pendingPosts }: AnswerProps) {
  const isYes = clauses.length === 0;
  /** `none` can only be changed by the user or the host. */
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

interface LimitsProps {
  limits: ScheduleCheck['limits'];
  pendingPosts: string;
}

function Limits({ limits, pendingPosts }: LimitsProps) {
  const ordered = limitEntries(Object.fromEntries(limits.map(({ name }) => [name, null])));
  return (
    <DescriptionList minColumn="7rem">
      {ordered
        .flatMap(([name]) => limits.find((limit) => limit.name === name) ?? [])
        .map(({ name, effective, override, plan, usage }) => (
          <DescriptionItem key={name} label={limitLabel(name)}>
            {limitText(name, effective)}
            <span className="block text-sm text-muted">
              {override === null ? 'Of the plan' : `Override, plan ${limitText(name, plan)}`}
              {usage !== null && ', used '}
              {usage !== null && (
                <CountLink
                  to={name === 'pending_posts_limit' ? pendingPosts : undefined}
                  label={`${limitLabel(name)}: ${formatNumber(usage)}`}
                >
                  {formatNumber(usage)}
                </CountLink>
              )}
            </span>
          </DescriptionItem>
        ))}
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
        // The header is as tall without the link, which comes with the posts.
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
      {(isPending || posts.length > 0) && (
        <ul aria-hidden={isPending || undefined} className="divide-y divide-border">
          {isPending && SKELETON_WIDTHS.map((width) => <RecentPost key={width} width={width} />)}
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

const SKELETON_WIDTHS = ['80%', '65%', '75%'];

function RecentPost({ post, width }: { post?: ListedPost; width?: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3">
      <div className="min-w-0 flex-1 basis-72">
        {post ? (
          <AppLink
            to={paths.post(post.id)}
            dir="auto"
            className="-my-1 block rounded-sm py-1 wrap-anywhere hover:text-accent-text hover:underline"
          >
            <PostExcerpt {...post} length={TRUNCATE.recentContent} />
          </AppLink>
        ) : (
          <Skeleton width={width} />
        )}
        {post?.error_msg && (
          <p dir="auto" className="mt-0.5 overflow-clip text-sm wrap-anywhere text-danger">
            <SafeText as="span">{post.error_msg}</SafeText>
          </p>
        )}
      </div>
      <span className="@xl:w-28">
        {post ? (
          <StatusBadge status={post.status} />
        ) : (
          <Skeleton round width="5rem" height="1.375rem" />
        )}
      </span>
      {/* All times are as wide as the longest, so that the badges stand in one line. */}
      <span
        style={{ minWidth: `min(${DATE_TIME_WIDTH}, 50%)` }}
        className="text-muted @xl:text-end"
      >
        {post ? <Time value={post.scheduled_at} /> : <Skeleton width="9rem" />}
      </span>
    </li>
  );
}
