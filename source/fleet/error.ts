/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** Whether Node gave the error one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));
