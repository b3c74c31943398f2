import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** What is wrong with a file or folder that only its owner may read. */
export class NotPrivate extends Error {}

export const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

/** Replaces the file whole, so that no reader ever meets half of it. */
export function writePrivately(path: string, text: string, mode = 0o600): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const draft = `${path}.${randomUUID()}`;
	try {
		const file = openSync(draft, 'wx', mode);
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** Its text, undefined when there is none; `NotPrivate` when others may read or replace it. */
export function readPrivately(path: string): string | undefined {
	try {
		refuseOpen(dirname(path), statSync(dirname(path)).mode, 0o700);
		// What is read is what was looked at, and no link leads to another file.
		const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
		try {
			refuseOpen(path, fstatSync(file).mode, 0o600);
			return readFileSync(file, 'utf8');
		} finally {
			closeSync(file);
		}
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		if (isCode(error, 'ELOOP')) throw new NotPrivate(`${path} is a link`);
		throw error;
	}
}

/** Refuses to write where others could read or replace what is written. */
export function refuseOpenFolder(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (stats) refuseOpen(path, stats.mode, 0o700);
}

function refuseOpen(path: string, mode: number, wanted: number): void {
	if ((mode & 0o077) === 0) return;
	const told = `${path} can be read by others (its mode is ${modeText(mode)})`;
	throw new NotPrivate(`${told}; chmod ${modeText(wanted).slice(1)} makes it private`);
}

export function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
