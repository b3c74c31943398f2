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

const reasonByErrorCode: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or directory',
	ENOTDIR: 'a part of the path is not a directory',
	EISDIR: 'it is a directory',
	EEXIST: 'it already exists',
	ELOOP: 'the path leads through too many links',
	ENAMETOOLONG: 'the name is too long',
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EBUSY: 'another program is using it',
	ENOTSUP: 'the file system does not support this',
	ENOSYS: 'the file system does not support this',
	ESTALE: 'the network folder is gone',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EFBIG: 'the system allows no larger file',
	EIO: 'the disk reports an error',
	EMFILE: 'this process has too many open files',
	ENFILE: 'the system has too many open files',
	ENOMEM: 'there is not enough memory',
};

/** The errors that have the same reason for every file. */
const commonErrorCodes = new Set([
	...['EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'],
	...['EMFILE', 'ENFILE', 'ENOMEM'],
]);

const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';

/** If an error has no code, its message already names the file. */
export function pathErrorText(path: string, error: unknown): string {
	const reason = reasonByErrorCode[codeOf(error)];
	return reason === undefined ? messageOf(error) : `${path}: ${reason}`;
}

export const fileErrorText = (error: unknown): string =>
	reasonByErrorCode[codeOf(error)] ?? messageOf(error);

export function stateFileErrorText(error: unknown): string {
	const path = error instanceof Error && 'path' in error ? String(error.path) : '';
	return path === '' || commonErrorCodes.has(codeOf(error))
		? fileErrorText(error)
		: pathErrorText(path, error);
}
