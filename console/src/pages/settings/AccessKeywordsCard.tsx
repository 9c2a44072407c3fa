import {
  ACCESS_KEYWORD_MESSAGES,
  type accessKeywordList,
} from '@meridian/contract/access-keywords';
import { KeyRound } from 'lucide-react';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { DataTable } from '../../components/list/DataTable.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { ACCESS_KEYWORD_COLUMNS } from './access-keyword-columns.tsx';
import { AccessKeywordForm } from './AccessKeywordForm.tsx';

interface AccessKeywordsCardProps {
  query: EndpointQuery<typeof accessKeywordList>;
}

/** The words that let newcomers in during closed beta. */
export function AccessKeywordsCard({ query }: AccessKeywordsCardProps) {
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
        columns={ACCESS_KEYWORD_COLUMNS}
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
