import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '../accounts/private-file.ts';

/** What greets whoever opens the monitor for the first time, without an account. */
export type Welcome = {
	isDue: boolean;
	/** It was shown, and is not shown again. */
	seen(): void;
};

export function welcomeFrom(statePath: string): Welcome {
	const path = join(statePath, 'welcomed');
	return {
		isDue: !existsSync(path),
		seen() {
			try {
				writePrivately(path, '');
			} catch {
				// Where nothing can be kept, it greets once more.
			}
		},
	};
}
