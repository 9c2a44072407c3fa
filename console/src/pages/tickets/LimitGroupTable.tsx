import { limitLabel, limitText } from '../../components/limit-text.ts';
import { OverrideMark } from '../../components/OverrideMark.tsx';
import type { LimitInForce } from '../../components/limits-in-force.ts';
import type { LimitGroup } from './ticket-limits.ts';

const HEADER = 'pb-1 text-xs font-medium text-muted';

/** Where three columns do not fit, with large letters on a phone, the name stands above the values. */
const ROW = '@max-3xs:flex @max-3xs:flex-wrap @max-3xs:justify-between';
const NAME = '@max-3xs:w-full';
const OF_PLAN = 'text-end @max-3xs:text-start';

/** One group of limits: the plan's beside the ticket's. */
export function LimitGroupTable({ group: { title, limits } }: { group: LimitGroup }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-base font-semibold">{title}</h3>
      <table aria-label={title} className="w-full table-fixed text-sm">
        <thead>
          <tr className={ROW}>
            <th scope="col" className={`${HEADER} ${NAME} w-[38%] text-start`}>
              Limit
            </th>
            <th scope="col" className={`${HEADER} ${OF_PLAN}`}>
              Plan
            </th>
            <th scope="col" className={`${HEADER} w-[40%] text-end @max-3xs:w-auto`}>
              This ticket
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <LimitRow key={limit.name} limit={limit} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LimitRow({ limit: { name, ofPlan, effective, isOverridden } }: { limit: LimitInForce }) {
  return (
    <tr className={`border-t border-border align-baseline ${ROW}`}>
      <th scope="row" className={`py-1.5 pe-2 text-start font-normal text-muted ${NAME}`}>
        {limitLabel(name)}
      </th>
      <td className={`py-1.5 tabular-nums ${OF_PLAN}`}>{limitText(name, ofPlan)}</td>
      <td className="py-1.5 ps-2 text-end tabular-nums">
        <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
          {isOverridden && <OverrideMark />}
          <span className={isOverridden ? 'font-semibold' : 'text-muted'}>
            {limitText(name, effective)}
          </span>
        </span>
      </td>
    </tr>
  );
}
