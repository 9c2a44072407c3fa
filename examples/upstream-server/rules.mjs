/** Ends a call with a status and a message for the administrator. */
export function refuse(status, message) {
  throw Object.assign(new Error(message), { status });
}

export function find(list, id, name) {
  return list.find((one) => one.id === id) ?? refuse(404, `${name} not found`);
}

export function whole(value, name, [min, max]) {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(400, `${name} must be a whole number from ${min} to ${max}`);
}

export function oneOf(value, name, words) {
  return words.includes(value) ? value : refuse(400, `${name} must be one of ${words.join(', ')}`);
}

export function flag(value, name) {
  return typeof value === 'boolean' ? value : refuse(400, `${name} must be true or false`);
}

/** The list filter says EXECUTING where everything else says PROCESSING. */
export function withStatus(list, { status }) {
  const word = status === 'EXECUTING' ? 'PROCESSING' : status;
  return word ? list.filter((one) => one.status === word) : list;
}

export function page(name, rows, { limit = '20', offset = '0' }) {
  const first = whole(Number(offset), 'offset', [0, Infinity]);
  const count = whole(Number(limit), 'limit', [1, 100]);
  return { [name]: rows.slice(first, first + count), total: rows.length };
}

export const now = () => new Date().toISOString();
