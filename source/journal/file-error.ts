import { messageOf } from './line-file.ts';

const words: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or directory',
	ENOTDIR: 'what should be a directory is a file',
	EISDIR: 'it is a directory',
	EACCES: 'it is not permitted',
	EPERM: 'it is not permitted',
	EROFS: 'nothing can be written there',
	ENOSPC: 'the disk is full',
};

/** Why a file that a person named cannot be used, in their words where there are any. */
export function fileErrorText(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return words[code] ?? messageOf(error);
}
