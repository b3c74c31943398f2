import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

const kinds: Readonly<Record<string, (path: string) => void>> = {
	pipe: path => execFileSync('mkfifo', ['-m', '600', path]),
	folder: path => mkdirSync(path, { mode: 0o700 }),
	link: path => symlinkSync('/dev/zero', path),
	giant(path) {
		writeFileSync(path, '', { mode: 0o600 });
		truncateSync(path, 1e9);
	},
};

/** Puts something into the place of a file that is no file of this program. */
export const specialPlaces = Object.entries(kinds).map(([name, make]) => ({
	name,
	place(path: string) {
		rmSync(path, { force: true });
		make(path);
	},
}));
