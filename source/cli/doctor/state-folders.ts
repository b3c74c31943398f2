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
import { hasCode, messageOf } from '../../fleet/error.ts';
import { isNewer } from '../../journal/file-version.ts';
import { cleanText } from '../../platform/clean.ts';
import { type Check, shortPath } from './check.ts';

/** Checks whether other users can read or write the configuration and the stored state. */
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
		].filter(({ state }) => state === 'wrong'),
		...newerFileChecks(paths, home),
	];
}

/**
 * A file that a newer version has written stays untouched, because this version would drop the parts that it
 * does not know.
 */
function newerFileChecks({ statePath, tokensPath }: Paths, home: string): Check[] {
	const paths = [join(statePath, 'journal'), tokensPath].flatMap(folder =>
		filesIn(folder).map(name => join(folder, name)),
	);
	return paths.filter(isOfNewerVersion).map(path => ({
		about: 'Newer file',
		state: 'unsure',
		said: `${cleanText(shortPath(path, home))} was written by a newer version of crowsnest and is left alone`,
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

// Only regular files are opened, because opening a named pipe would block.
function isOfNewerVersion(path: string): boolean {
	try {
		if (!lstatSync(path).isFile()) return false;
		const file = openSync(path, 'r');
		try {
			const beginning = Buffer.alloc(64);
			return isNewer(beginning.toString('utf8', 0, readSync(file, beginning)));
		} finally {
			closeSync(file);
		}
	} catch {
		return false;
	}
}

function modeCheck(
	about: string,
	path: string,
	home: string,
	forbidden: number,
	recommended: string,
): Check {
	const shown = shortPath(path, home);
	try {
		const { mode, uid } = statSync(path);
		if (forbidden === 0o077 && isOwnedByAnother(uid)) {
			const said = `${shown} belongs to another user`;
			return {
				about,
				state: 'wrong',
				said,
				advice: `Remove ${shown}, or set CROWSNEST_STATE_DIR to another folder.`,
			};
		}
		const said = `${shown} has mode ${modeText(mode)}`;
		if ((mode & forbidden) === 0) return { about, state: 'right', said };
		const danger = forbidden === 0o022 ? 'others can change it' : 'others can read it';
		const advice = `chmod ${recommended} ${shown}`;
		return { about, state: 'wrong', said: `${said}: ${danger}`, advice };
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return { about, state: 'right', said: `no ${shown} yet` };
		return { about, state: 'wrong', said: `${shown}: ${messageOf(error)}` };
	}
}

function folderCheck(path: string, home: string): Check {
	const about = 'State folder';
	const shown = shortPath(path, home);
	try {
		accessSync(nearestExisting(path), constants.W_OK | constants.X_OK);
		refuseWritableByOthers(path);
		return { about, state: 'right', said: `${shown} is writable only by you` };
	} catch (error) {
		if (error instanceof NotPrivate) {
			const [said = '', advice] = error.message.split('; ');
			return { about, state: 'wrong', said, ...(advice && { advice }) };
		}
		const advice = 'Make the folder writable, or set CROWSNEST_STATE_DIR to another folder.';
		return { about, state: 'wrong', said: `${shown} is not writable`, advice };
	}
}

function nearestExisting(path: string): string {
	const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
	return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}
