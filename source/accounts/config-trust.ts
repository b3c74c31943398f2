import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOwnedByAnother, modeText } from './private-file.ts';

/**
 * Returns why the programs that a configuration names must not be run: other users can write the file or replace it
 * in its folder. Returns undefined if only its owner can. If the file is a link, both the link and its target are
 * checked.
 */
export function reasonToDistrust(configPath: string): string | undefined {
	const realPath = realPathOf(configPath);
	const paths = new Set([configPath, dirname(configPath), realPath, dirname(realPath)]);
	for (const path of paths) {
		const stats = statSync(path, { throwIfNoEntry: false });
		if (!stats) continue;
		// Root can change every file anyway.
		if (stats.uid !== 0 && isOwnedByAnother(stats.uid)) return `${path} belongs to another user`;
		if ((stats.mode & 0o022) !== 0)
			return `${path} can be written by others (its mode is ${modeText(stats.mode)}); run chmod go-w on it`;
	}
	return undefined;
}

function realPathOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
