import { Calendar } from 'lucide-react';
import { postExport } from '@meridian/contract/exports';
import {
  type ListedPost,
  POST_MESSAGES,
  POST_STATUS_FILTERS,
  postList,
  POSTS_PAGE_SIZE,
  type PostSort,
  TRUNCATE,
} from '@meridian/contract/posts';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { formatDateTime, parseTime } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import type { Column } from '@meridian/ui/list/DataTable.tsx';
import { PagedList } from '@meridian/ui/list/PagedList.tsx';
import { FilterChips, FilterSelect, FilterText, MoreFilters } from '@meridian/ui/list/filters.tsx';
import { useListParams } from '@meridian/ui/list/params.ts';
import { filterOf } from '@meridian/ui/list/selection.ts';
import { SelectionBar } from '../../components/SelectionBar.tsx';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import { StatusBadge, statusLabel } from '../../components/badges.tsx';
import { authorIdsOf, authorNameOf, authorTitleOf } from '../../components/post-content.ts';
import { UserCell } from '../../components/users.tsx';
import { paths } from '../../paths.ts';
import {
  hasFurtherFilters,
  postChips,
  PostFilterPanel,
  POSTS_FILTERS,
  POSTS_PARAMS,
  postsFilter,
  postsPageAt,
  withoutFurtherFilters,
} from './filters.tsx';

/** An address with further filters is read by the page, once it is known who the server is. */
export function loader({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === undefined && hasFurtherFilters(search)) return;
  prefetch(postList, postsPageAt(search, isMeridian === true));
}

export function Component() {
  const hasFilters = useIsMeridian();
  const asked = useListParams(POSTS_PARAMS, POSTS_FILTERS);
  const values = hasFilters ? asked.values : withoutFurtherFilters(asked.values);
  const list = { ...asked, values };
  const query = useEndpointQuery(postList, postsPageAt(asked.search, hasFilters));
  return (
    <>
      <PageTitle title="Scheduled Posts" context="Published, upcoming and failed posts" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ posts }) => posts}
        pageSize={POSTS_PAGE_SIZE}
        noun="posts"
        bulk={{
          labelOf: postLabel,
          renderBar: (props) => (
            <SelectionBar of="posts" filter={filterOf(list.values)} {...props} />
          ),
        }}
        filters={
          <>
            <FilterSelect
              label="Status"
              allLabel="All Statuses"
              options={STATUS_OPTIONS}
              {...list.choice('status')}
            />
            <FilterText label="User DID or handle" {...list.typed('userFilter')} />
            {hasFilters && (
              <MoreFilters>
                <PostFilterPanel list={list} />
              </MoreFilters>
            )}
          </>
        }
        chips={<FilterChips chips={postChips(values, list.set)} />}
        actions={
          <ExportMenu
            endpoint={postExport}
            noun="posts"
            query={postsFilter(values)}
            total={query.data?.total}
            isCapped={query.data?.totalIsCapped}
          />
        }
        label="Scheduled posts"
        columns={POST_COLUMNS}
        rowKey={(post) => post.id}
        failed={POST_MESSAGES.listFailed}
        emptyText="No posts found"
        emptyIcon={<Calendar aria-hidden="true" />}
        onClearFilters={
          list.isFiltered
            ? () => list.set({ ...withoutFurtherFilters(values), status: '', userFilter: '' })
            : undefined
        }
        sort={{
          column: values.sort,
          order: values.order,
          onSort: (sort, order) => list.set({ sort, order }),
        }}
      />
    </>
  );
}

const STATUS_OPTIONS = POST_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

/** Names a post for screen readers, not by its text, which may be of another language. */
function postLabel({ scheduled_at, user }: ListedPost): string {
  const at = parseTime(scheduled_at);
  return `${user?.handle ?? 'post'} ${at ? formatDateTime(at) : ''}`;
}

const POST_COLUMNS: readonly Column<ListedPost, PostSort>[] = [
  {
    header: 'User',
    unlabelled: true,
    skeleton: '70%',
    width: 'clamp(12.5rem, 22cqi, 16rem)',
    cell: (post) => <AuthorCell post={post} />,
  },
  {
    header: 'Content',
    unlabelled: true,
    wide: true,
    skeleton: '90%',
    cell: (post) => (
      <>
        <AppLink
          to={paths.post(post.id)}
          dir="auto"
          data-row-link=""
          className="block min-h-6 content-center rounded-sm leading-snug wrap-anywhere hover:text-accent-text hover:underline"
        >
          <PostExcerpt {...post} length={TRUNCATE.listContent} />
        </AppLink>
        {post.error_msg !== null && post.error_msg !== '' && (
          <div className="mt-0.5 overflow-clip text-sm wrap-anywhere text-danger">
            <SafeText>{truncateGraphemes(post.error_msg, TRUNCATE.listError)}</SafeText>
          </div>
        )}
      </>
    ),
  },
  {
    header: 'Status',
    corner: true,
    sort: 'status',
    skeleton: '5rem',
    width: '7.5rem',
    cell: (post) => <StatusBadge status={post.status} />,
  },
  {
    header: 'Scheduled',
    sort: 'scheduled_at',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1rem)`,
    cell: (post) => <Time value={post.scheduled_at} />,
  },
  {
    header: 'Created',
    sort: 'created_at',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1.5rem)`,
    cell: (post) => <Time value={post.created_at} className="text-muted" />,
  },
];

/** The handle over the DID, with the user id in place of what is missing. */
function AuthorCell({ post }: { post: ListedPost }) {
  const { id, handle, did } = authorIdsOf(post);
  if (post.user === null) {
    return <Mono value={id} short={TRUNCATE.userId} copyLabel="Copy user ID" />;
  }
  const title = authorTitleOf(post);
  const isNamed = handle !== null || did !== null;
  const detail =
    handle !== null && did !== null ? (
      <Mono value={did} short={TRUNCATE.did} copyLabel={`Copy DID of ${title}`} />
    ) : isNamed ? (
      <Mono value={id} short={TRUNCATE.userId} copyLabel={`Copy user ID of ${title}`} />
    ) : undefined;
  return (
    <UserCell
      avatar={post.user.avatar}
      initialOf={authorNameOf(post)}
      name={title}
      to={paths.user(id)}
      detail={detail}
    />
  );
}
