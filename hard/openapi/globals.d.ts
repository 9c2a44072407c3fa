declare const process: { argv: string[]; stdout: { write(text: string): void } };
