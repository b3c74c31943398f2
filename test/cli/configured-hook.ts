import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHost } from './host.ts';

/** Writes a configuration with a hook. Returns a function that counts the programs that were started since. */
export function configureHook({ host, folder }: Pick<TestHost, 'host' | 'folder'>, on: string) {
	let count = 0;
	mkdirSync(join(folder, 'config'), { recursive: true });
	const text = `[[hooks]]\non = "${on}"\ncommand = ["hook"]\n`;
	writeFileSync(join(folder, 'config', 'config.toml'), text, { mode: 0o600 });
	Object.assign(host, {
		spawn() {
			count += 1;
			throw new Error('nothing here starts another program');
		},
	});
	return () => count;
}
