import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const source = resolve(import.meta.dirname, '../../source');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
	.filter(name => /\.tsx?$/.test(name))
	.map(name => resolve(source, name));

/** The files of the program that are imported when they are needed first. */
export const lazyModules = files.flatMap(file =>
	[...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(match =>
		resolve(dirname(file), match[1] ?? ''),
	),
);

/**
 * Loads them all. Loading a file takes real time that no test can see, so a held clock would go on meanwhile
 * and a command would time out before it has begun.
 */
export async function loadLazyModules(): Promise<void> {
	await Promise.all(lazyModules.map(path => import(/* @vite-ignore */ path)));
}
