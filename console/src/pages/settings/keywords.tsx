import { KeyRound } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import {
  ACCESS_KEYWORD_MESSAGES,
  type AccessKeyword,
  accessKeywordCreate,
  accessKeywordList,
  accessKeywordRevoke,
  KEYWORD_MIN_LENGTH,
} from '@meridian/contract/access-keywords';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { NumberField, parseNumber } from '@meridian/ui/NumberField.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time, TIME_COLUMN_WIDTH } from '@meridian/ui/Time.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { ChangeError } from '@meridian/ui/failures.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { useDraft, useRestored } from '@meridian/ui/form/drafts.ts';
import { changedPaths } from '@meridian/ui/form/field-path.ts';
import { useUnsavedGuard } from '@meridian/ui/form/unsaved-changes.ts';
import { formatNumber, LATEST_LOCAL_TIME } from '@meridian/ui/format.ts';
import { useRunOnce } from '@meridian/ui/hooks.ts';
import { ExternalLink } from '@meridian/ui/links.tsx';
import { type Column, DataTable } from '@meridian/ui/list/DataTable.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { paths } from '../../paths.ts';

export function AccessKeywordsCard({ query }: { query: EndpointQuery<typeof accessKeywordList> }) {
  return (
    <Card aria-labelledby="access-keywords-title">
      <CardHeader
        title="Access keywords"
        titleId="access-keywords-title"
        description="While closed beta is on, newcomers need one to sign in. People who are there already do not."
        actions={<ExternalLink href={paths.people}>Try the people's side</ExternalLink>}
      />
      <AccessKeywordForm />
      <DataTable
        label="Access keywords"
        columns={COLUMNS}
        rows={query.data?.accessKeywords}
        rowKey={({ id }) => id}
        query={query}
        failed={ACCESS_KEYWORD_MESSAGES.loadFailed}
        emptyText="No access keywords yet"
        emptyIcon={<KeyRound aria-hidden="true" />}
        skeletonRows={2}
      />
    </Card>
  );
}

const STATUSES: Record<AccessKeyword['status'], [label: string, tone: Tone]> = {
  ACTIVE: ['Active', 'green'],
  USED_UP: ['Used up', 'gray'],
  EXPIRED: ['Expired', 'gray'],
  REVOKED: ['Revoked', 'red'],
};

const COLUMNS: readonly Column<AccessKeyword>[] = [
  {
    header: 'Keyword',
    skeleton: '70%',
    cell: ({ word }) => <Mono value={word} copyLabel="Copy keyword" />,
  },
  {
    header: 'Uses',
    skeleton: '3rem',
    width: '6rem',
    cell: ({ uses, maxUses }) =>
      maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`,
  },
  {
    header: 'Expires',
    skeleton: '8rem',
    width: TIME_COLUMN_WIDTH,
    cell: ({ expiresAt }) => <Time value={expiresAt} fallback="Never" />,
  },
  {
    header: 'Status',
    skeleton: '4.5rem',
    width: '6.5rem',
    corner: true,
    cell: ({ status }) => {
      const [label, tone] = STATUSES[status];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    header: 'Actions',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '4rem',
    width: '6.5rem',
    cell: (keyword) => keyword.status === 'ACTIVE' && <RevokeKeyword keyword={keyword} />,
  },
];

const EMPTY = { word: '', maxUses: '', expires: '' };

function AccessKeywordForm() {
  const { initial, forget } = useRestored(EMPTY, true);
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Partial<typeof EMPTY>>({});
  const create = useEndpointMutation(accessKeywordCreate, { invalidates: [accessKeywordList] });
  const runOnce = useRunOnce();
  const isDirty = changedPaths(EMPTY, values).length > 0;
  useDraft(EMPTY, values, isDirty);
  useUnsavedGuard(isDirty, create.isPending);
  const set = (name: keyof typeof EMPTY, value: string) =>
    setValues((now) => ({ ...now, [name]: value }));
  const field = (name: keyof typeof EMPTY) => ({
    error: problem[name],
    readOnly: create.isPending,
    value: values[name],
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { word, maxUses, expires } = values;
    const isUnbounded = maxUses.trim() === '';
    const uses = isUnbounded ? null : parseNumber(maxUses);
    const isShort = word.trim().length < KEYWORD_MIN_LENGTH;
    const isWrong = !isUnbounded && (uses === null || uses < 1);
    const inputs = event.currentTarget.querySelectorAll('input');
    // A half-typed date has an empty value; only the validity of the field tells it from none.
    const isHalf = inputs[2]?.validity.badInput === true;
    setProblem({
      ...(isShort && { word: `At least ${KEYWORD_MIN_LENGTH} characters` }),
      ...(isWrong && { maxUses: 'A whole number of at least 1, or nothing' }),
      ...(isHalf && { expires: 'The expiry needs both a date and a time' }),
    });
    const wrong = [isShort, isWrong, isHalf].indexOf(true);
    inputs[wrong]?.focus();
    if (wrong !== -1) return;
    const expiresAt = expires === '' ? null : new Date(expires).toISOString();
    // A failure is shown by the state of the mutation.
    runOnce(async () => {
      await create.mutateAsync({ body: { word, maxUses: uses, expiresAt } });
      // The session may have ended meanwhile: what is saved must not come back as unsaved.
      forget();
      setValues(EMPTY);
      showToast({ message: 'Access keyword created' });
    }).catch(() => {});
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 px-5 pb-4">
      <div className="grid items-start gap-3 @xl:grid-cols-[minmax(0,1fr)_6rem_13rem]">
        <TextField
          label="Keyword"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...field('word')}
          onChange={({ target }) => set('word', target.value)}
        />
        <NumberField
          label="Uses"
          placeholder="Any"
          min={1}
          {...field('maxUses')}
          onValueChange={(text) => set('maxUses', text)}
        />
        <TextField
          type="datetime-local"
          label="Expires (optional)"
          max={LATEST_LOCAL_TIME}
          {...field('expires')}
          onChange={({ target }) => set('expires', target.value)}
        />
      </div>
      <ChangeError change={create} failed={ACCESS_KEYWORD_MESSAGES.createFailed} />
      <Button type="submit" className="self-end" busy={create.isPending} busyLabel="Creating...">
        Create Keyword
      </Button>
    </form>
  );
}

function RevokeKeyword({ keyword: { id, word } }: { keyword: AccessKeyword }) {
  const revoke = useEndpointMutation(accessKeywordRevoke, { invalidates: [accessKeywordList] });
  async function ask() {
    const isDone = await confirm({
      title: 'Revoke Access Keyword',
      body: (
        <>
          Newcomers can no longer join with <SafeText>{word}</SafeText>. The people who came with it
          stay.
        </>
      ),
      danger: true,
      confirmLabel: 'Revoke',
      busyLabel: 'Revoking...',
      takesReason: true,
      run: (reason) => revoke.mutateAsync({ params: { id }, reason }),
      failed: ACCESS_KEYWORD_MESSAGES.revokeFailed,
    });
    if (isDone) showToast({ message: 'Access keyword revoked' });
  }
  return (
    <Button size="sm" aria-label={`Revoke ${word}`} onClick={() => void ask()}>
      Revoke
    </Button>
  );
}
