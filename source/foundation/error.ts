/** Returns the message of any thrown value. */
export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** Whether an error has one of these Node error codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));

const messageByErrorCode: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or directory',
	ENOTDIR: 'a part of the path is not a directory',
	EISDIR: 'it is a directory',
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EFBIG: 'the system allows no larger file',
};

/** Returns which file cannot be used, and why. If an error has no code, its message already names the file. */
export function pathErrorText(path: string, error: unknown): string {
	const reason = fileErrorText(error);
	return reason === messageOf(error) ? reason : `${path}: ${reason}`;
}

/** Returns the reason why a file that a person named cannot be used. */
export function fileErrorText(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return messageByErrorCode[code] ?? messageOf(error);
}

const diskErrorCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'];

/** Returns why a file could not be saved. A problem of the whole disk has the same text for every file. */
export function savingErrorText(error: unknown): string {
	return hasCode(error, ...diskErrorCodes) ? fileErrorText(error) : messageOf(error);
}
