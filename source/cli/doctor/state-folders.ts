import {
	accessSync,
	closeSync,
	constants,
	lstatSync,
	openSync,
	readdirSync,
	readSync,
	statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Paths } from '../../accounts/paths.ts';
import {
	isOwnedByAnother,
	modeText,
	NotPrivate,
	refuseWritableByOthers,
} from '../../accounts/private-file.ts';
import { hasCode, pathErrorText } from '../../foundation/error.ts';
import { isOfNewerVersion } from '../../journal/file-version.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { type Check, shortPath } from './check.ts';

/** Checks whether other users can read or change the configuration and the state files. */
export function stateChecks(paths: Paths, tokenPath: string | undefined, home: string): Check[] {
	const { configPath, statePath, tokensPath } = paths;
	return [
		modeCheck('Config file', configPath, home, 0o022, '600'),
		folderCheck(statePath, home),
		modeCheck('Token folder', tokensPath, home, 0o077, '700'),
		...(tokenPath ? [modeCheck('Token file', tokenPath, home, 0o077, '600')] : []),
		...[
			modeCheck('Journal folder', join(statePath, 'journal'), home, 0o077, '700'),
			modeCheck('Pace folder', join(statePath, 'pace'), home, 0o077, '700'),
		].filter(({ status }) => status === 'wrong'),
		...newerFileChecks(paths, home),
	];
}

/**
 * Reports files that a newer version of crowsnest has written. crowsnest never replaces such a file, because
 * this version would lose the parts that only the newer version understands.
 */
function newerFileChecks({ statePath, tokensPath }: Paths, home: string): Check[] {
	const paths = [join(statePath, 'journal'), tokensPath].flatMap(folder =>
		filesIn(folder).map(name => join(folder, name)),
	);
	return paths.filter(isFileOfNewerVersion).map(path => ({
		subject: 'File of a newer version',
		status: 'unsure',
		finding: `${cleanText(shortPath(path, home))} was written by a newer version of crowsnest and is left alone`,
		advice: 'Update crowsnest, or set CROWSNEST_STATE_DIR to another folder.',
	}));
}

function filesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

// Opening a named pipe would block, so only regular files are opened.
function isFileOfNewerVersion(path: string): boolean {
	try {
		if (!lstatSync(path).isFile()) return false;
		const file = openSync(path, 'r');
		try {
			const beginning = Buffer.alloc(64);
			return isOfNewerVersion(beginning.toString('utf8', 0, readSync(file, beginning)));
		} finally {
			closeSync(file);
		}
	} catch {
		return false;
	}
}

function modeCheck(
	subject: string,
	path: string,
	home: string,
	forbiddenBits: number,
	recommendedMode: string,
): Check {
	const shownPath = shortPath(path, home);
	try {
		const { mode, uid } = statSync(path);
		if (forbiddenBits === 0o077 && isOwnedByAnother(uid)) {
			const finding = `${shownPath} belongs to another user`;
			return {
				subject,
				status: 'wrong',
				finding,
				advice: `Remove ${shownPath}, or set CROWSNEST_STATE_DIR to another folder.`,
			};
		}
		const finding = `${shownPath} has mode ${modeText(mode)}`;
		if ((mode & forbiddenBits) === 0) return { subject, status: 'right', finding };
		const danger = forbiddenBits === 0o022 ? 'others can change it' : 'others can read it';
		const advice = `chmod ${recommendedMode} ${shownPath}`;
		return { subject, status: 'wrong', finding: `${finding}: ${danger}`, advice };
	} catch (error) {
		if (hasCode(error, 'ENOENT'))
			return { subject, status: 'right', finding: `no ${shownPath} yet` };
		return { subject, status: 'wrong', finding: pathErrorText(shownPath, error) };
	}
}

function folderCheck(path: string, home: string): Check {
	const subject = 'State folder';
	const shownPath = shortPath(path, home);
	try {
		accessSync(nearestExistingFolder(path), constants.W_OK | constants.X_OK);
		refuseWritableByOthers(path);
		return { subject, status: 'right', finding: `${shownPath} is writable only by you` };
	} catch (error) {
		if (error instanceof NotPrivate) {
			const [finding = '', advice] = error.message.split('; ');
			return { subject, status: 'wrong', finding, ...(advice && { advice }) };
		}
		const advice = 'Make the folder writable, or set CROWSNEST_STATE_DIR to another folder.';
		return { subject, status: 'wrong', finding: `${shownPath} is not writable`, advice };
	}
}

function nearestExistingFolder(path: string): string {
	const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
	return exists || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
}
