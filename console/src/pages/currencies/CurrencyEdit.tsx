import { type Currency, CURRENCY_MESSAGES, currencyGet } from '@meridian/contract/currencies';
import { isNotFound } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { useEditStart } from '../../components/form/use-edit-start.ts';
import { FieldSkeleton } from '../../components/form/FieldSkeleton.tsx';
import { SwitchSkeleton } from '../../components/form/SwitchSkeleton.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { CurrencyValues } from './currency-values.ts';
import { CurrencyEditForm } from './CurrencyEditForm.tsx';

/** Loads the currency, then hands it to the form, which it is the start of and nothing more. */
export function CurrencyEdit({ id }: { id: string }) {
  const query = useEndpointQuery(currencyGet, { params: { id } });
  const { start, startOver, box } = useEditStart<Currency, CurrencyValues>(
    query.data?.currency,
    query.isFetching,
  );

  if (start !== undefined) {
    return (
      <div ref={box} tabIndex={-1} className="max-w-xl">
        <CurrencyEditForm key={start.entity.version} start={start} onStartOver={startOver} />
        <div className="mt-4">
          <HistoryCard entity="currency" entityId={id} />
        </div>
      </div>
    );
  }
  if (query.error === null) {
    return (
      <div className="max-w-xl">
        <LoadingNote />
        <Card as="div">
          <CardBody className="grid gap-x-4 gap-y-5 @xl:grid-cols-2">
            <FieldSkeleton hint />
            <FieldSkeleton />
            <FieldSkeleton className="@xl:col-span-2" />
            <SwitchSkeleton className="@xl:col-span-2" />
            <FieldSkeleton className="@xl:col-start-1" />
            <FieldSkeleton hint className="@xl:col-start-1" />
            <SwitchSkeleton className="@xl:col-span-2" />
          </CardBody>
        </Card>
      </div>
    );
  }
  if (isNotFound(query.error)) {
    return (
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.currencies}>Back to Currencies</LinkButton>}>
          {CURRENCY_MESSAGES.notFound}
        </EmptyState>
      </Card>
    );
  }
  return <LoadError query={query} failed={CURRENCY_MESSAGES.loadFailed} />;
}
