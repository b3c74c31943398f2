import { getSystemErrorMap } from 'node:util';

export class UsageError extends Error {}

export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	cancelled: 3,
	notSignedIn: 4,
	partial: 5,
	interrupted: 130,
} as const;

export class CommandError extends Error {
	readonly kind: string;
	readonly advice: string;
	readonly code: number;

	constructor(kind: string, message: string, advice: string, code: number = exitCodes.failed) {
		super(message);
		this.kind = kind;
		this.advice = advice;
		this.code = code;
	}
}

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Without the call and the path, which the message names. Undefined if the error is not one of the system. */
export const systemReasonOf = (error: unknown): string | undefined =>
	error instanceof Error && 'errno' in error
		? getSystemErrorMap().get(Number(error.errno))?.[1]
		: undefined;

export function pathErrorText(path: string, error: unknown): string {
	const reason = systemReasonOf(error);
	return reason === undefined ? messageOf(error) : `${path}: ${reason}`;
}

export const fileErrorText = (error: unknown): string => systemReasonOf(error) ?? messageOf(error);

const commonErrorCodes = ['EROFS', 'ENOSPC', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'];

export function stateFileErrorText(error: unknown): string {
	const path = error instanceof Error && 'path' in error ? String(error.path) : '';
	const isCommon = path === '' || hasCode(error, ...commonErrorCodes);
	return isCommon ? fileErrorText(error) : pathErrorText(path, error);
}
