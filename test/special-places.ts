import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

/** Puts something into the place of a file that is no file of this program. */
export const specialPlaces: readonly ((path: string) => void)[] = [
	function pipe(path) {
		execFileSync('mkfifo', ['-m', '600', path]);
	},
	function folder(path) {
		mkdirSync(path, { mode: 0o700 });
	},
	function link(path) {
		symlinkSync('/dev/zero', path);
	},
	function giantFile(path) {
		writeFileSync(path, '', { mode: 0o600 });
		truncateSync(path, 1e9);
	},
];
