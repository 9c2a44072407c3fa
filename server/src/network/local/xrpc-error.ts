export class XrpcError extends Error {
  override name = 'XrpcError';
  readonly status: number;
  readonly error: string;

  constructor(status: number, error: string, message: string) {
    super(message);
    this.status = status;
    this.error = error;
  }
}

export function invalidRequest(message: string, error = 'InvalidRequest'): XrpcError {
  return new XrpcError(400, error, message);
}

export function internalServerError(): XrpcError {
  return new XrpcError(500, 'InternalServerError', 'Internal Server Error');
}
