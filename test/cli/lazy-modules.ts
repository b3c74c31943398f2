import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const source = resolve(import.meta.dirname, '../../source');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
	.filter(name => /\.tsx?$/.test(name))
	.map(name => resolve(source, name));

/** The paths of all files that the program imports only when it needs them. */
export const lazyModules = files.flatMap(file =>
	[...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(match =>
		resolve(dirname(file), match[1] ?? ''),
	),
);

/**
 * Imports all lazy files in advance. An import during a test takes real time, in which the held clock would go on
 * and a command could time out before it begins.
 */
export async function loadLazyModules(): Promise<void> {
	await Promise.all(lazyModules.map(path => import(/* @vite-ignore */ path)));
}
