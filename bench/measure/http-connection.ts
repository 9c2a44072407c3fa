import { connect } from 'node:net';
import type { Socket } from 'node:net';

export type HttpRequest = {
  method?: string;
  path: string;
  token?: string;
  body?: unknown;
};
type Waiting = { resolve: (body: Buffer) => void; reject: (error: Error) => void };

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * One kept-open connection that speaks just enough HTTP/1.1 to our own servers. A general client
 * takes longer than some of the calls measured here, and on two cores takes the time from them.
 */
export class HttpConnection {
  readonly #url: URL;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #waiting: Waiting | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** The bytes of a request, to be made once and sent often. */
  bytesOf({ method = 'GET', path, token, body }: HttpRequest): Buffer {
    const content = body === undefined ? '' : JSON.stringify(body);
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${this.#url.host}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...(body === undefined
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${content}`);
  }

  /** The body of the answer; throws when the call was refused. */
  send(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket ??= this.#open();
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      if (this.#socket === socket) this.#fail(new Error('The server closed the connection'));
    });
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(END_OF_HEAD);
    if (headEnd === -1) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + END_OF_HEAD.length;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) return this.#fail(new Error(`An answer without a length:\n${head}`));
    if (this.#received.length < bodyStart + length) return;
    const body = this.#received.subarray(bodyStart);
    this.#received = Buffer.alloc(0);
    if (!head.startsWith('HTTP/1.1 2')) {
      return this.#fail(new Error(`${head}\n${body.toString()}`));
    }
    // The server asks for a new connection now and then.
    if (/\r\nconnection: close/i.test(head)) this.close();
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(body);
  }

  #fail(error: Error): void {
    this.close();
    this.#received = Buffer.alloc(0);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }
}
