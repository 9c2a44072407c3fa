import type { AnswerOf, BodyInput, Endpoint, QueryInput } from '@meridian/contract/endpoint';
import { errorBody } from '@meridian/contract/errors';
import type { ErrorBody } from '@meridian/contract/errors';
import type { FastifyInstance } from 'fastify';

export type CallOptions<E extends Endpoint> = {
  params?: Record<string, string>;
  /** Wrong shapes on purpose are what many tests send, hence the loose types. */
  query?: QueryInput<E> | Record<string, string>;
  body?: BodyInput<E> | object;
  token?: string | undefined;
  headers?: Record<string, string>;
};

export type Answer<E extends Endpoint> = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Throws when the call was refused. */
  readonly answer: AnswerOf<E>;
  /** Throws when the call succeeded. */
  readonly error: ErrorBody;
};

export type Call = <E extends Endpoint>(
  endpoint: E,
  options?: CallOptions<E>,
) => Promise<Answer<E>>;

export function callOn(app: FastifyInstance): Call {
  return async (endpoint, options = {}) => {
    const response = await app.inject({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(options.params?.[name] ?? ''),
      ),
      query: textsOf(options.query),
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { payload: JSON.stringify(options.body) }),
    });
    const { statusCode: status, headers } = response;
    return {
      status,
      headers,
      get answer() {
        if (status !== endpoint.status) throw new Error(`${status}: ${response.body}`);
        // The schema is the contract's own, so what it lets through is of its type.
        return endpoint.answer.parse(response.json()) as AnswerOf<typeof endpoint>;
      },
      get error() {
        if (status < 400) throw new Error(`${status}: ${response.body}`);
        return errorBody.parse(response.json());
      },
    };
  };
}

function textsOf(query: object | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
