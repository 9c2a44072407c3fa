import { Select } from '../../ui/Select.tsx';

export interface FilterSelectProps<Value extends string> {
  /** What it filters by, for screen readers unless it stands above: 'Status'. */
  label: string;
  labelShown?: boolean | undefined;
  /** The words for no filter: 'All Statuses'. */
  allLabel: string;
  options: readonly { value: Value; label: string }[];
  /** One that is not among the options came by address: the label stands in its place. */
  value: Value | '';
  onChange: (value: Value | '') => void;
}

/** An empty value would count as no choice at all. */
const ALL = 'ALL';

export function FilterSelect<Value extends string>({
  label,
  labelShown = false,
  allLabel,
  options,
  value,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <Select<Value | typeof ALL>
      label={label}
      labelHidden={!labelShown}
      className="w-44 @max-xl:w-full"
      options={[{ value: ALL, label: allLabel }, ...options]}
      placeholder={label}
      value={value === '' ? ALL : value}
      onValueChange={(next) => onChange(next === ALL ? '' : next)}
    />
  );
}
